import type { Environment } from '../settings'
import { listSpool } from '../spool'

/** Milliseconds between two looks, and after a look in which the server did not take what waits. */
const lookEveryMs = 1_000
const awayForMs = 30_000

/**
 * Sends the frames that hooks of a recorded agent leave in the spool of a server that the environment names: the agent has no key. What sends
 * is loaded with the first frame. @returns a function that ends it, after what it is sending just now
 */
export function followHooks(env: Environment): () => Promise<void> {
  let looking: Promise<void> | null = null
  let restsUntil = 0
  const look = async (): Promise<void> => {
    try {
      if (listSpool(env, { most: 1, young: true }).length === 0) return
      const { sendHookFrames } = await import('@/cli/record/conclude')
      if (!(await sendHookFrames(env))) restsUntil = Date.now() + awayForMs
    } catch {
      // It is tried again when the command has ended, and said there.
      restsUntil = Date.now() + awayForMs
    }
  }
  const timer = setInterval(() => {
    if (Date.now() >= restsUntil) looking ??= look().finally(() => (looking = null))
  }, lookEveryMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await looking
  }
}
