import { limits } from '@/lib/limits'
import { links } from '@/lib/links'
import type { Problem } from '@/lib/problem'
import { signatureSupport, verifyPages, type VerifiedChain } from '@/lib/judge/receipts/verify-pages'
import { asProblem, getJson } from '../shared/get-json'
import type { ReceiptItem, ReceiptKey } from '@/lib/model/receipt-chain'
import type { Page } from '@/lib/model/page'

/** What a worker is asked. Addresses are read from the page's origin: a worker's own address may be none. */
export interface VerifyAsk {
  chainId: string
  keys: ReceiptKey[]
  origin: string
}
export type VerifyMessage =
  | { kind: 'progress'; done: number }
  | { kind: 'done'; chain: VerifiedChain }
  | { kind: 'problem'; problem: Problem }

const tell = (message: VerifyMessage): void => self.postMessage(message)

self.addEventListener('message', async ({ data: { chainId, keys, origin } }: MessageEvent<VerifyAsk>) => {
  const readPage = (cursor: string | null): Promise<Page<ReceiptItem>> =>
    getJson(new URL(links.api.receipts(chainId, { cursor, limit: String(limits.pageRowsMax) }), origin).href)
  try {
    const support = await signatureSupport()
    tell({
      kind: 'done',
      chain: await verifyPages({
        keys,
        support,
        readPage,
        onProgress: (done) => tell({ kind: 'progress', done }),
      }),
    })
  } catch (error) {
    tell({ kind: 'problem', problem: asProblem(error) })
  }
})
