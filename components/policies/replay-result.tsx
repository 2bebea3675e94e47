import { useId } from 'react'
import type { PolicyReplay } from '@/lib/api/replay-schemas'
import type { Cell } from '@/lib/judge/decisions/replay-cell'
import { cn } from '../shared/ui/cn'
import { formatCount, plural } from '../shared/format'
import { outcomeWord } from '../shared/glyphs'
import { PolicyMatrix } from './policy-matrix'
import { ReplayedList } from './replayed-list'
import { ReplaySummary } from './replay-summary'
import { UnaskedSection } from './unrequested-section'
import { cellWords, changesSentence } from './words'

/** The answer: counts, both pictures, what flips, and the attempts that could not have helped. */
export function ReplayResult({
  replay,
  soFar,
  stale,
  chosen,
  onChoose,
}: {
  replay: PolicyReplay
  /** Only the newest are in it yet. */
  soFar: boolean
  /** It answers the question before this one. */
  stale: boolean
  chosen: Cell | null
  onChoose: (cell: Cell | null) => void
}) {
  const id = useId()
  const { from, to, cell, listed, needless, helped } = replay
  return (
    <div className="space-y-6">
      <p role="status" className="sr-only">
        {stale ? 'Replaying' : soFar ? 'The newest are replayed. The rest is loading' : ''}
      </p>
      <div className={cn('space-y-4', stale && 'opacity-60')}>
        <ReplaySummary replay={replay} soFar={soFar} />
        <div className="grid gap-4 lg:grid-cols-2">
          <PolicyMatrix
            name="policies"
            title={from === to ? `${to} compared with itself` : `From ${from} to ${to}`}
            sentence={changesSentence(replay)}
            rowsAre={`under ${from}`}
            columnsAre={`under ${to}`}
            matrix={replay.matrix}
            otherReason={replay.otherReason}
            chosen={chosen}
            onChoose={onChoose}
          />
          <PolicyMatrix
            name="stored"
            title="Stored and recomputed"
            sentence={storedSentence(replay)}
            rowsAre="stored"
            columnsAre={`under ${to}`}
            matrix={replay.stored}
            chosen={chosen}
            onChoose={onChoose}
          />
        </div>
      </div>
      <section id="listed" aria-labelledby={id} className="scroll-mt-32 space-y-2">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h2 id={id} className="text-md font-semibold">
            {cell === null ? 'Changed decisions' : cellWords(cell, replay)}
          </h2>
          <span className="text-ink-2">{plural(listed.total, 'execution')}</span>
          {chosen !== null && (
            <button type="button" onClick={() => onChoose(null)} className="link">
              Show all changed decisions
            </button>
          )}
        </div>
        {listed.total === 0 ? (
          <p className="text-ink-2">
            {cell === null
              ? `${from} and ${to} agree on every replayed execution.`
              : 'No executions in this cell.'}
          </p>
        ) : (
          <ReplayedList replay={replay} busy={stale} />
        )}
      </section>
      {needless.attempts > 0 && (
        <UnaskedSection
          kind="needless"
          title="Needless attempts"
          lead={`${to} would not have retried, and no success followed.`}
          policy={to}
          unrequested={needless}
        />
      )}
      {helped.attempts > 0 && (
        <UnaskedSection
          kind="helped"
          title="Retries this policy would have missed"
          lead={`${to} would not have retried, but a success followed.`}
          policy={to}
          unrequested={helped}
        />
      )}
    </div>
  )
}

/** How far the stored outcomes are those of the policy. */
function storedSentence({ stored, replayable, to }: PolicyReplay): string {
  const agree = Object.entries(stored).reduce(
    (n, [outcome, cells]) => n + (outcome === 'unknown' ? 0 : (cells[outcome] ?? 0)),
    0,
  )
  if (agree === replayable) return `${to} agrees with every stored outcome.`
  const differ = Object.entries(stored)
    .flatMap(([row, cells]) => Object.entries(cells).map(([column, n]) => ({ row, column, n })))
    .filter(({ row, column }) => row !== column && column !== 'unknown')
    .sort((a, b) => b.n - a.n)[0]
  const most = differ
    ? `, most often ${outcomeWord(differ.row).toLowerCase()} → ${outcomeWord(differ.column).toLowerCase()} (${formatCount(differ.n)})`
    : ''
  return `${to} differs from the stored outcome in ${formatCount(replayable - agree)} of ${formatCount(replayable)}${most}.`
}
