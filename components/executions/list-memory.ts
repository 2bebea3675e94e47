/**
 * The list one came from, so that `<` and `>` inside an execution walk it. Kept for the tab only.
 */
export interface ListMemory {
  search: string
  ids: string[]
  nextCursor: string | null
}

const NAME = 'inquest-list'

export function rememberList(memory: ListMemory): void {
  try {
    sessionStorage.setItem(NAME, JSON.stringify(memory))
  } catch {
    // Storage may be switched off or full: then `<` and `>` have nothing to walk, and say so.
  }
}

export function recallList(): ListMemory | null {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(NAME) ?? 'null')
    return isMemory(value) ? value : null
  } catch {
    return null
  }
}

const isMemory = (value: unknown): value is ListMemory =>
  typeof value === 'object' &&
  value !== null &&
  'ids' in value &&
  Array.isArray(value.ids) &&
  value.ids.every((id) => typeof id === 'string') &&
  'search' in value &&
  typeof value.search === 'string'

/** The neighbours of an id in the list; null at its ends, and for an id that is not in it. */
export function neighbours(
  ids: readonly string[],
  id: string,
): { previous: string | null; next: string | null; place: number | null } {
  const at = ids.indexOf(id)
  return at < 0
    ? { previous: null, next: null, place: null }
    : { previous: ids[at - 1] ?? null, next: ids[at + 1] ?? null, place: at }
}
