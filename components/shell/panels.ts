/** Which floating panel is open; any part of the page may open one without knowing where it is drawn. */
export type Panel = 'palette' | 'help'

type Listener = (panel: Panel) => void
const listeners = new Set<Listener>()

export const openPanel = (panel: Panel): void => {
  for (const listener of listeners) listener(panel)
}

export function onOpenPanel(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
