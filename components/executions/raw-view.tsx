'use client'

import { useQuery } from '@tanstack/react-query'
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { EventItem, ExecutionDetail } from '@/lib/api/schemas'
import { formatAt, parseAt } from '@/lib/links'
import { useFragment } from '../raw/use-fragment'
import { PartList } from '../raw/part-list'
import { RECORD_FILTERS, RecordList } from '../raw/record-list'
import { RecordPane } from '../raw/record-pane'
import { isRedacted, redactionIndex } from '../raw/redactions'
import { asProblem } from '../shared/get-json'
import { useKeys } from '../shared/keys'
import { ProblemNotice } from '../shared/problem-notice'
import { executionQueries } from '../execution-data/queries'
import type { ViewState } from '../execution-data/view-state'

/** The kept bytes: every record as a row, the chosen one at its exact place, with the range that a sentence pointed at. */
export function RawView({ execution, state }: { execution: ExecutionDetail; state: ViewState }) {
  const events = useQuery(executionQueries.events(execution.id))
  const parts = useQuery(executionQueries.parts(execution.id))
  const [{ show, find }, setList] = useQueryStates({
    show: parseAsStringLiteral(RECORD_FILTERS).withDefault('all'),
    find: parseAsString.withDefault(''),
  })
  const fragment = useFragment()
  const redactions = useMemo(() => redactionIndex(parts.data?.items ?? []), [parts.data])
  const at = useMemo(() => parseAt(state.at), [state.at])

  const all = useMemo(() => events.data?.items ?? [], [events.data])
  const shown = useMemo(() => {
    const words = find.trim().toLowerCase()
    return all.filter(
      (event) =>
        (show === 'all' ||
          (show === 'odd' && event.oddReason !== null) ||
          (show === 'failed' && event.failed) ||
          (show === 'redacted' && isRedacted(redactions, event.pointer))) &&
        (words === '' ||
          [event.summary, event.type, ...event.callIds, ...event.resultCallIds].some((text) =>
            text.toLowerCase().includes(words),
          )),
    )
  }, [all, show, find, redactions])

  const holder = useMemo(() => (at === null ? undefined : all.find((event) => holds(event, at))), [all, at])
  const choose = (event: EventItem | undefined): void => {
    if (!event) return
    if (window.location.hash !== '')
      window.history.replaceState(null, '', window.location.pathname + window.location.search)
    state.setAt(formatAt(event.pointer))
  }
  const place = holder === undefined ? -1 : shown.indexOf(holder)
  const step = (by: number): void =>
    choose(shown[place < 0 ? 0 : Math.min(shown.length - 1, Math.max(0, place + by))])
  useKeys({
    j: () => step(1),
    ArrowDown: () => step(1),
    k: () => step(-1),
    ArrowUp: () => step(-1),
    '/': () => document.querySelector<HTMLElement>('#find-records')?.focus(),
  })

  const known = all.length > 0
  // Both panes scroll by themselves and fill what is left of the window, however many banners are above.
  const panes = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState<string | null>(null)
  useLayoutEffect(() => {
    const fit = (): void => {
      const top = (panes.current?.getBoundingClientRect().top ?? 0) + window.scrollY
      setHeight(
        window.matchMedia('(min-width: 72rem)').matches ? `calc(100dvh - ${Math.round(top)}px)` : null,
      )
    }
    fit()
    window.addEventListener('resize', fit)
    return () => window.removeEventListener('resize', fit)
  }, [execution.odd, execution.redactions, parts.data, known])

  // A pointer without a place means the first record, as links of other programs write it.
  useEffect(() => {
    if (state.at === null && fragment !== null && all.length > 0) state.setAt(formatAt(all[0]!.pointer))
  }, [state, fragment, all])

  return (
    <div>
      {state.at !== null && at === null && (
        <p role="status" className="border-b border-line bg-sunken px-4 py-1.5 text-sm text-ink-2 md:px-6">
          Invalid location in the URL. Showing all records.
        </p>
      )}
      <PartList parts={parts.data?.items ?? null} problem={parts.error ? asProblem(parts.error) : null} />
      {events.isError && all.length === 0 ? (
        <ProblemNotice problem={asProblem(events.error)} onRetry={() => void events.refetch()} />
      ) : (
        <div
          ref={panes}
          className="lg:grid lg:min-h-[28rem] lg:grid-cols-[minmax(22rem,2fr)_minmax(0,3fr)]"
          style={height === null ? undefined : { height }}
        >
          <RecordList
            events={shown}
            total={execution.counts.records}
            read={all.length}
            loading={events.isFetching && !events.data?.complete}
            chosen={holder}
            show={show}
            find={find}
            redacted={(event) => isRedacted(redactions, event.pointer)}
            onShow={(next) => void setList({ show: next })}
            onFind={(next) => void setList({ find: next || null })}
            onChoose={choose}
          />
          {at === null ? (
            <p className="hidden place-content-center border-l border-line text-ink-3 lg:grid">
              Select a record to view it
            </p>
          ) : (
            <RecordPane
              key={state.at}
              at={at}
              event={holder}
              part={parts.data?.items.find((part) => part.received === at.received)}
              jsonPointer={fragment}
              redactions={redactions.get(at.received) ?? []}
              onClose={() => state.setAt(null)}
            />
          )}
        </div>
      )}
    </div>
  )
}

const holds = (event: EventItem, at: { received: string; byteStart: number; byteEnd: number }): boolean =>
  event.pointer.received === at.received &&
  event.pointer.byteStart <= at.byteStart &&
  event.pointer.byteEnd >= at.byteEnd
