'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ReceiptChainItem } from '@/lib/api/receipt-schemas'
import { type ChainTile, tileChain } from '@/lib/judge/receipts/chain-tiles'
import { formatCount } from '../shared/format'
import { asProblem } from '../shared/get-json'
import { useKeys } from '../shared/keys'
import { ProblemNotice } from '../shared/problem-notice'
import { ChainStrip } from './chain-strip'
import { ChainVerdict } from './chain-verdict'
import { Delegation } from './delegation'
import { receiptQueries } from './queries'
import { ReceiptPanel } from './receipt-panel'
import { StripLegend } from './strip-legend'

const NONE: ReadonlySet<string> = new Set()

/** A chain with its verdict, verified here. The receipt that is open is in the panel. */
export function ChainSection({
  chain,
  executionId,
  answered = NONE,
  selected,
  onSelect,
  leads,
  withKeys = true,
  children,
}: {
  chain: ReceiptChainItem
  executionId: string | null
  /** Calls that have a result in another chain of this session. */
  answered?: ReadonlySet<string>
  selected: string | null
  onSelect: (key: string | null) => void
  leads: boolean
  /** The keys of the hand act on this one. */
  withKeys?: boolean
  children: React.ReactNode
}) {
  const client = useQueryClient()
  const verified = useQuery(receiptQueries.verified(chain))
  // Asked for at once: of a long chain either verdict takes its time.
  useQuery(receiptQueries.verdict(chain))
  const tiled = useMemo(
    () => (verified.data ? tileChain(verified.data, answered) : null),
    [verified.data, answered],
  )
  const again = (): void =>
    void Promise.all([
      verified.refetch(),
      client.invalidateQueries({ queryKey: receiptQueries.verdict(chain).queryKey }),
    ])
  useKeys({ v: again }, withKeys)
  const open: ChainTile | undefined =
    selected === null ? undefined : tiled?.tiles.find(({ brief }) => brief.key === selected)
  return (
    <div className="flex items-start">
      <section
        aria-label={`Chain ${chain.id}`}
        className="min-w-0 flex-1 space-y-3 rounded border border-line bg-surface p-3 md:p-4"
      >
        {children}
        <Delegation chain={chain} />
        {verified.isError ? (
          <ProblemNotice
            compact
            problem={asProblem(verified.error)}
            onRetry={() => void verified.refetch()}
          />
        ) : !tiled || !verified.data ? (
          <Verifying chain={chain} />
        ) : (
          <>
            <ChainVerdict chain={chain} verified={verified.data} tiled={tiled} onAgain={again} />
            <StripLegend
              others={
                executionId !== null && tiled.tiles.some(({ brief }) => brief.executionId !== executionId)
              }
            />
            <ChainStrip
              label={`Receipts of chain ${chain.id}`}
              chain={tiled}
              executionId={executionId}
              selected={selected}
              onSelect={onSelect}
              leads={leads && selected === null}
            />
          </>
        )}
      </section>
      {open && tiled && (
        <ReceiptPanel
          key={open.brief.key}
          tile={open}
          chain={tiled}
          executionId={executionId}
          hints={verified.data?.hints ?? []}
          onClose={() => onSelect(null)}
        />
      )}
    </div>
  )
}

function Verifying({ chain }: { chain: ReceiptChainItem }) {
  const { data: done } = useQuery(receiptQueries.progress(chain.id))
  return (
    <div aria-busy="true" className="space-y-3">
      <p className="text-ink-2">
        Verifying in this browser: {formatCount(done)} of {formatCount(chain.receipts)} receipts
        <progress
          className="ml-3 h-1.5 w-40 align-middle accent-accent"
          max={chain.receipts}
          value={done}
          aria-label="Receipts verified"
        />
      </p>
      <div className="skeleton h-16" />
      <div className="skeleton h-28" />
    </div>
  )
}
