/** Where the page stands with the server's events, and who wants to hear of them. Ids only: what changed is read again. */
export type LiveState = 'connecting' | 'open' | 'lost'

export interface LiveEvent {
  type: string
  id: string | null
}

const stateListeners = new Set<() => void>()
const eventListeners = new Set<(events: LiveEvent[]) => void>()
let state: LiveState = 'connecting'

export const readLiveState = (): LiveState => state
export function setLiveState(next: LiveState): void {
  if (next === state) return
  state = next
  for (const listener of stateListeners) listener()
}
export function onLiveState(listener: () => void): () => void {
  stateListeners.add(listener)
  return () => stateListeners.delete(listener)
}

export const emitLive = (events: LiveEvent[]): void => {
  for (const listener of eventListeners) listener(events)
}
export function onLive(listener: (events: LiveEvent[]) => void): () => void {
  eventListeners.add(listener)
  return () => eventListeners.delete(listener)
}
