/** What a proposed fix can be, in the order of its life. */
export const FIX_STATES = [
  'proposed',
  'changes_requested',
  'approved',
  'applied',
  'rejected',
  'superseded',
  'expired',
] as const
export type FixState = (typeof FIX_STATES)[number]

/** States that a person's review leads to. */
export const REVIEW_STATES = [
  'approved',
  'changes_requested',
  'rejected',
  'applied',
] as const satisfies readonly FixState[]
export type ReviewState = (typeof REVIEW_STATES)[number]

const LEAVES_TO: Record<FixState, readonly FixState[]> = {
  proposed: ['approved', 'changes_requested', 'rejected', 'superseded', 'expired'],
  changes_requested: ['rejected', 'superseded', 'expired'],
  approved: ['applied', 'rejected', 'superseded', 'expired'],
  applied: [],
  rejected: [],
  superseded: [],
  expired: [],
}

/** Whether a fix may go from one state to the other. A request for changes is answered by another fix, never by an approval of the same bytes. */
export const mayBecome = (from: FixState, to: FixState): boolean => LEAVES_TO[from].includes(to)

/** States in which a patch is no longer on offer: share links of it stop working. */
export const CLOSED_STATES = ['rejected', 'superseded', 'expired'] as const satisfies readonly FixState[]

/** States that a fix may be led to by a review now, in the order in which they are offered. */
export const reviewsOf = (state: FixState): ReviewState[] =>
  REVIEW_STATES.filter((to) => mayBecome(state, to))

/** Reads a stored state: one from a newer server stays as it is and leads nowhere. */
export const isFixState = (value: string): value is FixState =>
  (FIX_STATES as readonly string[]).includes(value)

/** What a proposer may say of where a patch came from. */
export const PROPOSED_ORIGINS = ['fixes-dir', 'stdout-artifact', 'upload'] as const
/** Where a proposal came from; a suggestion was made in the review room, of another proposal. */
export const FIX_ORIGINS = [...PROPOSED_ORIGINS, 'suggestion'] as const
export type FixOrigin = (typeof FIX_ORIGINS)[number]
