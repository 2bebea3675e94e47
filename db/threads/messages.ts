import type { IngestAnswer } from '@/lib/api/schemas'
import type { IngestBody } from '../writes/ingest'

export interface ThreadSettings {
  url: string
  prepare: boolean
  /** Bodies that the thread works on at once. */
  atOnce: number
}

/** A body, or that no more will come. */
export type ToThread = { id: number; body: IngestBody } | 'end'

/** An error on its way between threads: classes and causes do not survive the journey, the code by which it is told apart does. */
export interface ThreadError {
  name: string
  message: string
  stack?: string
  code?: string
}

export type FromThread = { id: number } & ({ answer: IngestAnswer; error?: undefined } | { answer?: undefined; error: ThreadError })
