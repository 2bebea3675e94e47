import type { PolicyReplay, ReplayedPair, UnrequestedAttempts } from '@/lib/api/replay-schemas'
import { moveOf } from '@/lib/judge/decisions/move'
import { moveWords } from '@/lib/words/policies'
import type { Cell } from '@/lib/judge/decisions/replay-cell'
import { retryReasonWords } from '@/lib/words/decision-values'
import { formatCost, formatCount, formatDuration, plural } from '../shared/format'
import { outcomeWord } from '../shared/glyphs'

/** Why another attempt is made, or is not. */
export const reasonWords = (reason: string): string =>
  reason === 'none' ? 'no retry' : reason === 'unknown' ? 'reason unknown' : retryReasonWords(reason)

/** `10,000+` where there are more than were replayed. */
export const totalWords = ({ total, totalCapped }: Pick<PolicyReplay, 'total' | 'totalCapped'>): string =>
  `${formatCount(total)}${totalCapped ? '+' : ''}`

/** Why executions of the filter could not be replayed, a sentence for each reason; empty when all were. */
export function lackingSentences({
  total,
  replayable,
  unsearchable,
}: Pick<PolicyReplay, 'total' | 'replayable' | 'unsearchable'>): string[] {
  const bare = total - replayable - unsearchable
  return [
    ...(bare > 0
      ? [
          `${formatCount(bare)} not replayed: inputs of the rules are missing, or the agent itself declared the failure.`,
        ]
      : []),
    ...(unsearchable > 0
      ? [
          `${formatCount(unsearchable)} not replayed: ${unsearchable === 1 ? 'it expects' : 'they expect'} a pattern that cannot be searched here.`,
        ]
      : []),
  ]
}

/** How a cell reads: "Retriable under legacy-promote-all, failed under current". */
export function cellWords(
  { matrix, row, column }: Cell,
  { from, to }: Pick<PolicyReplay, 'from' | 'to'>,
): string {
  const before =
    matrix === 'stored' ? `Stored as ${outcomeWord(row).toLowerCase()}` : `${outcomeWord(row)} under ${from}`
  return `${before}, ${column === 'unknown' ? 'cannot be replayed' : `${outcomeWord(column).toLowerCase()} under ${to}`}`
}

/** The verdicts of a row of the list, from left to right. */
export function verdictsOf(pair: ReplayedPair, cell: Cell | null): [before: Verdict, after: Verdict] {
  const stored = { outcome: pair.stored, retryReason: pair.execution.retryReason }
  const unknown = { outcome: 'unknown', retryReason: 'unknown' }
  return [cell?.matrix === 'stored' ? stored : (pair.from ?? unknown), pair.to ?? unknown]
}
interface Verdict {
  outcome: string
  retryReason: string
}

/** What the attempts took together; where it is not known of all of them, of how many it is. */
export function spentWords(
  sum: Pick<
    UnrequestedAttempts,
    'attempts' | 'durationMs' | 'timed' | 'inputTokens' | 'outputTokens' | 'costUsd' | 'costed'
  >,
): string[] {
  const of = (known: number): string => (known < sum.attempts ? ` (${formatCount(known)} known)` : '')
  const tokens = sum.inputTokens + sum.outputTokens
  return [
    sum.timed === 0 ? 'time unknown' : `${formatDuration(sum.durationMs)}${of(sum.timed)}`,
    tokens === 0 ? 'tokens unknown' : plural(tokens, 'token'),
    sum.costUsd === null ? 'cost unknown' : `${formatCost(sum.costUsd)}${of(sum.costed)}`,
  ]
}

/** The picture of two policies as one sentence. */
export function changesSentence({
  matrix,
  otherReason,
  replayable,
}: Pick<PolicyReplay, 'matrix' | 'otherReason' | 'replayable'>): string {
  const moves = new Map<string, number>()
  for (const [row, columns] of Object.entries(matrix))
    for (const [column, n] of Object.entries(columns)) {
      const move = moveOf(row, column)
      if (move !== 'same') moves.set(moveWords(move), (moves.get(moveWords(move)) ?? 0) + n)
    }
  const changed = sum([...moves.values()])
  const reasons = sum(Object.values(otherReason))
  const each = [...moves]
    .sort((a, b) => b[1] - a[1])
    .map(([words, n]) => (moves.size === 1 ? words : `${formatCount(n)} ${words}`))
  const outcomes =
    changed === 0
      ? 'No outcome changes'
      : `${formatCount(changed)} of ${formatCount(replayable)} change outcome (${each.join(', ')})`
  return `${outcomes}${reasons === 0 ? '' : `; ${formatCount(reasons)} ${reasons === 1 ? 'changes' : 'change'} only the reason`}.`
}

const sum = (numbers: number[]): number => numbers.reduce((a, b) => a + b, 0)
