import type { IngestAnswer } from '@/lib/api/schemas'
import type { DirtyWork } from '../writes/analyse'
import type { IngestBody } from '../writes/ingest-body'

export interface ThreadSettings {
  url: string
  prepare: boolean
  /** Transactions that the thread works on at once. */
  atOnce: number
}

/** Bodies that are taken in together, an analysis that is due, or that no more will come. */
export type ToThread = { id: number; bodies: IngestBody[] } | { id: number; dirty: DirtyWork } | 'end'

/** An error on its way between threads: classes and causes do not survive the journey, the code by which it is told apart does. */
export interface ThreadError {
  name: string
  message: string
  stack?: string
  code?: string
}

/** An answer for a body, a number for an analysis. */
export type ThreadOutcome = { answer: IngestAnswer | number; error?: undefined } | { answer?: undefined; error: ThreadError }

/** What became of each body, in their order, or of the analysis. */
export interface FromThread {
  id: number
  outcomes: ThreadOutcome[]
}
