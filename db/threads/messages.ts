import type { IngestAnswer } from '@/lib/api/ingest-schemas'
import type { DirtyWork } from '../writes/derive/analyse'
import type { IngestBody } from '../writes/receive/ingest-body'
import type { FixKey } from '../fixes/read-stored-fix'
import type { ReingestKey } from '../rebuild/reingest-job'
import type { CheckAnswer, CheckOrder } from '../parity/sweep-parity'

export interface ThreadSettings {
  url: string
  prepare: boolean
  /** Transactions that the thread works on at once. */
  atOnce: number
  /** Patches that it proposes are read by another thread, which it notifies. */
  tellsPatches: boolean
}

/** A step of a rebuild. */
export type ReingestOrder = ReingestKey & { failureTag?: string }

/** Bodies that are taken in together, an analysis, a check of parity or a step of a rebuild that is due, that a body waits for a check to end, or that no more will come. */
export type ToThread =
  | { id: number; bodies: IngestBody[] }
  | { id: number; dirty: DirtyWork }
  | { id: number; check: CheckOrder }
  | { id: number; reingest: ReingestOrder }
  | 'give way'
  | 'end'

/** An error on its way between threads: classes and causes do not survive the journey, the code that identifies it does. */
export interface ThreadError {
  name: string
  message: string
  stack?: string
  code?: string
}

export type ThreadAnswer = IngestAnswer | number | boolean | CheckAnswer

/** An answer for a body, a number for an analysis, a word for a check, whether there is more for a rebuild. */
export type ThreadOutcome =
  | { answer: ThreadAnswer; error?: undefined }
  | { answer?: undefined; error: ThreadError }

/** What became of each body, in their order, or of the analysis or the check; or a patch that is to be read. */
export type FromThread = { id: number; outcomes: ThreadOutcome[] } | { patch: FixKey }
