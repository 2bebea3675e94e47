import { setTimeout as sleep } from 'node:timers/promises'
import { DATABASE_SERVER_LOG, DATABASE_SERVER_PROBLEMS } from '@/lib/words/database-server'

export interface Supervision {
  log: (line: string) => void
  /** Process of the server; null when none runs on the data folder. */
  findServer: () => Promise<{ pid: number } | null>
  /** Starts it again at the same address. */
  restart: (signal: AbortSignal) => Promise<void>
  /** It could not be started again, or ended over and over. */
  onGiveUp: (error: Error) => void
  /** Milliseconds before each attempt; there is no further one. */
  delaysMs?: readonly number[]
}

const LOOK_MS = 250
/** About half a minute of waiting: what passes by itself has passed by then. */
const DELAYS_MS = [0, 500, 1_000, 2_000, 4_000, 8_000, 16_000] as const
/** Milliseconds that a server must have run for its start to count as one: less, and its end is a failed attempt. */
const STEADY_MS = 2_000

/**
 * Looks after the server and starts it again when it has ended. It looks at the process, not at a child of ours: one that was
 * found running is nobody's child. A server that is frozen or slow is left alone.
 *
 * @returns what ends the watch, and a restart that is under way
 */
export function superviseServer({
  log,
  findServer,
  restart,
  onGiveUp,
  delaysMs = DELAYS_MS,
}: Supervision): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping

  async function watch(): Promise<void> {
    let attempts = 0
    let upSince = Date.now()
    for (;;) {
      await sleep(LOOK_MS, undefined, { signal, ref: false })
      if ((await findServer()) !== null) continue
      log(DATABASE_SERVER_LOG.restarting({}))
      if (Date.now() - upSince > STEADY_MS) attempts = 0
      let last = new Error(DATABASE_SERVER_PROBLEMS.ends_at_once({}))
      for (;;) {
        if (attempts >= delaysMs.length) throw last
        await sleep(delaysMs[attempts++], undefined, { signal })
        try {
          await restart(signal)
          break
        } catch (error) {
          signal.throwIfAborted()
          last = error as Error
          if (attempts < delaysMs.length)
            log(
              DATABASE_SERVER_LOG.restart_failed({
                error: last.message,
                nextSeconds: delaysMs[attempts]! / 1000,
              }),
            )
        }
      }
      upSince = Date.now()
      log(DATABASE_SERVER_LOG.running_again({}))
    }
  }

  const watching = watch().catch((error: unknown) => {
    if (!signal.aborted) onGiveUp(error as Error)
  })
  return async () => {
    stopping.abort()
    await watching
  }
}
