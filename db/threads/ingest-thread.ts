import { parentPort, workerData } from 'node:worker_threads'
import { openDb } from '../client'
import { sqlState } from '../sql-state'
import { analyseDirty, type DirtyWork } from '../writes/analyse'
import { ingestBodies, type Outcome } from '../writes/ingest'
import type { FromThread, ThreadOutcome, ThreadSettings, ToThread } from './messages'

/**
 * What runs in an ingest thread: takes bodies in with a small pool of its own, one outcome for each, and analyses what is due.
 * Bundled as `dist/ingest-thread.mjs`.
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
  const outcomes = 'bodies' in message ? await ingestBodies(db, message.bodies) : [await analyse(message.dirty)]
  answer({ id: message.id, outcomes: outcomes.map((outcome) => ('error' in outcome ? { error: told(outcome.error) } : outcome)) })
})

const analyse = (work: DirtyWork): Promise<{ answer: number } | Extract<Outcome, { error: unknown }>> =>
  analyseDirty(db, work).then((answer) => ({ answer }), (error: unknown) => ({ error }))

function told(error: unknown): NonNullable<ThreadOutcome['error']> {
  const { name, message, stack } = error as Error
  return { name, message, stack, code: sqlState(error) ?? undefined }
}
