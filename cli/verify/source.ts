import type { Receipt } from '@/lib/formats/receipt/receipt'
import type { ChainKeys } from '@/lib/judge/receipts/verify-chain'

/** A receipt of an input, in the order in which its chain is to be verified. */
export interface SourceReceipt {
  receipt: Receipt
  /** Line, element or row of the input; lines and elements count from 1. */
  place: number
  /** Chain of one that cannot say its own, where something else does. */
  chainHint?: string
  /** Columns of a database that say otherwise than their receipt. */
  disagreeing?: string[]
}

export interface Source {
  kind: 'database' | 'list' | 'document' | 'lines' | 'receipt-file'
  /** What a place counts. */
  placeWord: 'line' | 'element' | 'row' | 'receipt'
  receipts: AsyncIterable<SourceReceipt> | Iterable<SourceReceipt>
  /** Chains that came newest first and were turned round, by their names. */
  turned: ReadonlySet<string>
  /** What kept the input from being read to its end; known when `receipts` has ended. */
  problem(): string | null
  close(): Promise<void> | void
  /** Keys of a chain that came with the input; known when its first receipt is. */
  keysOf?(chainId: string | null): ChainKeys
}
