import { parentPort, workerData } from 'node:worker_threads'
import { openDb } from '../client'
import { sqlState } from '../sql-state'
import { ingestBody } from '../writes/ingest'
import type { FromThread, ThreadSettings, ToThread } from './messages'

/**
 * What runs in an ingest thread: takes bodies in with a small pool of its own, one answer for each. Bundled as `dist/ingest-thread.mjs`.
 */
const { url, prepare, atOnce } = workerData as ThreadSettings
// One more than bodies: a retry may wait beside its transaction.
const db = openDb(url, { prepare, max: atOnce + 1 })
const port = parentPort!
const answer = (message: FromThread): void => port.postMessage(message)

port.on('message', async (message: ToThread) => {
  if (message === 'end') {
    await db.close()
    return port.close()
  }
  const { id, body } = message
  try {
    answer({ id, answer: await ingestBody(db, body) })
  } catch (error) {
    const { name, message: text, stack } = error as Error
    answer({ id, error: { name, message: text, stack, code: sqlState(error) ?? undefined } })
  }
})
