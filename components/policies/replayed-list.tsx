import { ArrowRight } from 'lucide-react'
import Link from 'next/link'
import type { PolicyReplay, ReplayedPair } from '@/lib/api/replay-schemas'
import { moveOf } from '@/lib/judge/decisions/move'
import { moveWords } from '@/lib/words/policies'
import { links } from '@/lib/links'
import { cn } from '../shared/ui/cn'
import { formatCount } from '../shared/format'
import { Outcome, outcomeWord } from '../shared/glyphs'
import { Time } from '../shared/time'
import { VisibleText } from '../shared/visible-text'
import { reasonWords, verdictsOf } from './words'

const GRID = 'md:grid md:grid-cols-[13rem_12rem_minmax(0,1fr)_6rem] md:items-center md:gap-x-4 md:px-3'

/** What flips, or what is in the open cell: both verdicts, their reasons and the cause; each row leads to its decision. */
export function ReplayedList({ replay, busy }: { replay: PolicyReplay; busy: boolean }) {
  const { listed, cell, from, to } = replay
  return (
    <div aria-busy={busy} className={cn('rounded border border-line bg-surface', busy && 'opacity-60')}>
      <div role="table" aria-label="Replayed executions" aria-rowcount={listed.items.length + 1}>
        <div role="rowgroup" className="hidden border-b border-line md:block">
          <div role="row" className={cn(GRID, 'h-8 text-sm text-ink-3')}>
            <span
              role="columnheader"
              className="truncate"
              title={`${cell?.matrix === 'stored' ? 'stored' : from} → ${to}`}
            >
              {cell?.matrix === 'stored' ? 'Stored' : from} → {to}
            </span>
            <span role="columnheader">Reason</span>
            <span role="columnheader">Cause</span>
            <span role="columnheader" className="text-right">
              Started
            </span>
          </div>
        </div>
        <div role="rowgroup" className="divide-y divide-line">
          {listed.items.map((pair) => (
            <Row key={pair.id} pair={pair} replay={replay} />
          ))}
        </div>
      </div>
      {listed.total > listed.items.length && (
        <p className="border-t border-line px-3 py-2 text-sm text-ink-2">
          Showing the newest {formatCount(listed.items.length)} of {formatCount(listed.total)}. Select a cell
          or filter to narrow the list.
        </p>
      )}
    </div>
  )
}

function Row({ pair, replay: { cell } }: { pair: ReplayedPair; replay: PolicyReplay }) {
  const [before, after] = verdictsOf(pair, cell)
  const { execution } = pair
  const move = moveOf(before.outcome, after.outcome)
  const title = execution.title ?? execution.externalId
  return (
    <div
      role="row"
      data-execution={pair.id}
      className={cn(
        GRID,
        'relative min-h-11 py-1.5 hover:bg-hover max-md:space-y-1 max-md:px-3 max-md:py-2.5',
      )}
    >
      <span role="cell" className="flex min-w-0 flex-wrap items-center gap-x-1.5">
        <Outcome outcome={before.outcome} size={14} />
        {move !== 'same' && (
          <>
            <ArrowRight size={12} className="shrink-0 text-ink-3" role="img" aria-label="becomes" />
            <Outcome outcome={after.outcome} size={14} />
          </>
        )}
        <span className="basis-full text-xs text-ink-3">
          {move === 'same' && before.retryReason !== after.retryReason ? 'different reason' : moveWords(move)}
        </span>
      </span>
      <span role="cell" className="block min-w-0 text-sm leading-4 text-ink-2">
        {before.retryReason === after.retryReason ? (
          reasonWords(before.retryReason)
        ) : (
          <>
            {reasonWords(before.retryReason)}{' '}
            <ArrowRight size={11} className="inline text-ink-3" role="img" aria-label="becomes" />{' '}
            {reasonWords(after.retryReason)}
          </>
        )}
      </span>
      <span role="cell" className="block min-w-0">
        <Link
          data-row
          href={links.decided(pair.id)}
          prefetch={false}
          title={execution.cause?.text ?? title}
          className={cn(
            'line-clamp-2 outline-none after:absolute after:inset-0 md:line-clamp-1',
            'focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent',
          )}
        >
          {execution.cause ? (
            <VisibleText text={flat(execution.cause.headline)} />
          ) : (
            <span className="text-ink-2">{outcomeWord(execution.outcome)}, no cause recorded</span>
          )}
        </Link>
        <span className="block truncate text-sm text-ink-3">
          <VisibleText text={flat(title)} />
        </span>
      </span>
      <span role="cell" className="block text-ink-2 md:text-right">
        <Time at={execution.startedAt} />
      </span>
    </div>
  )
}

const flat = (text: string): string => text.replaceAll('\n', ' · ').replace(/\s+/g, ' ').trim()
