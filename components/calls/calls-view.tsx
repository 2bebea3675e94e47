'use client'

import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { CallItem, ExecutionDetail } from '@/lib/api/schemas'
import { executionQueries } from '../execution-data/queries'
import { countsSentence } from '../execution-data/words'
import type { ViewState } from '../execution-data/view-state'
import { plural } from '../shared/format'
import { asProblem } from '../shared/get-json'
import { ProblemNotice } from '../shared/problem-notice'
import { CallPanel } from './call-panel'
import { CallTable } from './call-table'
import { ChainLegend } from './chain-legend'
import { chainViews } from './chain-model'
import { ChainStrip } from './chain-strip'
import { ExecutionChains } from './execution-chains'
import { RepeatedCalls } from './repeated-effects'

/** The chains of executions that this one is in, its own retry chains as strips, then every call. A selected call opens beside them. */
export function CallsView({
  execution,
  callsQuery,
  state,
}: {
  execution: ExecutionDetail
  callsQuery: UseQueryResult<CallItem[]>
  state: ViewState
}) {
  const calls = useMemo(() => callsQuery.data ?? [], [callsQuery.data])
  const chains = useMemo(() => chainViews(execution.chains, calls), [execution.chains, calls])
  const workedAround = useMemo(
    () => new Set(execution.advice?.failures?.flatMap((failure) => failure.doneOtherwise ?? [])),
    [execution.advice],
  )
  const attempts = useQuery(executionQueries.chains(execution.id))
  const hanging = execution.chains.length - chains.length
  const selected = calls.find((call) => call.callId === state.call) ?? null
  useEffect(() => {
    if (state.call !== null)
      document
        .querySelector(`[data-call="${CSS.escape(state.call)}"]`)
        ?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [state.call, calls.length])

  if (callsQuery.isError && !callsQuery.data)
    return <ProblemNotice problem={asProblem(callsQuery.error)} onRetry={() => void callsQuery.refetch()} />
  // Both, so that nothing is pushed down by what comes later.
  if (!callsQuery.data || attempts.isPending)
    return (
      <div role="group" aria-busy="true" aria-label="Loading calls" className="space-y-3 p-6">
        <div className="skeleton h-28" />
        <div className="skeleton h-28" />
      </div>
    )
  return (
    <div className="flex items-start">
      <div className="min-w-0 flex-1 space-y-6 p-4 md:px-6 md:py-5">
        <ExecutionChains chains={attempts} id={execution.id} />
        <RepeatedCalls execution={execution} />
        {execution.counts.calls === 0 ? (
          <p className="rounded border border-line bg-surface px-4 py-8 text-center text-ink-2">
            No tool calls.
          </p>
        ) : (
          <>
            <section aria-labelledby="chains" className="space-y-3">
              <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
                <h2 id="chains" className="text-md font-semibold">
                  Retry chains
                </h2>
                <p className="text-ink-2">{countsSentence(execution.counts)}</p>
                {chains.length > 0 && <ChainLegend />}
              </div>
              {hanging > 0 && chains.length > 0 && (
                <p className="text-sm text-ink-2">
                  {plural(hanging, 'chain')} of calls cancelled or rejected with another{' '}
                  {hanging === 1 ? 'is' : 'are'} shown under that call.
                </p>
              )}
              {chains.length === 0 ? (
                <p className="text-ink-2">
                  {execution.counts.failedCalls === 0
                    ? 'No failed calls, so no retries.'
                    : 'No failed call could be linked to another call.'}
                </p>
              ) : (
                <ol className="space-y-3">
                  {chains.map((chain) => (
                    <ChainStrip
                      key={chain.number}
                      chain={chain}
                      workedAround={workedAround.has(chain.number)}
                      selected={state.call}
                      onSelect={state.setCall}
                    />
                  ))}
                </ol>
              )}
            </section>
            <CallTable calls={calls} selected={state.call} onSelect={state.setCall} />
          </>
        )}
      </div>
      {selected && (
        <CallPanel executionId={execution.id} call={selected} onClose={() => state.setCall(null)} />
      )}
    </div>
  )
}
