import { OddList } from './receive/odd-list'
import type { AnalysedEvent } from '@/lib/model/summary'
import type { Door, NormalRecord, RedactionMark } from '@/lib/model/normal-form'
import type { Tx } from '../client'
import type { ExecutionRef, SourceRef } from './append/execution-ids'
import { marksWithin } from './append/store-records'

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
  /** Events of executions that this transaction made, as the analysis reads them: they need not be read back. */
  fresh?: FreshEvents
  /** Each execution is analysed by itself, because an analysis broke the time before. */
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

/**
 * Statements on their way: each is sent by `execute()`, because one that is only awaited leaves a little later, after others that
 * were sent behind it. The server works them off in order, and one that fails ends the transaction with its own error
 * (postgres.js keeps the first one), so only the end has to wait for all of them.
 */
export class Sent {
  private readonly statements: Promise<unknown>[] = []

  add(statement: Promise<unknown>): void {
    // Sent at once, and heard of at the end.
    statement.catch(() => {})
    this.statements.push(statement)
  }

  async settle(): Promise<void> {
    await Promise.all(this.statements.splice(0))
  }
}

export interface FreshEvent {
  event: AnalysedEvent
  redactions: number
  /** Our id of its stream: events are read back in the order of these. */
  streamRow: string
}

/** More events than this are read back after all: memory is bounded by a part, not by a body. */
const FRESH_MAX = 10_000

/** Holds the events of new executions while they are few. */
export class FreshEvents {
  private readonly held = new Map<string, FreshEvent[]>()
  private readonly made = new Set<string>()
  private count = 0

  /** Notes that this transaction made the execution. */
  make(executionId: string): void {
    this.made.add(executionId)
  }

  /** Takes the event of an execution that this transaction made; those of others are read back. */
  add(executionId: string, event: FreshEvent): void {
    if (!this.made.has(executionId)) return
    if (++this.count > FRESH_MAX) return this.held.clear()
    const list = this.held.get(executionId)
    if (list) list.push(event)
    else this.held.set(executionId, [event])
  }

  isNew(executionId: string): boolean {
    return this.made.has(executionId)
  }

  /** One of its events is gone again: what is left is read back. */
  forget(executionId: string): void {
    this.made.delete(executionId)
    this.held.delete(executionId)
  }

  /** All events of the execution, in the order in which they would be read back; null when they are not all here. */
  of(executionId: string): readonly FreshEvent[] | null {
    const list = this.count > FRESH_MAX ? undefined : this.held.get(executionId)
    if (list === undefined) return null
    const first = list[0]!.streamRow
    // Those of one stream came in its order.
    if (list.every((one) => one.streamRow === first)) return list
    return list.sort((a, b) =>
      a.streamRow === b.streamRow ? a.event.offset - b.event.offset : a.streamRow < b.streamRow ? -1 : 1,
    )
  }
}

export interface FromStream {
  row: string
  name: string
  door: Door
  /** Digest of the kept bytes. */
  received: string
  marks: readonly RedactionMark[]
}

/** As it would be read back. */
export const freshEvent = (record: NormalRecord, from: FromStream): FreshEvent => ({
  redactions: record.within ? 0 : marksWithin(from.marks, record.keptStart, record.keptEnd),
  streamRow: from.row,
  event: {
    streamId: from.name,
    door: from.door,
    received: from.received,
    offset: record.offset,
    identity: record.identity,
    kind: record.kind,
    at: record.at,
    keptStart: record.keptStart,
    keptEnd: record.keptEnd,
    ...(record.oddReason === undefined ? {} : { oddReason: record.oddReason }),
    facts: record.facts,
  },
})

export function touch({ touched, fresh }: Pick<Writing, 'touched' | 'fresh'>, ref: ExecutionRef): void {
  if (ref.isNew) fresh?.make(ref.id)
  touched.executions.set(ref.id, ref)
}

export function note(touched: Touched, records: readonly NormalRecord[]): void {
  touched.accepted += records.length
  for (const record of records)
    if (record.oddReason)
      touched.odd.add({ offset: record.offset, reason: record.oddReason, detail: record.oddDetail ?? '' })
}
