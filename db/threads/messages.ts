import type { IngestAnswer } from '@/lib/api/schemas'
import type { DirtyWork } from '../writes/analyse'
import type { IngestBody } from '../writes/ingest-body'
import type { FixKey } from '../writes/read-stored-fix'
import type { CheckAnswer, CheckOrder } from '../writes/sweep-parity'

export interface ThreadSettings {
  url: string
  prepare: boolean
  /** Transactions that the thread works on at once. */
  atOnce: number
  /** Patches that it proposes are read by somebody else, whom it tells of them. */
  tellsPatches: boolean
}

/** Bodies that are taken in together, an analysis or a check of parity that is due, that a body waits for a check to end, or that no more will come. */
export type ToThread =
  | { id: number; bodies: IngestBody[] }
  | { id: number; dirty: DirtyWork }
  | { id: number; check: CheckOrder }
  | 'give way'
  | 'end'

/** An error on its way between threads: classes and causes do not survive the journey, the code by which it is told apart does. */
export interface ThreadError {
  name: string
  message: string
  stack?: string
  code?: string
}

export type ThreadAnswer = IngestAnswer | number | CheckAnswer

/** An answer for a body, a number for an analysis, a word for a check. */
export type ThreadOutcome =
  | { answer: ThreadAnswer; error?: undefined }
  | { answer?: undefined; error: ThreadError }

/** What became of each body, in their order, or of the analysis or the check; or a patch that is to be read. */
export type FromThread = { id: number; outcomes: ThreadOutcome[] } | { patch: FixKey }
