import { parentPort, workerData } from 'node:worker_threads'
import { openDb } from '../client'
import { sqlState } from '../sql-state'
import { ingestBodies } from '../writes/ingest'
import type { FromThread, ThreadOutcome, ThreadSettings, ToThread } from './messages'

/**
 * What runs in an ingest thread: takes bodies in with a small pool of its own, one outcome for each. Bundled as `dist/ingest-thread.mjs`.
 */
const { url, prepare, atOnce } = workerData as ThreadSettings
// One more than transactions: a retry may wait beside its transaction.
const db = openDb(url, { prepare, max: atOnce + 1 })
const port = parentPort!
const answer = (message: FromThread): void => port.postMessage(message)

port.on('message', async (message: ToThread) => {
  if (message === 'end') {
    await db.close()
    return port.close()
  }
  const { id, bodies } = message
  answer({ id, outcomes: (await ingestBodies(db, bodies)).map((outcome) => ('error' in outcome ? { error: told(outcome.error) } : outcome)) })
})

function told(error: unknown): NonNullable<ThreadOutcome['error']> {
  const { name, message, stack } = error as Error
  return { name, message, stack, code: sqlState(error) ?? undefined }
}
