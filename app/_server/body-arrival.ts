import { limits } from '@/lib/limits'
import { bodyText } from '@/lib/words/server/bodies'
import { Refusal } from './respond'

/** Bodies that may be no larger than this have a time for the whole; of larger ones only progress is asked. */
const SMALL_BODY_BYTES = 1024 * 1024

export interface ArrivalOptions {
  /** Of `Content-Length`; null when it is not said. */
  announced: number | null
  max: number
  tooLarge: () => Refusal
}

export interface Arrival {
  /** The body as it comes in, still encoded. May be read once. */
  pieces(): AsyncGenerator<Uint8Array>
  received(): number
  /** Ends the reading for this reason. */
  stop(why: Refusal): void
  /** Why the reading was ended; null when it was not. */
  stopped(): Refusal | null
}

/** Watches a body come in: how much of it, whether as much as was announced, and whether in time. */
export function createArrival(
  body: ReadableStream<Uint8Array> | null,
  { announced, max, tooLarge }: ArrivalOptions,
): Arrival {
  const reader = body?.getReader()
  let received = 0
  let why: Refusal | null = null
  const stop = (refusal: Refusal): void => {
    why ??= refusal
    void reader?.cancel(why).catch(() => undefined) // whoever reads learns of it at the next piece
  }
  const otherLength = (): Refusal =>
    new Refusal('bad-request', `Content-Length says ${announced} bytes, ${received} arrived.`)
  return {
    received: () => received,
    stopped: () => why,
    stop,
    async *pieces() {
      if (reader === undefined) return
      const late = max <= SMALL_BODY_BYTES ? watchWhole(stop) : watchProgress(() => received, stop)
      try {
        for (;;) {
          const { done, value } = await reader.read()
          if (why) throw why
          if (done) break
          received += value.length
          if (announced !== null && received > announced) throw otherLength()
          if (received > max) throw tooLarge()
          yield value
        }
      } catch (error) {
        throw error instanceof Refusal
          ? error
          : new Refusal('bad-request', bodyText.bodyEndedEarly({ received }))
      } finally {
        clearInterval(late)
        await reader.cancel().catch(() => undefined) // the sender's error is the one to tell
      }
      if (announced !== null && received !== announced) throw otherLength()
    },
  }
}

const watchWhole = (stop: (why: Refusal) => void): NodeJS.Timeout =>
  setTimeout(() => stop(tooLate(bodyText.bodyTimedOut())), limits.smallBodySeconds * 1000)

function watchProgress(received: () => number, stop: (why: Refusal) => void): NodeJS.Timeout {
  let before = 0
  return setInterval(() => {
    if (received() - before < limits.bodyProgressBytes) stop(tooLate(bodyText.bodyTooSlow()))
    before = received()
  }, limits.bodyProgressSeconds * 1000)
}

const tooLate = (detail: string): Refusal =>
  new Refusal('request-timeout', `${detail} Nothing was stored.`, { headers: { connection: 'close' } })
