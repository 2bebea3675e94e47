import { errorLine } from '../describe-error'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { limits } from '@/lib/limits'
import type { WhyUnread } from '@/lib/judge/fixes/unread'
import { openDb } from '../client'
import { noteUnread, type FixKey } from '../fixes/read-stored-fix'
import type { PatchReader } from '../fixes/patch-reader'
import { BACKGROUND_WORK_WORDS } from '@/lib/words/background-work'

export interface PatchThreadSettings {
  url: string
  prepare: boolean
}

/** That a patch is read, or why it could not be. */
export interface PatchMessage {
  failed: string | null
}

export interface PatchReaderOptions {
  url: string
  /** The bundled `patch-thread.ts`. */
  script: string | URL
  prepare?: boolean
  /** Milliseconds after which the reading of one patch is ended. */
  limitMs?: number
  /** Milliseconds without a patch after which the thread ends and gives its memory back. */
  idleMs?: number
  onError?: (message: string) => void
}

const IDLE_MS = 30_000
/** Beside the patch itself, which is outside of it. A patch of which the sections alone need more is kept unread. */
const HEAP_MB = 256
const YOUNG_MB = 8

/**
 * Reads stored patches in a thread of its own, one at a time, so that one patch is in memory at once. What an agent wrote decides how long that takes,
 * so it is ended when its time is over, and the fix then says why it is not read.
 */
export function createPatchReader({
  url,
  script,
  prepare = true,
  limitMs = limits.patchReadMsMax,
  idleMs = IDLE_MS,
  onError = () => {},
}: PatchReaderOptions): PatchReader & { close(): Promise<void> } {
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let closed = false

  function begin(): Worker {
    const workerData: PatchThreadSettings = { url, prepare }
    return new Worker(script, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
    })
  }

  /** Why the patch was not read; null when it was. */
  function ask(key: FixKey): Promise<WhyUnread | null> {
    const asked = (worker ??= begin())
    asked.ref()
    return new Promise((resolve) => {
      const done = (why: WhyUnread | null, isLost: boolean): void => {
        clearTimeout(timer)
        asked.removeAllListeners('message').removeAllListeners('error').removeAllListeners('exit')
        // Whatever a thread that is ended still says is of no interest to anybody.
        asked.on('error', () => {})
        if (isLost) {
          worker = null
          void asked.terminate()
        } else asked.unref()
        resolve(why)
      }
      const timer = setTimeout(() => done('over-time', true), limitMs)
      asked.once('message', ({ failed }: PatchMessage) => {
        if (failed !== null) onError(BACKGROUND_WORK_WORDS.reading_patch_failed({ error: failed }))
        done(failed === null ? null : 'broke-off', false)
      })
      asked.once('error', (error) => {
        onError(BACKGROUND_WORK_WORDS.reading_patch_failed({ error: errorLine(error) }))
        done('broke-off', true)
      })
      asked.once('exit', () => done('broke-off', true))
      asked.postMessage(key)
    })
  }

  async function readOne(key: FixKey): Promise<void> {
    // What nobody came to is read after the next start.
    if (closed) return
    clearTimeout(idle)
    const why = await ask(key)
    if (why !== null) await note(key, why)
  }

  async function note(key: FixKey, why: WhyUnread): Promise<void> {
    const db = openDb(url, { prepare, max: 1 })
    await noteUnread(db, key, why).catch((error: unknown) =>
      onError(BACKGROUND_WORK_WORDS.noting_unread_failed({ error: errorLine(error) })),
    )
    await db.close()
  }

  async function end(): Promise<void> {
    const going = worker
    worker = null
    if (going === null) return
    going.postMessage('end')
    await once(going, 'exit')
  }

  return {
    read(key) {
      waiting++
      const reading = last
        .then(() => readOne(key))
        .finally(() => {
          if (--waiting > 0 || closed) return
          idle = setTimeout(() => void end(), idleMs)
          idle.unref()
        })
      last = reading.catch(() => {})
      return reading
    },
    async close() {
      closed = true
      clearTimeout(idle)
      await last
      await end()
    },
  }
}
