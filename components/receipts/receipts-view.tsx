'use client'

import { useQueries, useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useMemo } from 'react'
import type { ExecutionDetail } from '@/lib/api/schemas'
import type { ReceiptChainItem } from '@/lib/api/receipt-schemas'
import { links } from '@/lib/links'
import { answeredCalls } from '@/lib/judge/receipts/chain-tiles'
import { executionQueries } from '../execution-data/queries'
import type { ViewState } from '../execution-data/view-state'
import { formatCount, plural } from '../shared/format'
import { asProblem } from '../shared/get-json'
import { ProblemNotice } from '../shared/problem-notice'
import { VisibleText } from '../shared/visible-text'
import { ChainSection } from './chain-section'
import { ExportLink } from './export-link'
import { receiptQueries } from './queries'
import { NO_TRACE, SilenceList } from './silence-list'

const NO_CHAINS: ReceiptChainItem[] = []

/** The chains that hold receipts of an execution, each verified as a whole: only with its neighbours does a receipt prove anything. */
export function ReceiptsView({ execution, state }: { execution: ExecutionDetail; state: ViewState }) {
  const found = useQuery(executionQueries.receiptChains(execution.id))
  const chains = found.data ?? NO_CHAINS
  const verified = useQueries({ queries: chains.map((chain) => receiptQueries.verified(chain)) })
  const answered = useMemo(
    () => new Set(chains.length < 2 ? [] : verified.flatMap(({ data }) => (data ? answeredCalls(data) : []))),
    // The results are new objects each time; what they hold only changes with their time of reading.
    [chains, verified.map(({ dataUpdatedAt }) => dataUpdatedAt).join()],
  )
  const leading = verified.findIndex(({ data }) => data?.verdict?.state === 'broken')

  if (found.isError && !found.data)
    return <ProblemNotice problem={asProblem(found.error)} onRetry={() => void found.refetch()} />
  if (!found.data)
    return (
      <div role="group" aria-busy="true" aria-label="Loading receipt chains" className="space-y-3 p-4 md:p-6">
        <div className="skeleton h-16" />
        <div className="skeleton h-28" />
      </div>
    )
  return (
    <div className="space-y-4 p-4 md:px-6 md:py-5">
      {chains.length === 0 ? (
        <div className="space-y-2 rounded border border-line bg-surface px-4 py-8 text-ink-2">
          <p className="font-medium text-ink">This execution has no receipts.</p>
          <p>
            This proves nothing about its calls: a hook is a separate process per call, and a failed hook
            leaves no trace. Senders push receipts to this server’s{' '}
            <code className="font-mono">POST /receipts</code>.
          </p>
        </div>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p className="min-w-0 text-ink-2">
            {plural(execution.receipts, 'receipt')} of this execution in {plural(chains.length, 'chain')}. A
            receipt that holds proves that it was not changed, not that it is true.
          </p>
          <ExportLink href={links.api.executionReceiptFile(execution.id)} />
        </div>
      )}
      <SilenceList executionId={execution.id} silence={execution.silence} />
      {chains.length > 0 && !chains.some(({ failures }) => failures > 0) && (
        <p className="text-ink-2">
          No failures in {chains.length === 1 ? 'this chain' : 'these chains'}. {NO_TRACE}
        </p>
      )}
      {chains.map((chain, index) => (
        <ChainSection
          key={chain.id}
          chain={chain}
          executionId={execution.id}
          answered={answered}
          selected={state.receipt}
          onSelect={state.setReceipt}
          leads={index === leading}
          withKeys={index === 0}
        >
          <h2 className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
            <Link href={links.chain(chain.id)} className="link text-md font-semibold wrap-anywhere">
              <span className="sr-only">Chain </span>
              <VisibleText text={chain.id} />
            </Link>
            <span className="text-sm text-ink-2">
              <ChainCounts chain={chain} executionId={execution.id} />
            </span>
          </h2>
        </ChainSection>
      ))}
    </div>
  )
}

function ChainCounts({ chain, executionId }: { chain: ReceiptChainItem; executionId: string }) {
  const own = chain.sessions
    .filter((session) => session.executionId === executionId)
    .reduce((sum, { receipts }) => sum + receipts, 0)
  return (
    <>
      {own === chain.receipts
        ? plural(chain.receipts, 'receipt')
        : `${formatCount(own)} of its ${plural(chain.receipts, 'receipt')} are of this execution`}
      {chain.failures > 0 && `, ${formatCount(chain.failures)} failed`}
      {chain.rivals > 0 && `, ${plural(chain.rivals, 'rival')} with a position already taken`}
    </>
  )
}
