'use client'

import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { CallItem } from '@/lib/api/schemas'
import { failedChildOutcome } from '@/lib/views/calls/failed-child-outcome'
import { failureWords } from '@/lib/words/failures'
import { cn } from '../shared/ui/cn'
import { formatCount, formatDuration } from '../shared/format'
import { CallGlyph, callWord, OutcomeGlyph, outcomeWord } from '../shared/glyphs'
import { ExactTime } from '../shared/time'
import { VisibleText } from '../shared/visible-text'

const STATES = ['all', 'failed', 'no_result', 'succeeded'] as const
const STATE_WORDS = { all: 'All', failed: 'Failed', no_result: 'No result', succeeded: 'Succeeded' } as const
const GRID = cn(
  'grid gap-x-4 grid-cols-[2.5rem_6.5rem_minmax(0,1fr)] @2xl:grid-cols-[2.5rem_6.5rem_7rem_minmax(0,1fr)_9rem_5rem]',
  '@4xl:grid-cols-[2.5rem_6.5rem_9rem_minmax(0,1fr)_10rem_5rem_11.5rem]',
)

/** Every call in order. Failed ones can be looked at alone. */
export function CallTable({
  calls,
  selected,
  onSelect,
}: {
  calls: CallItem[]
  selected: string | null
  onSelect: (callId: string) => void
}) {
  const [state, setState] = useQueryState('calls', parseAsStringLiteral(STATES).withDefault('all'))
  const [words, setWords] = useState('')
  const body = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const shown = useMemo(() => {
    const needle = words.trim().toLowerCase()
    return calls.filter(
      (call) =>
        (state === 'all' || call.state === state) &&
        (needle === '' ||
          [call.tool, call.target, call.errorText, call.callId, call.failureClass].some((text) =>
            text?.toLowerCase().includes(needle),
          )),
    )
  }, [calls, state, words])
  const rows = useWindowVirtualizer({
    count: shown.length,
    estimateSize: () => 36,
    overscan: 15,
    scrollMargin: top,
    getItemKey: (index) => shown[index]!.callId,
    scrollPaddingStart: 100,
    scrollPaddingEnd: 60,
  })
  useEffect(
    () => setTop(body.current ? body.current.getBoundingClientRect().top + window.scrollY : 0),
    [shown.length],
  )
  const at = shown.findIndex((call) => call.callId === selected)
  useEffect(() => {
    if (at >= 0 && !document.querySelector('li [data-call][aria-pressed=true]'))
      rows.scrollToIndex(at, { align: 'auto' })
  }, [at, rows])

  return (
    <section aria-labelledby="calls">
      <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id="calls" className="text-md font-semibold">
          Calls
        </h2>
        <div role="group" aria-label="Which calls" className="flex rounded border border-line p-0.5">
          {STATES.map((name) => {
            const count = name === 'all' ? calls.length : calls.filter((call) => call.state === name).length
            return (
              <button
                key={name}
                type="button"
                aria-pressed={state === name}
                onClick={() => void setState(name)}
                className={cn(
                  'rounded-sm px-2 py-0.5 text-ink-2 hover:text-ink',
                  state === name && 'bg-hover font-medium text-ink',
                )}
              >
                {STATE_WORDS[name]}{' '}
                <span className="text-sm font-normal text-ink-3">{formatCount(count)}</span>
              </button>
            )
          })}
        </div>
        <input
          type="search"
          value={words}
          onChange={(event) => setWords(event.target.value)}
          aria-label="Find in calls"
          placeholder="Tool, target, error text"
          className="h-8 min-w-0 flex-1 rounded border border-control bg-surface px-2.5 placeholder:text-ink-3 md:max-w-72"
        />
      </div>
      {shown.length === 0 ? (
        <p className="rounded border border-line px-4 py-6 text-center text-ink-2">
          {calls.length === 0 ? 'No tool calls.' : 'No matching calls. '}
          {calls.length > 0 && (
            <button
              type="button"
              className="link"
              onClick={() => {
                setWords('')
                void setState('all')
              }}
            >
              Show all calls
            </button>
          )}
        </p>
      ) : (
        <div
          role="table"
          aria-label="Calls"
          aria-rowcount={shown.length + 1}
          className="@container rounded border border-line bg-surface"
        >
          <div role="rowgroup">
            <div
              role="row"
              aria-rowindex={1}
              className={`${GRID} h-8 items-center border-b border-line px-3 text-sm text-ink-3`}
            >
              <span role="columnheader">No.</span>
              <span role="columnheader">State</span>
              <span role="columnheader" className="hidden @2xl:block">
                Tool
              </span>
              <span role="columnheader">Target</span>
              <span role="columnheader" className="hidden @2xl:block">
                Failure class
              </span>
              <span role="columnheader" className="hidden text-right @2xl:block">
                Took
              </span>
              <span role="columnheader" className="hidden text-right @4xl:block">
                Started
              </span>
            </div>
          </div>
          <div role="rowgroup" ref={body} className="relative" style={{ height: rows.getTotalSize() }}>
            {rows.getVirtualItems().map((row) => {
              const call = shown[row.index]!
              return (
                <div
                  key={row.key}
                  role="row"
                  aria-rowindex={row.index + 2}
                  aria-selected={call.callId === selected}
                  className={cn(
                    GRID,
                    'absolute inset-x-0 h-9 items-center border-b border-line px-3 hover:bg-hover',
                    call.callId === selected && 'bg-selected hover:bg-selected',
                  )}
                  style={{ transform: `translateY(${row.start - rows.options.scrollMargin}px)` }}
                >
                  <span role="cell" className="text-ink-3">
                    {formatCount(call.ordinal + 1)}
                  </span>
                  <span role="cell" className="flex items-center gap-1.5 whitespace-nowrap">
                    <CallStateWords call={call} />
                  </span>
                  <span role="cell" className="hidden truncate font-medium @2xl:block">
                    <VisibleText text={call.tool} />
                  </span>
                  <span role="cell" className="min-w-0">
                    <button
                      type="button"
                      data-call={call.callId}
                      onClick={() => onSelect(call.callId)}
                      title={call.target ?? undefined}
                      className="block w-full truncate text-left font-mono text-sm after:absolute after:inset-0"
                    >
                      <span className="font-sans font-medium @2xl:hidden">
                        <VisibleText text={call.tool} />{' '}
                      </span>
                      {call.target === null ? (
                        <span className="font-sans text-ink-3">no target</span>
                      ) : (
                        <VisibleText text={call.target.replace(/\s+/g, ' ')} />
                      )}
                    </button>
                  </span>
                  <span role="cell" className="hidden truncate text-ink-2 @2xl:block">
                    {failureWords(call)}
                  </span>
                  <span role="cell" className="hidden text-right whitespace-nowrap text-ink-2 @2xl:block">
                    {call.durationMs === null ? '–' : formatDuration(call.durationMs)}
                  </span>
                  <span
                    role="cell"
                    className="hidden text-right text-sm whitespace-nowrap text-ink-2 @4xl:block"
                  >
                    <ExactTime at={call.startedAt} />
                  </span>
                </div>
              )
            })}
          </div>
        </div>
      )}
    </section>
  )
}

/** A call that succeeded but started something that did not: show both. */
function CallStateWords({ call }: { call: CallItem }) {
  const childOutcome = failedChildOutcome(call)
  if (childOutcome === null)
    return (
      <>
        <CallGlyph state={call.state} size={14} /> {callWord(call.state)}
      </>
    )
  return (
    <span
      title={`The call reports ok, but what it started did not succeed: ${outcomeWord(childOutcome).toLowerCase()}`}
      className="inline-flex items-center gap-1.5"
    >
      <OutcomeGlyph outcome={childOutcome} size={14} /> {outcomeWord(childOutcome)} own run
    </span>
  )
}
