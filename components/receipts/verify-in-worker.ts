import { endWithSignal } from '../shared/end-with-signal'
import type { ReceiptChainItem } from '@/lib/api/receipt-schemas'
import type { VerifiedChain } from '@/lib/judge/receipts/verify-pages'
import { ProblemError } from '../shared/get-json'
import type { VerifyAsk, VerifyMessage } from './verify-worker'

/**
 * Verifies a chain beside the page, in a worker of its own.
 *
 * @throws ProblemError; what `signal` was aborted with
 */
export function verifyInWorker(
  chain: ReceiptChainItem,
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<VerifiedChain> {
  return new Promise<VerifiedChain>((resolve, reject) => {
    const worker = new Worker(new URL('./verify-worker.ts', import.meta.url), { type: 'module' })
    const end = endWithSignal(worker, signal, reject)
    worker.onmessage = ({ data }: MessageEvent<VerifyMessage>) => {
      if (data.kind === 'progress') return onProgress(data.done)
      end()
      if (data.kind === 'done') resolve(data.chain)
      else reject(new ProblemError(data.problem))
    }
    worker.onerror = (event) => {
      end()
      const detail = event.message || 'Could not load the verifier'
      reject(
        new ProblemError({
          type: '/problems/internal',
          title: 'Verification in this browser failed',
          status: 0,
          detail,
        }),
      )
    }
    worker.postMessage({
      chainId: chain.id,
      keys: chain.keys,
      origin: window.location.origin,
    } satisfies VerifyAsk)
  })
}
