import { isObject, member, type ExactJson } from '../../text/exact-json'
import { doubleOf, integerKey, isNumber } from '../../text/exact-number'

/**
 * One document of the pages of an execution, as its API gives them. Rows that moved to the next page while it was fetched are taken once.
 *
 * @param pages in the order in which they were fetched, from the first
 * @returns `complete`: the last page is the last one, and there are as many rows as it says. Without the words of the pages on themselves.
 */
export function joinPages(pages: readonly ExactJson[]): { document: ExactJson; complete: boolean } {
  const [first] = pages
  const last = pages.at(-1)
  if (!isObject(first) || !isObject(last)) return { document: first ?? null, complete: false }
  const events: ExactJson[] = []
  const seen = new Set<string>()
  for (const page of pages) {
    const rows = member(page, 'events')
    if (!Array.isArray(rows)) return { document: first, complete: false }
    // Rows of one page are rows of their own: where ids lost their digits several have one.
    const fresh = rows
      .map((row) => ({ row, id: integerKey(member(row, 'event_id')) }))
      .filter(({ id }) => id === null || !seen.has(id))
    for (const { row, id } of fresh) {
      if (id !== null) seen.add(id)
      events.push(row)
    }
  }
  const pagination = member(last, 'pagination')
  const total = member(pagination, 'total_events')
  const isLast = pagination === undefined || member(pagination, 'has_next') === false
  const { pagination: _, ...document } = first
  return {
    document: { ...document, events },
    complete: isLast && (!isNumber(total) || doubleOf(total) === events.length),
  }
}
