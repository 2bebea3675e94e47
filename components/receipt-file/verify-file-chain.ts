import { receiptFrom } from '@/lib/formats/receipt/read-receipt'
import type { Receipt } from '@/lib/formats/receipt/receipt'
import {
  type ListedKey,
  type ListedReceipt,
  type SignatureSupport,
  type VerifiedChain,
  verifyListed,
} from '@/lib/judge/receipts/verify-pages'
import type { FileChain } from './read-file'

const NOTHING = new Uint8Array()

export const receiptAt = (chain: FileChain, index: number): Receipt =>
  receiptFrom(chain.bytesAt(index) ?? NOTHING)

export interface VerifyFileChain {
  keys: readonly ListedKey[]
  support: SignatureSupport
  signal: AbortSignal
  onProgress: (done: number) => void
}

/** Verifies a chain of the file, receipt by receipt, with nothing but the keys that are handed in. */
export function verifyFileChain(chain: FileChain, options: VerifyFileChain): Promise<VerifiedChain> {
  async function* listed(): AsyncGenerator<ListedReceipt> {
    for (let index = 0; index < chain.receipts; index++) {
      // Where no signature is awaited nothing else lets the page draw.
      if (index % 256 === 255) await new Promise((resolve) => setTimeout(resolve))
      const receipt = receiptAt(chain, index)
      const { id, sessionId, correlationId, chain: place, action } = receipt.facts
      const sequence = Number.isSafeInteger(place.sequence) ? (place.sequence as number) : null
      const pointer = { received: '', byteStart: 0, byteEnd: 0 }
      yield {
        receipt,
        item: {
          key: String(index),
          id,
          sequence,
          at: action.timestamp,
          executionId: '',
          sessionId,
          correlationId,
          pointer,
        },
      }
    }
  }
  return verifyListed(listed(), options)
}
