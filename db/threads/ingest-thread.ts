import { describeError } from '../describe-error'
import { parentPort, workerData } from 'node:worker_threads'
import { openDb } from '../client'
import { PATIENT } from '../store-gate'
import { sqlState } from '../sql-state'
import { analyseDirty } from '../writes/derive/analyse'
import { ingestBodies, type Outcome } from '../writes/ingest'
import { stepReingest } from '../rebuild/reingest-job'
import { checkInTurn } from '../parity/sweep-parity'
import type { FixStore } from '../fixes/patch-reader'
import type { FromThread, ThreadAnswer, ThreadOutcome, ThreadSettings, ToThread } from './messages'

/**
 * What runs in an ingest thread: takes bodies in with a small pool of its own, one outcome for each, analyses what is due and compares layers.
 * Bundled as `dist/ingest-thread.mjs`.
 */
const { url, prepare, atOnce, tellsPatches } = workerData as ThreadSettings
// One more than transactions: a retry may wait beside its transaction.
const db = openDb(url, { prepare, max: atOnce + 1, gate: PATIENT })
const port = parentPort!
const answer = (message: FromThread): void => port.postMessage(message)
// What an agent wrote decides how long its patch is read; whoever sends a body does not wait for that.
const store: FixStore = {
  sql: db.sql,
  ...(tellsPatches && { patches: { read: async (key) => answer({ patch: key }) } }),
}

/** Breaks the check off that is under way. */
let giveWay = new AbortController()

port.on('message', async (message: ToThread) => {
  if (message === 'give way') return giveWay.abort()
  if (message === 'end') {
    await db.close()
    return port.close()
  }
  const outcomes = await workOff(message)
  answer({
    id: message.id,
    outcomes: outcomes.map((outcome) =>
      'error' in outcome ? { error: errorMessage(outcome.error) } : outcome,
    ),
  })
})

async function workOff(message: Exclude<ToThread, string>): Promise<(Outcome | { answer: ThreadAnswer })[]> {
  if ('bodies' in message) return ingestBodies(store, message.bodies)
  giveWay = new AbortController()
  const work: Promise<ThreadAnswer> =
    'dirty' in message
      ? analyseDirty(db, message.dirty)
      : 'reingest' in message
        ? stepReingest(store, message.reingest, message.reingest)
        : checkInTurn(db, message.check, giveWay.signal)
  return [
    await work.then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    ),
  ]
}

function errorMessage(error: unknown): NonNullable<ThreadOutcome['error']> {
  const { type: name, message, stack } = describeError(error)
  return { name, message, stack, code: sqlState(error) ?? undefined }
}
