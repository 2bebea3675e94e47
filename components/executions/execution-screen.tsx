'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useEffect, useMemo, useRef } from 'react'
import type { CallItem } from '@/lib/api/schemas'
import { firstAndLast } from '@/lib/views/calls/ends'
import { chainsOfAttempts, neighbourAttempts } from '@/lib/views/attempts/chained-attempts'
import { EXECUTION_VIEWS, type ExecutionView, formatAt, links } from '@/lib/links'
import { useDecisionOpen } from '../decision/use-decision-open'
import { copyText } from '../shared/copy-button'
import { fixQueries } from '../fixes/queries'
import { useLiveRefetch } from '../live/use-live-refetch'
import { useFragment } from '../raw/use-fragment'
import { asProblem } from '../shared/get-json'
import { useKeys } from '../shared/keys'
import { ProblemNotice } from '../shared/problem-notice'
import { say } from '../shell/announcer'
import { Banners } from './banners'
import { CauseView } from './cause-view'
import { ExecutionHeader, isSpare } from './execution-header'
import { executionQueries } from '../execution-data/queries'
import { useListWalk } from './use-list-walk'
import { useViewState } from '../execution-data/view-state'
import { ViewSkeleton } from './view-skeleton'

const loading = () => <ViewSkeleton />
// Only Cause belongs to the first paint.
const CallsView = dynamic(() => import('../calls/calls-view').then((m) => m.CallsView), {
  loading,
})
const TimelineView = dynamic(() => import('./timeline-view').then((m) => m.TimelineView), { loading })
const ReceiptsView = dynamic(() => import('../receipts/receipts-view').then((m) => m.ReceiptsView), {
  loading,
})
const ParityView = dynamic(() => import('../parity/parity-view').then((m) => m.ParityView), { loading })
const DiagnosisView = dynamic(() => import('../diagnosis/diagnosis-view').then((m) => m.DiagnosisView), {
  loading,
})
const FixesView = dynamic(() => import('./fixes-view').then((m) => m.FixesView), { loading })
const RawView = dynamic(() => import('./raw-view').then((m) => m.RawView), { loading })

const WITHOUT_CALLS: ReadonlySet<ExecutionView> = new Set([
  'cause',
  'receipts',
  'diagnosis',
  'parity',
  'fixes',
])

/** One run. `failing` are its first and last failed calls, read with the page so that the cause needs nothing more. */
export function ExecutionScreen({
  id,
  version,
  failing: atFirst,
  mayCorrect,
}: {
  id: string
  version: number
  failing: CallItem[]
  mayCorrect: boolean
}) {
  const router = useRouter()
  const client = useQueryClient()
  const state = useViewState()
  const [decisionOpen, openDecision] = useDecisionOpen()
  const detail = useQuery(executionQueries.detail(id))
  // Calls are read when a view needs them, or when the execution has grown since the page was made; the first screen has what it needs.
  const grown = detail.data !== undefined && detail.data.version !== version
  const needsCalls = !WITHOUT_CALLS.has(state.view) || state.call !== null || grown
  const callsQuery = useQuery({ ...executionQueries.calls(id), enabled: needsCalls })
  const fixes = useQuery(fixQueries.ofExecution(id))
  useLiveRefetch(fixes.refetch, 2_000)
  const walk = useListWalk(id)
  const failed = useMemo(
    () => (callsQuery.data ?? atFirst).filter((call) => call.state === 'failed'),
    [callsQuery.data, atFirst],
  )
  const failing = useMemo(() => firstAndLast(failed), [failed])

  const step = (list: CallItem[], by: number): void => {
    const at = list.findIndex((call) => call.callId === state.call)
    const next =
      list[at < 0 ? (by > 0 ? 0 : list.length - 1) : Math.min(list.length - 1, Math.max(0, at + by))]
    if (!next) return say('No more calls')
    if (state.view === 'cause') state.setView('calls')
    state.setCall(next.callId)
  }
  // Keys come faster than pages.
  const heading = useRef(id)
  useEffect(() => void (heading.current = id), [id])
  /** Among the attempts of the same work, where there are some; else among the calls. */
  const stepAttempt = async (by: -1 | 1): Promise<void> => {
    const chains = await client
      .fetchQuery({ ...executionQueries.chains(id), staleTime: 60_000 })
      .catch(() => [])
    const [chain] = chainsOfAttempts(chains)
    if (!chain) return step(callsQuery.data ?? failing, by)
    const { previous, next } = neighbourAttempts(chain, heading.current)
    heading.current = (by < 0 ? previous : next) ?? heading.current
    goTo(by < 0 ? previous : next, by < 0 ? 'This is the first attempt' : 'This is the last attempt')
  }
  const goTo = (other: string | null, none: string): void =>
    other === null ? say(none) : router.push(links.execution(other, state.view))
  useKeys({
    ...Object.fromEntries(
      EXECUTION_VIEWS.map((view, index) => [
        String(index + 1),
        () =>
          detail.data && isSpare(view, detail.data)
            ? say(`This execution has no ${view}`)
            : state.setView(view),
      ]),
    ),
    '[': () => void stepAttempt(-1),
    ']': () => void stepAttempt(1),
    p: () => state.setView('fixes'),
    d: () => {
      openDecision(state.view !== 'cause' || !decisionOpen)
      if (state.view !== 'cause') state.setView('cause')
    },
    n: () => step(failed, 1),
    N: () => step(failed, -1),
    '<': () => goTo(walk.previous, 'This is the first execution in the list'),
    '>': () => goTo(walk.next, 'This is the last execution in the list'),
    Y: async () => {
      const pointer = state.at ?? (detail.data?.cause?.pointer ? formatAt(detail.data.cause.pointer) : null)
      if (pointer === null) return say('No raw data to point to here')
      say((await copyText(pointer)) ? 'Pointer copied' : 'Couldn’t copy the pointer')
    },
    Escape: () => (state.view === 'receipts' ? state.setReceipt(null) : state.setCall(null)),
  })

  // A link may name a value and no view: it opens where the value is shown.
  const value = useFragment()
  const opened = useRef<string | null>(null)
  const { view, setView, openBytes } = state
  useEffect(() => {
    if (value === null || value === opened.current || view !== 'cause' || !detail.data) return
    opened.current = value
    const { source, cause } = detail.data
    if (source.kind === 'noetl') setView('diagnosis', 'replace')
    else if (cause?.pointer) openBytes(formatAt(cause.pointer), 'replace')
  }, [value, view, detail.data, setView, openBytes])

  if (!detail.data)
    return detail.isError ? (
      <ProblemNotice problem={asProblem(detail.error)} onRetry={() => void detail.refetch()} />
    ) : (
      <ViewSkeleton />
    )
  const execution = detail.data
  return (
    <article aria-labelledby="title" className="min-w-0">
      <ExecutionHeader execution={execution} fixes={fixes.data?.length ?? null} state={state} walk={walk} />
      <Banners
        execution={execution}
        unknownView={state.unknownView}
        stale={detail.isRefetchError ? asProblem(detail.error) : null}
        readAt={detail.dataUpdatedAt}
      />
      {state.view === 'cause' && (
        <CauseView
          execution={execution}
          fixes={fixes.data ?? null}
          failing={failing}
          mayCorrect={mayCorrect}
          decisionOpen={decisionOpen}
          onDecision={openDecision}
        />
      )}
      {state.view === 'calls' && <CallsView execution={execution} callsQuery={callsQuery} state={state} />}
      {state.view === 'timeline' && (
        <TimelineView execution={execution} callsQuery={callsQuery} state={state} />
      )}
      {state.view === 'receipts' && <ReceiptsView execution={execution} state={state} />}
      {state.view === 'diagnosis' && <DiagnosisView execution={execution} row={state.row} />}
      {state.view === 'parity' && <ParityView execution={execution} />}
      {state.view === 'fixes' && <FixesView execution={execution} fixes={fixes} />}
      {state.view === 'raw' && <RawView execution={execution} state={state} />}
    </article>
  )
}
