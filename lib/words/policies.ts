/** What a policy does, in one line. */
const SAYS: Record<string, string> = {
  current: 'Retries only lost output: a channel saw the end, but the result is missing.',
  'pr-415': 'Same as current, but the retry reason is “resume”.',
  'legacy-promote-all': 'Retries every failure that a channel confirmed, whatever the result.',
}
export const policySays = (policy: string): string => SAYS[policy] ?? ''

const MOVES: Record<string, string> = {
  same: 'the same',
  stops: 'no longer retried',
  retries: 'now retried',
  succeeds: 'now successful',
  fails: 'no longer successful',
  unknown: 'cannot be replayed',
  other: 'other',
}
/** What becomes of a run between two verdicts. */
export const moveWords = (move: string): string => MOVES[move] ?? move
