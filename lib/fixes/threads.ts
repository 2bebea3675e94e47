import type { FixComment } from '../api/fix-schemas'

/** Comments that belong together, with the place they are about. */
export interface Thread {
  id: string
  file: number | null
  path: string | null
  side: string | null
  lineStart: number | null
  lineEnd: number | null
  comments: FixComment[]
  isResolved: boolean
  resolvedBy: string | null
}

/** Threads in the order in which they were opened; what was resolved and opened again is open. */
export function threadsOf(comments: readonly FixComment[]): Thread[] {
  const threads = new Map<string, Thread>()
  for (const comment of comments) {
    const { thread: id, file, path, side, lineStart, lineEnd, kind, by } = comment
    const thread = threads.get(id) ?? { id, file, path, side, lineStart, lineEnd, comments: [], isResolved: false, resolvedBy: null }
    threads.set(id, thread)
    if (kind === 'comment') thread.comments.push(comment)
    if (kind === 'resolve' || kind === 'reopen') Object.assign(thread, { isResolved: kind === 'resolve', resolvedBy: kind === 'resolve' ? by : null })
  }
  return [...threads.values()].filter((thread) => thread.comments.length > 0)
}
