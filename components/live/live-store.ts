/**
 * Where the page stands with the server's events, and who wants to hear of them. Ids only: what changed is read again.
 *
 * - `stale`: the stream is open, but the server has lost its database and hears of no changes
 * - `lost`: there is no connection to the server
 * - `signed-out`: the server does not know the session any more
 */
export type LiveState = 'connecting' | 'open' | 'stale' | 'lost' | 'signed-out'

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

/** Calls back when the server can be asked again: after the connection was lost, the server had lost its database, or nobody was signed in. */
export function onLiveAgain(listener: () => void): () => void {
  let before = state
  return onLiveState(() => {
    if (state === 'connecting') return
    const away = before !== 'open' && before !== 'connecting'
    before = state
    if (away && (state === 'open' || state === 'signed-out')) listener()
  })
}

export const emitLive = (events: LiveEvent[]): void => {
  for (const listener of eventListeners) listener(events)
}
export function onLive(listener: (events: LiveEvent[]) => void): () => void {
  eventListeners.add(listener)
  return () => eventListeners.delete(listener)
}
