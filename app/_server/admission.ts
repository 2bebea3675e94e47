import { type ByteBudget, createByteBudget, type Share } from '@/lib/admission/byte-budget'
import { limits } from '@/lib/limits'
import { STORE_RETRY_S } from '@/lib/problem'
import { bodyText } from '@/lib/words/server/bodies'
import { Refusal } from './respond'

const KEY = Symbol.for('inquest.admission')
const holder = globalThis as { [KEY]?: ByteBudget }

/** One budget for the process: each bundled route asks here, so it lives on `globalThis`. */
export const bodyBudget = (): ByteBudget =>
  (holder[KEY] ??= createByteBudget({
    bytesMax: limits.inflightBytesMax,
    smallBytesMax: limits.inflightSmallBytesMax,
    smallBytes: limits.inflightSmallPartBytes,
    slowBytesPerSecond: limits.slowBodyBytesPerSecond,
    graceMs: GRACE_MS,
  }))

/** A body that was just begun is not slow yet. */
const GRACE_MS = 10_000

export const busy = (): Refusal =>
  new Refusal('busy', bodyText.serverFull, {
    headers: { 'retry-after': String(STORE_RETRY_S.busy) },
  })

const shares = new WeakMap<Request, Share>()

/** What the body of this request holds of the budget. It is held until the request is answered: what is queued or worked on is held too. */
export function openShare(request: Request, onEvict: () => void): Share {
  const share = bodyBudget().open(performance.now(), onEvict)
  shares.set(request, share)
  return share
}

/** Gives back what a request held, when it is answered. */
export function releaseShare(request: Request): void {
  shares.get(request)?.release()
  shares.delete(request)
}
