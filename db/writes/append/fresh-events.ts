import type { AnalysedEvent } from '@/lib/model/summary'
import type { Door, NormalRecord, RedactionMark } from '@/lib/model/normal-form'
import { marksWithin } from '../receive/marks-within'

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
