/** What a policy does, in one line. */
const SAYS: Record<string, string> = {
  current:
    'Only output that is missing is tried again: a channel saw the end, so the text was lost on the way.',
  'pr-415': 'As current; the reason reads resume, as it did when the guard first looked at the content.',
  'legacy-promote-all':
    'Before the guard looked at the content: every failure that a channel confirmed is tried again.',
}
export const policySays = (policy: string): string => SAYS[policy] ?? ''

const MOVES: Record<string, string> = {
  same: 'the same',
  stops: 'not tried again any more',
  retries: 'now tried again',
  succeeds: 'now a success',
  fails: 'no success any more',
  unknown: 'cannot be replayed',
  other: 'told otherwise',
}
/** What becomes of a run between two verdicts. */
export const moveWords = (move: string): string => MOVES[move] ?? move
