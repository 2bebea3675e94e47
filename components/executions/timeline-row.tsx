'use client'

import { ChevronRight } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { failedChildOutcome } from '@/lib/views/calls/failed-child-outcome'
import { failureWords } from '@/lib/words/failures'
import { oddWords } from '@/lib/words/odd-records'
import { KindGlyph } from '../raw/kind-glyph'
import { cn } from '../shared/ui/cn'
import { formatAbsolute, formatDuration, plural } from '../shared/format'
import { CallGlyph, callWord, OutcomeGlyph, outcomeWord } from '../shared/glyphs'
import { VisibleText } from '../shared/visible-text'
import { TIMELINE_GRID } from './time-axis'
import type { TimeScale } from './time-scale'
import type { TimelineRow } from './timeline-model'
import { summaryWords } from '../execution-data/words'

const BARS: Record<string, string> = {
  succeeded: 'bg-good',
  failed: 'bg-bad',
  no_result: 'border border-dashed border-none',
}

export function TimelineRowView({
  row,
  index,
  height,
  top,
  scale,
  chosen,
  tabStop,
  onToggle,
  onChoose,
  onKey,
}: {
  row: TimelineRow
  index: number
  height: number
  top: number
  scale: TimeScale
  chosen: boolean
  tabStop: boolean
  onToggle: () => void
  onChoose: () => void
  onKey: (event: KeyboardEvent) => void
}) {
  const open = 'open' in row ? row.open : null
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-level={row.level}
      aria-expanded={open ?? undefined}
      aria-selected={chosen}
      tabIndex={tabStop ? 0 : -1}
      data-call={row.kind === 'call' ? row.call.callId : undefined}
      onClick={onChoose}
      onKeyDown={onKey}
      className={cn(
        TIMELINE_GRID,
        '[--indent:4px] md:[--indent:18px]',
        'absolute inset-x-0 cursor-pointer items-center px-4 hover:bg-hover md:px-6',
        'max-md:grid-rows-[1.625rem_minmax(0,1fr)] max-md:items-start max-md:border-b max-md:border-line',
        row.kind === 'turn' && 'border-t border-line bg-sunken',
        chosen && 'bg-selected shadow-[inset_2px_0_0_var(--accent)] hover:bg-selected',
      )}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      <div
        role="gridcell"
        className="flex min-w-0 items-center gap-1.5 max-md:h-full md:pr-4"
        style={{ paddingLeft: `calc(${row.level - 1} * var(--indent))` }}
      >
        <span
          aria-hidden
          onClick={(event) => {
            if (open !== null) {
              event.stopPropagation()
              onToggle()
            }
          }}
          className={cn(
            'grid size-5 shrink-0 place-items-center rounded text-ink-3',
            open !== null && 'hover:bg-line',
          )}
        >
          {open !== null && <ChevronRight size={14} className={open ? 'rotate-90' : ''} />}
        </span>
        <Label row={row} />
      </div>
      <div role="gridcell" className="relative h-full max-md:mx-1.5">
        {scale.cuts.map((cut) => (
          <span
            key={cut.from}
            aria-hidden
            className="absolute inset-y-0 bg-[repeating-linear-gradient(135deg,var(--line)_0_2px,transparent_2px_5px)]"
            style={{ left: `${cut.from * 100}%`, width: `${(cut.to - cut.from) * 100}%` }}
          />
        ))}
        <Bar row={row} scale={scale} />
      </div>
    </div>
  )
}

function Label({ row }: { row: TimelineRow }) {
  if (row.kind === 'turn') {
    return (
      <>
        <span className="min-w-0 truncate font-medium">
          {row.event ? (
            <VisibleText text={row.event.summary} />
          ) : row.prompted ? (
            'Before the first prompt'
          ) : (
            'The run'
          )}
        </span>
        {row.calls > 0 && (
          <span className="ml-auto shrink-0 text-sm text-ink-3">
            {plural(row.calls, 'call')}
            {row.failed > 0 && <span className="text-bad">, {row.failed} failed</span>}
          </span>
        )}
      </>
    )
  }
  if (row.kind === 'note') {
    const { text, code } = summaryWords(row.event)
    return (
      <>
        <KindGlyph kind={row.event.kind} failed={row.event.failed} />
        <span
          title={code ?? undefined}
          className={cn(
            'min-w-0 truncate',
            row.event.oddReason ? 'text-warn' : row.event.failed ? '' : 'text-ink-2',
          )}
        >
          <VisibleText text={text} />
        </span>
        {row.event.oddReason !== null && row.event.summary !== '' && (
          <span className="ml-auto shrink-0 text-sm text-warn" title={row.event.oddDetail ?? undefined}>
            {oddWords(row.event.oddReason)}
          </span>
        )}
      </>
    )
  }
  const { call } = row
  const childOutcome = failedChildOutcome(call)
  return (
    <>
      {childOutcome === null ? (
        <CallGlyph state={call.state} label size={14} />
      ) : (
        <OutcomeGlyph outcome={childOutcome} label size={14} />
      )}
      <span className="max-w-[50%] shrink-0 truncate font-medium">
        <VisibleText text={call.tool} />
      </span>
      <span className="min-w-0 truncate font-mono text-sm text-ink-2" title={call.target ?? undefined}>
        {call.target !== null && <VisibleText text={call.target.replace(/\s+/g, ' ')} />}
      </span>
      {row.open === false && <span className="shrink-0 text-sm text-ink-3">sub-agent</span>}
      {childOutcome !== null && (
        <span className="ml-auto shrink-0 text-sm text-warn max-xl:hidden">
          says ok, own run {outcomeWord(childOutcome).toLowerCase()}
        </span>
      )}
      {call.failureClass && (
        <span className="ml-auto shrink-0 text-sm text-bad max-xl:hidden">{failureWords(call)}</span>
      )}
    </>
  )
}

function Bar({ row, scale }: { row: TimelineRow; scale: TimeScale }) {
  if (!row.stretch) return null
  const { from, to } = row.stretch
  const left = scale.place(from) * 100
  const width = (scale.place(to) - scale.place(from)) * 100
  const ms = to - from
  const words = `${formatAbsolute(from, true)}${ms > 0 ? `, ${formatDuration(ms)}` : ''}`
  if (row.kind === 'note') {
    return (
      <svg
        role="img"
        aria-label={words}
        viewBox="0 0 10 10"
        className={cn(
          'absolute top-1/2 size-2.5 -translate-x-1/2 -translate-y-1/2',
          row.event.failed ? 'text-bad' : 'text-control',
        )}
        style={{ left: `${left}%` }}
      >
        <title>{words}</title>
        <path d="m5 1 4 4-4 4-4-4z" fill="none" stroke="currentColor" strokeWidth="1.6" />
      </svg>
    )
  }
  if (row.kind === 'turn')
    return (
      <span
        title={words}
        className="absolute top-1/2 h-1 -translate-y-1/2 rounded-full bg-line-strong"
        style={{ left: `${left}%`, width: `max(4px, ${width}%)` }}
      />
    )
  // Where the bar leaves room on neither side its length is inside of it.
  const beyond = left + width > 78
  const inside = beyond && left < 12
  return (
    <>
      <span
        role="img"
        aria-label={`${callWord(row.call.state)}, ${words}`}
        title={words}
        className={cn('absolute top-1/2 h-3 -translate-y-1/2 rounded-sm', BARS[row.call.state] ?? 'bg-none')}
        style={{ left: `min(${left}%, calc(100% - 4px))`, width: `max(4px, ${width}%)` }}
      />
      {ms > 0 && (
        <span
          aria-hidden
          className={cn(
            'absolute top-1/2 -translate-y-1/2 px-1.5 text-xs whitespace-nowrap text-ink-3',
            beyond && '-translate-x-full',
            inside && 'rounded-sm bg-surface px-1 text-ink-2',
          )}
          style={{ left: inside ? `calc(${left + width}% - 4px)` : `${beyond ? left : left + width}%` }}
        >
          {formatDuration(ms)}
        </span>
      )}
    </>
  )
}
