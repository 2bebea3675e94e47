/** What becomes of a run between two verdicts. `same` is calm; `unknown` says that one of the two cannot be made. */
export type Move = 'same' | 'stops' | 'retries' | 'succeeds' | 'fails' | 'unknown' | 'other'

const isVerdict = (outcome: string): boolean => ['succeeded', 'retriable', 'failed'].includes(outcome)

export function moveOf(before: string, after: string): Move {
  if (before === after && after !== 'unknown') return 'same'
  if (after === 'unknown') return 'unknown'
  if (!isVerdict(before)) return 'other'
  return before === 'succeeded'
    ? 'fails'
    : after === 'succeeded'
      ? 'succeeds'
      : after === 'failed'
        ? 'stops'
        : after === 'retriable'
          ? 'retries'
          : 'other'
}
