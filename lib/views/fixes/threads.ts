import type { EarlierPlace } from './kept-lines'
import type { FixComment } from '../../model/fix'

/** Comments that belong together, with the place they are about. */
export interface Thread {
  id: string
  /** The fix that it was opened on, the number of that version, and the patch that it is about. */
  fix: string
  version: number
  sha256: string
  file: number | null
  path: string | null
  side: string | null
  lineStart: number | null
  lineEnd: number | null
  comments: FixComment[]
  isResolved: boolean
  resolvedBy: string | null
  /** Where it was when it was opened on an earlier version than the one that is read; null for one of this version. */
  earlier: EarlierPlace | null
}

/** Threads in the order in which they were opened; what was resolved and opened again is open. */
export function threadsOf(comments: readonly FixComment[]): Thread[] {
  const threads = new Map<string, Thread>()
  for (const comment of comments) {
    const {
      thread: id,
      fix,
      ordinal: version,
      sha256,
      file,
      path,
      side,
      lineStart,
      lineEnd,
      kind,
      by,
    } = comment
    const thread = threads.get(id) ?? {
      id,
      fix,
      version,
      sha256,
      file,
      path,
      side,
      lineStart,
      lineEnd,
      comments: [],
      isResolved: false,
      resolvedBy: null,
      earlier: null,
    }
    threads.set(id, thread)
    if (kind === 'comment') thread.comments.push(comment)
    if (kind === 'resolve' || kind === 'reopen')
      Object.assign(thread, { isResolved: kind === 'resolve', resolvedBy: kind === 'resolve' ? by : null })
  }
  return [...threads.values()].filter((thread) => thread.comments.length > 0)
}

/** How many threads of each version are open, without those of which every comment was withdrawn; the oldest version first. */
export function openByVersion(threads: readonly Thread[]): { version: number; open: number }[] {
  const counts = new Map<number, number>()
  for (const { version, isResolved, comments } of threads)
    if (!isResolved && comments.some(({ text }) => text !== null))
      counts.set(version, (counts.get(version) ?? 0) + 1)
  return [...counts].map(([version, open]) => ({ version, open })).toSorted((a, b) => a.version - b.version)
}
