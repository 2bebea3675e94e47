import { queryOptions } from '@tanstack/react-query'
import type { ReceiptChainItem } from '@/lib/api/receipt-schemas'
import { links } from '@/lib/links'
import { getJson } from '../shared/get-json'
import { verifyInWorker } from './verify-in-worker'
import type { ChainVerdictDocument } from '@/lib/model/receipt-chain'

const root = ['receipts'] as const

/** Changes whenever a verdict on the chain may: a receipt came, or a key. */
const stampOf = (chain: ReceiptChainItem): string =>
  `${chain.receipts} ${chain.lastAt} ${chain.keys.map(({ id, isCurrent }) => `${id}${isCurrent ? '!' : ''}`).join()}`

export const receiptQueries = {
  chain: (id: string) =>
    queryOptions({
      queryKey: [...root, 'chain', id] as const,
      queryFn: ({ signal }) => getJson<ReceiptChainItem>(links.api.receiptChain(id), signal),
    }),
  /** The server's verdict. */
  verdict: (chain: ReceiptChainItem) =>
    queryOptions({
      queryKey: [...root, 'verdict', chain.id, stampOf(chain)] as const,
      queryFn: ({ signal }) => getJson<ChainVerdictDocument>(links.api.receiptVerdict(chain.id), signal),
      staleTime: Infinity,
      refetchOnWindowFocus: false,
    }),
  /** The chain as it was verified in this browser. */
  verified: (chain: ReceiptChainItem) =>
    queryOptions({
      queryKey: [...root, 'verified', chain.id, stampOf(chain)] as const,
      queryFn: ({ client, signal }) =>
        verifyInWorker(chain, signal, (done) =>
          client.setQueryData(receiptQueries.progress(chain.id).queryKey, done),
        ),
      staleTime: Infinity,
      gcTime: 60_000,
      retry: false,
      refetchOnWindowFocus: false,
      // Long lists, made anew each time: nothing in them is worth comparing.
      structuralSharing: false,
    }),
  /** Receipts that were verified so far. */
  progress: (id: string) =>
    queryOptions({
      queryKey: [...root, 'progress', id] as const,
      queryFn: () => 0,
      enabled: false,
      initialData: 0,
    }),
}
