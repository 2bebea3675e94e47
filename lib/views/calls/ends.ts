interface Failed {
  callId: string
  failureClass: string | null
  /** The cause of the execution is about it. */
  isMain: boolean
  attachedTo: { callId: string | null } | null
}

/** A call that was never run, because one beside it failed: where to look is that one. */
const cancelled = (a: Failed): boolean => a.failureClass === 'sibling_cancelled'

/**
 * The failure that the cause is about, else the first; and the last one to look at: of the failed calls of an execution in their order: none, one or two. A call that was
 * cancelled
 * because a call beside it failed is no place to look, so it is passed over for the one that failed; only where nothing else failed does it
 * stand
 * for itself.
 */
export function firstAndLast<A extends Failed>(failed: readonly A[]): A[] {
  const own = failed.filter((a) => !cancelled(a))
  const list = own.length > 0 ? own : failed
  const [first, last] = [failed.find(({ isMain }) => isMain) ?? list[0], list.at(-1)]
  if (!first || !last) return []
  return first === last ? [first] : [first, last]
}
