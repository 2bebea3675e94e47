'use client'

import type { UseQueryResult } from '@tanstack/react-query'
import { chainsOfAttempts } from '@/lib/views/attempts/chained-attempts'
import { asProblem } from '../shared/get-json'
import { ProblemNotice } from '../shared/problem-notice'
import { ExecutionChainStrip } from './execution-chain-strip'
import type { ExecutionChain } from '@/lib/views/attempts/chain'

/** The chains of executions that this one is an attempt in; one that was tried once is no chain, and one that says the same as another is not drawn again. */
export function ExecutionChains({ chains, id }: { chains: UseQueryResult<ExecutionChain[]>; id: string }) {
  const { data, error, refetch } = chains
  if (error && !data)
    return <ProblemNotice compact problem={asProblem(error)} onRetry={() => void refetch()} />
  const tried = chainsOfAttempts(data ?? [])
  if (tried.length === 0) return null
  return (
    <section aria-labelledby="attempts" className="space-y-3">
      <h2 id="attempts" className="text-md font-semibold">
        Attempts
      </h2>
      {tried.map((chain) => (
        <ExecutionChainStrip key={chain.id} chain={chain} id={id} />
      ))}
    </section>
  )
}
