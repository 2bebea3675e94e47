'use client'

import { useVirtualizer } from '@tanstack/react-virtual'
import { EyeOff, ShieldQuestion } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { oddWords } from '@/lib/words/odd-records'
import type { EventItem } from '@/lib/api/schemas'
import { summaryWords } from '../execution-data/words'
import { cn } from '../shared/ui/cn'
import { formatClock, formatCount } from '../shared/format'
import { VisibleText } from '../shared/visible-text'
import { KindGlyph } from './kind-glyph'

export const RECORD_FILTERS = ['all', 'failed', 'odd', 'redacted'] as const
export type RecordFilter = (typeof RECORD_FILTERS)[number]
const FILTER_WORDS: Record<RecordFilter, string> = {
  all: 'All',
  failed: 'Failed',
  odd: 'Odd',
  redacted: 'Redacted',
}

/** One row for each record, in the order of the analysis. What is odd or redacted says so in its row. */
export function RecordList({
  events,
  total,
  read,
  loading,
  chosen,
  show,
  find,
  redacted,
  onShow,
  onFind,
  onChoose,
}: {
  events: EventItem[]
  total: number
  read: number
  loading: boolean
  chosen: EventItem | undefined
  show: RecordFilter
  find: string
  redacted: (event: EventItem) => boolean
  onShow: (show: RecordFilter) => void
  onFind: (find: string) => void
  onChoose: (event: EventItem) => void
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: events.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 28,
    overscan: 20,
    getItemKey: (index) => `${events[index]!.streamId} ${events[index]!.offset}`,
  })
  const at = chosen ? events.indexOf(chosen) : -1
  useEffect(() => {
    if (at >= 0) rows.scrollToIndex(at, { align: 'auto' })
  }, [at, rows])
  return (
    <section aria-label="Records" className="flex min-h-0 min-w-0 flex-col max-lg:h-[70dvh]">
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-1.5">
        <div role="group" aria-label="Which records" className="flex rounded border border-line p-0.5">
          {RECORD_FILTERS.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={show === name}
              onClick={() => onShow(name)}
              className={cn(
                'rounded-sm px-2 py-0.5 text-ink-2 hover:text-ink',
                show === name && 'bg-hover font-medium text-ink',
              )}
            >
              {FILTER_WORDS[name]}
            </button>
          ))}
        </div>
        <input
          id="find-records"
          type="search"
          value={find}
          onChange={(event) => onFind(event.target.value)}
          aria-label="Find in records"
          placeholder="Find in records (/)"
          className={cn(
            'h-7 min-w-0 flex-1 rounded border border-control bg-surface px-2 placeholder:text-ink-3',
            'max-sm:order-last max-sm:basis-full',
          )}
        />
        <span className="text-sm text-ink-3 max-sm:ml-auto">
          {loading && read < total
            ? `${formatCount(read)} of ${formatCount(total)} read`
            : events.length === read
              ? `${formatCount(read)} records`
              : `${formatCount(events.length)} of ${formatCount(read)}`}
        </span>
      </div>
      <div ref={scroller} className="min-h-0 flex-1 overflow-auto">
        {events.length === 0 && !loading && (
          <p className="px-4 py-8 text-center text-ink-2">
            {read === 0 ? 'No records yet.' : 'No matching records. '}
            {read > 0 && (
              <button
                type="button"
                className="link"
                onClick={() => {
                  onShow('all')
                  onFind('')
                }}
              >
                Show all records
              </button>
            )}
          </p>
        )}
        <div role="listbox" aria-label="Records" className="relative" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((row) => {
            const event = events[row.index]!
            const isChosen = event === chosen
            return (
              <div
                key={row.key}
                role="option"
                aria-selected={isChosen}
                aria-setsize={events.length}
                aria-posinset={row.index + 1}
                tabIndex={isChosen || (at < 0 && row.index === 0) ? 0 : -1}
                onClick={() => onChoose(event)}
                onKeyDown={(key) => key.key === 'Enter' && onChoose(event)}
                className={cn(
                  'absolute inset-x-0 flex h-7 cursor-pointer items-center gap-2 px-3 hover:bg-hover',
                  isChosen && 'bg-selected shadow-[inset_2px_0_0_var(--accent)] hover:bg-selected',
                )}
                style={{ transform: `translateY(${row.start}px)` }}
              >
                <span className="w-10 shrink-0 text-right text-sm text-ink-3">
                  {formatCount(event.ordinal + 1)}
                </span>
                <KindGlyph kind={event.kind} failed={event.failed} />
                <Summary event={event} />
                {event.oddReason !== null && (
                  <span
                    className="inline-flex shrink-0 items-center gap-1 text-sm text-warn"
                    title={event.oddDetail ?? undefined}
                  >
                    <ShieldQuestion size={13} aria-hidden /> {oddWords(event.oddReason)}
                  </span>
                )}
                {redacted(event) && (
                  <span className="inline-flex shrink-0 items-center gap-1 text-sm text-ink-2">
                    <EyeOff size={13} aria-hidden />
                    <span className="max-xl:sr-only">redacted</span>
                  </span>
                )}
                <span className="shrink-0 text-sm text-ink-3 max-xl:hidden">
                  {event.at === null ? '' : formatClock(Date.parse(event.at))}
                </span>
              </div>
            )
          })}
        </div>
      </div>
    </section>
  )
}

function Summary({ event }: { event: EventItem }) {
  const { text, code } = summaryWords(event)
  return (
    <span className="min-w-0 flex-1 truncate" title={[event.type, code].filter(Boolean).join(' · ')}>
      <VisibleText text={text} />
    </span>
  )
}
