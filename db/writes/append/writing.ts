import { oddDetailText } from '@/lib/words/odd-details'
import type { NormalRecord } from '@/lib/model/normal-form'
import type { Tx } from '../../client'
import type { Sent } from '../../transaction'
import type { SourceRef } from '../receive/ensure-source'
import { OddList } from '../receive/odd-list'
import type { ExecutionRef } from './execution-ids'
import type { FreshEvents } from './fresh-events'

/** What a body has touched so far; the analysis at the end and its answer go by it. */
export interface Touched {
  executions: Map<string, ExecutionRef>
  /** Ids of executions that nothing came of, but of which more is known now. */
  beside: Set<string>
  accepted: number
  duplicates: number
  odd: OddList
}

export const nothingTouched = (): Touched => ({
  executions: new Map(),
  beside: new Set(),
  accepted: 0,
  duplicates: 0,
  odd: new OddList(),
})

/** What the bodies of one transaction share. */
export interface Transaction {
  tx: Tx
  projectId: string
  /** Takes the events of executions that this transaction made as they are written. */
  fresh?: FreshEvents
  /** Each record and each execution by itself, because one of them broke the time before; see `OpenTransaction`. */
  apart?: boolean
  /** Statements that were sent and not waited for, so that the next ones go along with them; `settle` before the end. */
  sent: Sent
}

/** One body being written. */
export interface Writing extends Transaction {
  source: SourceRef
  touched: Touched
  /** Tag by which failure signals are looked for; unset: the default one. */
  failureTag?: string
}

export function touch({ touched, fresh }: Pick<Writing, 'touched' | 'fresh'>, ref: ExecutionRef): void {
  if (ref.isNew) fresh?.make(ref)
  touched.executions.set(ref.id, ref)
}

export function note(touched: Touched, records: readonly NormalRecord[]): void {
  touched.accepted += records.length
  for (const record of records)
    if (record.oddReason)
      touched.odd.add({
        offset: record.offset,
        reason: record.oddReason,
        detail: oddDetailText(record.oddDetail!),
      })
}
