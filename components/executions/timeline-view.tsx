'use client'

import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { parseAsBoolean, parseAsString, useQueryStates } from 'nuqs'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { CallItem, ExecutionDetail } from '@/lib/api/schemas'
import { formatAt } from '@/lib/links'
import { CallPanel } from '../calls/call-panel'
import { asProblem } from '../shared/get-json'
import { ProblemNotice } from '../shared/problem-notice'
import { useNarrow } from '../shared/use-narrow'
import { executionQueries } from '../execution-data/queries'
import { timeScale } from './time-scale'
import { RecordPanel } from './record-panel'
import { TimeAxis } from './time-axis'
import { buildTurns, timelineRows, type TimelineRow } from './timeline-model'
import { TimelineRowView } from './timeline-row'
import type { ViewState } from '../execution-data/view-state'

/** Idle for longer than this is drawn narrow. */
const IDLE_MS = 60_000
/** Where there is no room beside the label, the bar is below it. */
const ROW_PX = { wide: 28, narrow: 44 }

/** A tree of turns, calls and remarkable records with bars on a common axis. Payload is read when a row is chosen. */
export function TimelineView({
  execution,
  callsQuery,
  state,
}: {
  execution: ExecutionDetail
  callsQuery: UseQueryResult<CallItem[]>
  state: ViewState
}) {
  const events = useQuery(executionQueries.events(execution.id))
  const [{ every, linear, open: openText }, setLook] = useQueryStates({
    every: parseAsBoolean.withDefault(false),
    linear: parseAsBoolean.withDefault(false),
    open: parseAsString.withDefault(''),
  })
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const openChildren = useMemo(() => new Set(openText.split(',').filter(Boolean)), [openText])
  const childQueries = useQueries({ queries: [...openChildren].map((id) => executionQueries.calls(id)) })
  const children = useMemo(
    () => new Map([...openChildren].map((id, index) => [id, childQueries[index]?.data ?? []])),
    // The results are new objects each time; what they hold only changes with their time of reading.
    [openText, childQueries.map((query) => query.dataUpdatedAt).join()],
  )
  const turns = useMemo(
    () => buildTurns(events.data?.items ?? [], callsQuery.data ?? [], every),
    [events.data, callsQuery.data, every],
  )
  const rows = useMemo(
    () => timelineRows(turns, closed, openChildren, children),
    [turns, closed, openChildren, children],
  )
  const scale = useMemo(
    () =>
      timeScale(
        timelineRows(turns, new Set(), openChildren, children).flatMap((row) =>
          row.kind !== 'turn' && row.stretch ? [row.stretch] : [],
        ),
        linear ? Infinity : IDLE_MS,
      ),
    [turns, openChildren, children, linear],
  )

  const body = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const rowPx = useNarrow() ? ROW_PX.narrow : ROW_PX.wide
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowPx,
    overscan: 20,
    scrollMargin: top,
    getItemKey: (index) => rows[index]!.key,
    scrollPaddingStart: 130,
    scrollPaddingEnd: 60,
  })
  useEffect(() => virtual.measure(), [rowPx, virtual])
  // Before both have come there is no list whose place could be read.
  const ready = events.data !== undefined && callsQuery.data !== undefined
  useEffect(
    () => setTop(body.current ? body.current.getBoundingClientRect().top + window.scrollY : 0),
    [ready],
  )

  const isChosen = (row: TimelineRow): boolean =>
    row.kind === 'call'
      ? row.call.callId === state.call
      : row.event !== null && formatAt(row.event.pointer) === state.at && state.call === null
  const at = rows.findIndex(isChosen)
  const [tabStop, setTabStop] = useState(0)
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' })
  }, [at, top, virtual])

  const toggle = (row: TimelineRow): void => {
    if (row.kind === 'turn') setClosed((before) => flip(before, row.key))
    else if (row.kind === 'call' && row.open !== null)
      void setLook({ open: [...flip(openChildren, row.call.childId!)].join(',') || null })
  }
  const choose = (row: TimelineRow): void => {
    if (row.kind === 'call') state.setCall(row.call.callId)
    else if (row.event) {
      state.setCall(null)
      state.setAt(formatAt(row.event.pointer))
    }
  }
  const focusRow = (index: number): void => {
    if (!rows[index]) return
    setTabStop(index)
    virtual.scrollToIndex(index)
    requestAnimationFrame(() =>
      body.current?.querySelector<HTMLElement>(`[aria-rowindex="${index + 2}"]`)?.focus(),
    )
  }
  const onKey = (event: KeyboardEvent, row: TimelineRow, index: number): void => {
    const isOpen = 'open' in row ? row.open : null
    const moves: Record<string, () => void> = {
      ArrowDown: () => focusRow(index + 1),
      ArrowUp: () => focusRow(index - 1),
      Home: () => focusRow(0),
      End: () => focusRow(rows.length - 1),
      ArrowRight: () => (isOpen === false ? toggle(row) : focusRow(index + 1)),
      ArrowLeft: () =>
        isOpen
          ? toggle(row)
          : focusRow(rows.findLastIndex((other, i) => i < index && other.level < row.level)),
      Enter: () => choose(row),
      ' ': () => choose(row),
    }
    if (!moves[event.key] || event.target !== event.currentTarget) return
    event.preventDefault()
    event.stopPropagation()
    moves[event.key]!()
  }

  const failed =
    events.isError && !events.data ? events : callsQuery.isError && !callsQuery.data ? callsQuery : null
  if (failed) return <ProblemNotice problem={asProblem(failed.error)} onRetry={() => void failed.refetch()} />
  if (!events.data || !callsQuery.data)
    return (
      <div role="group" aria-busy="true" aria-label="Loading the timeline" className="space-y-2 p-6">
        {[80, 60, 70, 50, 65].map((w) => (
          <div key={w} className="skeleton h-5" style={{ width: `${w}%` }} />
        ))}
      </div>
    )
  const chosenCall =
    callsQuery.data.find((call) => call.callId === state.call) ??
    [...children.values()].flat().find((call) => call.callId === state.call)
  const chosenEvent =
    state.call === null && state.at !== null
      ? events.data.items.find((event) => formatAt(event.pointer) === state.at)
      : undefined
  return (
    <div className="flex items-start">
      <section aria-label="Timeline" className="min-w-0 flex-1">
        <TimeAxis
          scale={scale}
          quiet={turns.reduce((n, turn) => n + turn.quiet, 0)}
          every={every}
          linear={linear}
          onEvery={(on) => void setLook({ every: on })}
          onLinear={(on) => void setLook({ linear: on })}
        />
        {rows.length === 0 && <p className="px-6 py-10 text-center text-ink-2">No records yet.</p>}
        <div role="treegrid" aria-label="Timeline" aria-rowcount={rows.length + 1} aria-colcount={2}>
          <div role="rowgroup" className="sr-only">
            <div role="row" aria-rowindex={1}>
              <span role="columnheader">What</span>
              <span role="columnheader">When</span>
            </div>
          </div>
          <div role="rowgroup" ref={body} className="relative" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map((item) => {
              const row = rows[item.index]!
              return (
                <TimelineRowView
                  key={item.key}
                  row={row}
                  index={item.index}
                  height={rowPx}
                  top={item.start - virtual.options.scrollMargin}
                  scale={scale}
                  chosen={item.index === at}
                  tabStop={item.index === (at >= 0 ? at : Math.min(tabStop, rows.length - 1))}
                  onToggle={() => toggle(row)}
                  onChoose={() => choose(row)}
                  onKey={(event) => onKey(event, row, item.index)}
                />
              )
            })}
          </div>
        </div>
      </section>
      {chosenCall && (
        <CallPanel executionId={execution.id} call={chosenCall} onClose={() => state.setCall(null)} />
      )}
      {chosenEvent && (
        <RecordPanel executionId={execution.id} event={chosenEvent} onClose={() => state.setAt(null)} />
      )}
    </div>
  )
}

function flip(set: ReadonlySet<string>, key: string): Set<string> {
  const next = new Set(set)
  if (!next.delete(key)) next.add(key)
  return next
}
