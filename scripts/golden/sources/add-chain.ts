import { parsePublicKey } from '@/lib/judge/receipts/keys'
import type { Receipt } from '@/lib/formats/receipt/receipt'
import { receiptHash } from '@/lib/formats/receipt/receipt-hash'
import { verifyChain, type ChainOptions } from '@/lib/judge/receipts/verify-chain'
import { digest } from '../codes'
import type { Conclusions } from '../product-rows'

/** The verdict on a chain and on each of its receipts. @param publicKey null: none is known */
export async function addChain(
  found: Conclusions,
  of: string,
  receipts: readonly Receipt[],
  publicKey: string | null,
  options: ChainOptions = {},
): Promise<void> {
  const key = publicKey === null ? null : parsePublicKey(publicKey)
  const verdict = await verifyChain(receipts, { registered: key === null ? [] : [key] }, options)
  found.receiptChain.push({ of, ...verdict })
  found.receipt.push(
    ...verdict.rows.map((row, i) => {
      const hash = receiptHash(receipts[i]!)
      return { of, ...row, hash: hash === null ? null : digest(hash) }
    }),
  )
}
