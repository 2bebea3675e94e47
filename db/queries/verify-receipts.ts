import type { ReceiptChainItem } from '@/lib/api/receipt-schemas'
import { parsePublicKey } from '@/lib/judge/receipts/keys'
import { receiptFrom } from '@/lib/formats/receipt/read-receipt'
import type { Receipt } from '@/lib/formats/receipt/receipt'
import { verdictDocument } from '@/lib/judge/receipts/verdict-document'
import { verifyChain } from '@/lib/judge/receipts/verify-chain'
import type { Db } from '../client'
import { listReceiptBytes, readReceiptChain } from './receipt-chains'
import type { ChainVerdictDocument } from '@/lib/model/receipt-chain'

/** The verdict on a chain as the server sees it, from the received bytes, page by page; null when there is no such chain. */
export async function verifyReceipts(
  db: Db,
  projectIds: readonly string[],
  chainId: string,
  signal?: AbortSignal,
): Promise<ChainVerdictDocument | null> {
  const chain = await readReceiptChain(db, projectIds, chainId)
  return chain && verifyReadChain(db, projectIds, chain, { signal })
}

interface VerifyReadChain {
  signal?: AbortSignal
  /** Handed the receipts that are verified, page by page, before the next ones are read. */
  onPage?: (receipts: readonly Uint8Array[]) => Promise<void>
}

/** The verdict on a chain that was read already, on just the bytes that are handed to `onPage`. @throws what that throws */
export async function verifyReadChain(
  db: Db,
  projectIds: readonly string[],
  { id, keys }: ReceiptChainItem,
  { signal, onPage }: VerifyReadChain,
): Promise<ChainVerdictDocument> {
  const registered = keys.map(({ publicKey }) => parsePublicKey(publicKey)!)
  const current = keys.find(({ isCurrent }) => isCurrent)
  async function* readAll(): AsyncGenerator<Receipt> {
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof listReceiptBytes>> = await listReceiptBytes(db, {
        projectIds,
        chainId: id,
        cursor,
      })
      await onPage?.(page.items.map(({ bytes }) => bytes))
      for (const { bytes } of page.items) yield receiptFrom(bytes)
      cursor = page.nextCursor
    } while (cursor !== null)
  }
  const verdict = await verifyChain(
    readAll(),
    { registered, ...(current && { current: parsePublicKey(current.publicKey)! }) },
    { signal },
  )
  return verdictDocument(verdict, keys)
}
