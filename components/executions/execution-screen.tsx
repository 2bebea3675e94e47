'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useMemo } from 'react'
import type { AttemptItem } from '@/lib/api/schemas'
import { firstAndLast } from '@/lib/attempts/ends'
import { EXECUTION_VIEWS, formatAt, links } from '@/lib/links'
import { copyText } from '../shared/copy-button'
import { asProblem } from '../shared/get-json'
import { useKeys } from '../shared/keys'
import { ProblemNotice } from '../shared/problem-notice'
import { say } from '../shell/announcer'
import { Banners } from './banners'
import { CauseView } from './cause-view'
import { ExecutionHeader } from './execution-header'
import { executionQueries } from './queries'
import { useListWalk } from './use-list-walk'
import { useViewState } from './view-state'

const loading = () => <ViewSkeleton />
// Only Cause belongs to the first paint.
const AttemptsView = dynamic(() => import('../attempts/attempts-view').then((m) => m.AttemptsView), { loading })
const TimelineView = dynamic(() => import('./timeline-view').then((m) => m.TimelineView), { loading })
const RawView = dynamic(() => import('./raw-view').then((m) => m.RawView), { loading })

/** One run. `failing` are its first and last failed calls, read with the page so that the cause needs nothing more. */
export function ExecutionScreen({ id, version, failing: atFirst }: { id: string; version: number; failing: AttemptItem[] }) {
  const router = useRouter()
  const state = useViewState()
  const detail = useQuery(executionQueries.detail(id))
  // Calls are read when a view needs them, or when the execution has grown since the page was made; the first screen has what it needs.
  const grown = detail.data !== undefined && detail.data.version !== version
  const needsCalls = state.view !== 'cause' || state.call !== null || grown
  const attempts = useQuery({ ...executionQueries.attempts(id), enabled: needsCalls })
  const walk = useListWalk(id)
  const failed = useMemo(() => (attempts.data ?? atFirst).filter((attempt) => attempt.state === 'failed'), [attempts.data, atFirst])
  const failing = useMemo(() => firstAndLast(failed), [failed])

  const step = (list: AttemptItem[], by: number): void => {
    const at = list.findIndex((attempt) => attempt.callId === state.call)
    const next = list[at < 0 ? (by > 0 ? 0 : list.length - 1) : Math.min(list.length - 1, Math.max(0, at + by))]
    if (!next) return say('There is no further call')
    if (state.view === 'cause') state.setView('attempts')
    state.setCall(next.callId)
  }
  const goTo = (other: string | null, none: string): void => (other === null ? say(none) : router.push(links.execution(other, state.view)))
  useKeys({
    ...Object.fromEntries(EXECUTION_VIEWS.map((view, index) => [String(index + 1), () => state.setView(view)])),
    '[': () => step(attempts.data ?? failing, -1),
    ']': () => step(attempts.data ?? failing, 1),
    n: () => step(failed, 1),
    N: () => step(failed, -1),
    '<': () => goTo(walk.previous, 'This is the first execution of the list'),
    '>': () => goTo(walk.next, 'This is the last execution of the list'),
    Y: async () => {
      const pointer = state.at ?? (detail.data?.cause?.pointer ? formatAt(detail.data.cause.pointer) : null)
      if (pointer === null) return say('Nothing here points at bytes')
      say((await copyText(pointer)) ? 'Pointer copied' : 'The pointer could not be copied')
    },
    Escape: () => state.setCall(null),
  })

  if (!detail.data)
    return detail.isError ? <ProblemNotice problem={asProblem(detail.error)} onRetry={() => void detail.refetch()} /> : <ViewSkeleton />
  const execution = detail.data
  return (
    <article aria-labelledby="title" className="min-w-0">
      <ExecutionHeader execution={execution} state={state} walk={walk} />
      <Banners
        execution={execution}
        unknownView={state.unknownView}
        stale={detail.isRefetchError ? asProblem(detail.error) : null}
        readAt={detail.dataUpdatedAt}
      />
      {state.view === 'cause' && <CauseView execution={execution} failing={failing} />}
      {state.view === 'attempts' && <AttemptsView execution={execution} attempts={attempts} state={state} />}
      {state.view === 'timeline' && <TimelineView execution={execution} attempts={attempts} state={state} />}
      {state.view === 'raw' && <RawView execution={execution} state={state} />}
    </article>
  )
}

function ViewSkeleton() {
  return (
    <div aria-busy="true" aria-label="Loading" className="space-y-4 p-4 md:p-6">
      <div className="skeleton h-7 w-3/5" />
      <div className="skeleton h-4 w-2/5" />
      <div className="skeleton h-40" />
      <div className="skeleton h-24" />
    </div>
  )
}
