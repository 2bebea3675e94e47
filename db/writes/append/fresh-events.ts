import { analysedEvent } from '@/lib/analysis/analysed-event'
import type { InputChannel, NormalRecord } from '@/lib/model/normal-form'
import type { RedactionMark } from '@/lib/text/redaction/finding'
import type { AnalysedEvent } from '@/lib/model/summary'
import { marksWithin } from '../receive/marks-within'
import type { ExecutionRef } from './execution-ids'

/** An event that was just written, as it would be read back. */
export interface FreshEvent {
  event: AnalysedEvent
  redactions: number
}

/** Hears of the events of executions that this transaction made, so that they need not be read back. */
export interface FreshEvents {
  /** This transaction made the execution. */
  make(ref: Pick<ExecutionRef, 'id' | 'externalId'>): void
  isNew(executionId: string): boolean
  /** Takes the event of any execution; that of one which was there before is read back with the others. */
  add(executionId: string, fresh: FreshEvent): void
  /** One of its events is gone again: what is left is read back. */
  forget(executionId: string): void
}

export interface FromStream {
  name: string
  channel: InputChannel
  /** Digest of the kept bytes. */
  received: string
  marks: readonly RedactionMark[]
}

export const freshEvent = (record: NormalRecord, from: FromStream): FreshEvent => ({
  redactions: record.within ? 0 : marksWithin(from.marks, record.keptStart, record.keptEnd),
  event: analysedEvent(record, { streamId: from.name, channel: from.channel, received: from.received }),
})
