import { setTimeout as sleep } from 'node:timers/promises'

interface Pace {
  /** Settles when all who came so far had their turn. */
  turn: Promise<unknown>
  /** When the last question began, of `performance.now()`. */
  lastMs: number
}

/** The launcher and the bundled routes are separate module graphs in one process, and ask the same servers. */
const shared = globalThis as { [key: symbol]: Map<string, Pace> | undefined }
const paces = (shared[Symbol.for('inquest.paces')] ??= new Map())

/**
 * Asks a question of a connection when its turn has come: one at a time in this process, whoever asks, and no faster than so many in a second.
 *
 * @throws what `signal` was aborted with, at once, also while others are answered; then the question is not asked
 */
export async function inTurn<T>(
  connectionId: string,
  { perSecond, signal }: { perSecond: number; signal?: AbortSignal },
  ask: () => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const pace = paces.get(connectionId) ?? { turn: Promise.resolve(), lastMs: -Infinity }
  paces.set(connectionId, pace)
  const before = pace.turn
  let done = (): void => {}
  const own = new Promise<void>((resolve) => (done = resolve))
  pace.turn = before.then(() => own)
  try {
    await unlessAborted(before, signal)
    const restMs = pace.lastMs + 1000 / perSecond - performance.now()
    if (restMs > 0) await unlessAborted(sleep(restMs, undefined, { signal }), signal)
    pace.lastMs = performance.now()
    return await ask()
  } finally {
    done()
  }
}

/** What comes first: the end of the work, or that nobody waits for it any more. @throws what `signal` was aborted with */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
    if (signal.aborted) stop()
  })
}
