import type { Json } from './json'

/** The two servers of the source, which answer the same addresses in other shapes. */
export const DIALECTS = ['python', 'rust'] as const
export type Dialect = (typeof DIALECTS)[number]

/** A row of the event log, as it is there when nothing was lost. Ids are texts of digits. */
export interface NoetlEvent {
  eventId: string
  eventType: string
  nodeName: string | null
  status: string
  /** As the source writes it: without a zone it is UTC. */
  createdAt: string
  nodeId?: string | null
  nodeType?: string | null
  catalogId?: string | null
  parentEventId?: string | null
  parentExecutionId?: string | null
  context?: Json
  result?: Json
  error?: string | null
  duration?: Json
  /** What only the tables show. */
  meta?: Json
  commandId?: string
  workerId?: string
  /** What the worker replied, before the projection; only a capture at the worker shows it. */
  reply?: Json
}

/** The rows of a run, oldest first. Those of a long run are made when they are asked for. */
export interface EventRows {
  count: number
  at(index: number): NoetlEvent
}

export interface NoetlRun {
  executionId: string
  catalogId: string
  path: string
  version: number
  parentExecutionId: string | null
  workload: Json
  events: EventRows
  /** The run that diagnosed an agent of this one; named by the handle that a loss puts in the place of the diagnosis. */
  diagnosisExecutionId?: string
  variables?: Json
  /** Members of the document's head that a recording holds otherwise than they would be derived. */
  recordedHead?: { dialect: Dialect; members: Record<string, Json> }
  recordedStatus?: Json
}

export const rowsOf = (events: readonly NoetlEvent[]): EventRows => ({
  count: events.length,
  at: (index) => {
    const event = events[index]
    if (event === undefined) throw new RangeError(`No row ${index} of ${events.length}`)
    return event
  },
})

/** @param from index of the first row, oldest first @param to index after the last one */
export const sliceRows = (rows: EventRows, from: number, to: number): NoetlEvent[] =>
  Array.from({ length: Math.max(0, Math.min(to, rows.count) - Math.max(0, from)) }, (_, i) =>
    rows.at(Math.max(0, from) + i),
  )

/** A run without its newest rows, as somebody sees it who lags behind; its first row is always there. */
export const behind = (run: NoetlRun, rows: number): NoetlRun =>
  rows === 0 ? run : { ...run, events: { ...run.events, count: Math.max(1, run.events.count - rows) } }

/** The index of the newest row that fits, or -1. */
export function lastIndexOf(rows: EventRows, fits: (event: NoetlEvent) => boolean): number {
  for (let i = rows.count - 1; i >= 0; i--) if (fits(rows.at(i))) return i
  return -1
}

/** A time of the source in milliseconds: without a zone it is UTC. */
export const timeMs = (time: string): number =>
  Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time}Z`)
