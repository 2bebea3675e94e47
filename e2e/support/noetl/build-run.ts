import type { Json, JsonObject } from './json'
import { rowsOf, timeMs, type EventRows, type NoetlEvent, type NoetlRun } from './runs'

const EPOCH_MS = Date.parse('2024-01-01T00:00:00Z')

/** An id as the source makes them: milliseconds since 2024 before the bits of a machine and a sequence number. All exceed 2^53. */
export const snowflake = (time: string, sequence: number): string =>
  String((BigInt(timeMs(time) - EPOCH_MS) << 23n) | BigInt(0x1_0000 + (sequence % 0xfff0)))

export type Row = Partial<NoetlEvent> &
  Pick<NoetlEvent, 'eventType' | 'nodeName'> & {
    /** Milliseconds after the run began. */
    at: number
  }

export interface RunPlan {
  path: string
  startedAt: string
  /** Tells runs apart that began at the same time. */
  sequence?: number
  parentExecutionId?: string | null
  workload?: Json
  rows: Row[]
  /** Times as the columns hold them: in UTC, which they do not say. */
  withoutZone?: boolean
  version?: number
  variables?: Json
  diagnosisExecutionId?: string
}

/** A run with its ids and times worked out; its first row is that of the start. */
export function buildRun(plan: RunPlan): NoetlRun {
  const {
    path,
    startedAt,
    sequence = 0,
    parentExecutionId = null,
    workload = {},
    rows,
    withoutZone,
    version = 1,
  } = plan
  const start = timeMs(startedAt)
  const first: Row = {
    at: 0,
    eventType: 'playbook.initialized',
    nodeName: path,
    status: 'INITIALIZED',
    context: { workload },
  }
  const events = [first, ...rows].map(({ at, ...row }, i): NoetlEvent => {
    const time = new Date(start + at).toISOString().replace('Z', '000Z')
    const startRow = row.eventType === 'playbook.initialized' || row.eventType === 'command.issued'
    return {
      eventId: snowflake(time, sequence * 1000 + i + 1),
      status: statusOf(row.eventType),
      createdAt: withoutZone ? time.slice(0, -1) : time,
      parentExecutionId: startRow ? parentExecutionId : null,
      nodeType: row.nodeName === path ? 'playbook' : 'step',
      ...row,
    }
  })
  const { variables, diagnosisExecutionId } = plan
  return {
    executionId: snowflake(startedAt, sequence * 1000),
    catalogId: snowflake('2026-01-05T08:00:00Z', sequence),
    path,
    version,
    parentExecutionId,
    workload,
    events: rowsOf(events),
    variables,
    diagnosisExecutionId,
  }
}

/** The source derives a row's status from the name of its type alone. */
function statusOf(eventType: string): string {
  if (eventType === 'command.issued') return 'PENDING'
  if (eventType === 'execution.cancelled') return 'CANCELLED'
  if (/error|failed/.test(eventType)) return 'FAILED'
  return /done|exit|completed/.test(eventType) ? 'COMPLETED' : 'RUNNING'
}

export interface StepPlan {
  at: number
  ms: number
  name: string
  commandId: string
  /** Of the command; `agent` for a step that runs another playbook. */
  kind?: string
  attempt?: number
  /** What is in `result.context` of the rows that end it. */
  context?: JsonObject
  reply?: Json
  /** The step failed with this text. */
  error?: string
}

/** The rows of a step in their order. */
export function stepRows({
  at,
  ms,
  name,
  commandId,
  kind = 'http',
  attempt = 1,
  context,
  reply,
  error,
}: StepPlan): Row[] {
  const shared = { nodeName: name, commandId, workerId: 'worker-stand-in-1' }
  const meta = { attempt, max_attempts: 3 }
  const ended = (status: string): JsonObject => ({ status, ...(context === undefined ? {} : { context }) })
  const end = at + ms
  const word = error === undefined ? 'COMPLETED' : 'FAILED'
  const last = error === undefined ? {} : { error }
  return [
    { ...shared, at, eventType: 'command.issued', context: { tool_kind: kind }, meta },
    { ...shared, at: at + 20, eventType: 'command.claimed', result: { status: 'RUNNING' } },
    { ...shared, at: at + 30, eventType: 'command.started', result: { status: 'RUNNING' } },
    { ...shared, at: at + 40, eventType: 'step.enter', result: { status: 'RUNNING' } },
    {
      ...shared,
      at: end,
      eventType: error === undefined ? 'call.done' : 'call.error',
      result: ended(word),
      reply,
      duration: ms / 1000,
      ...last,
    },
    { ...shared, at: end, eventType: 'step.exit', result: ended(word), ...last },
    {
      ...shared,
      at: end + 10,
      eventType: error === undefined ? 'command.completed' : 'command.failed',
      result: { status: word, context: { ...context, command_id: BigInt(commandId) } },
      ...last,
    },
  ]
}

/** As many rows as wanted, made when they are asked for: loop items between a start and an end. */
function manyRows(count: number, { path, startedAt }: Pick<RunPlan, 'path' | 'startedAt'>): EventRows {
  const start = timeMs(startedAt)
  // Ten rows in each millisecond: neighbours of one are the same number in binary64.
  const at = (index: number): NoetlEvent => {
    const createdAt = new Date(start + Math.floor(index / 10)).toISOString().replace('Z', '000Z')
    const shared = { eventId: snowflake(createdAt, index % 10), createdAt }
    if (index === 0) {
      const context = { workload: { items: count } }
      return { ...shared, eventType: 'playbook.initialized', nodeName: path, status: 'INITIALIZED', context }
    }
    if (index === count - 1) {
      return {
        ...shared,
        eventType: 'playbook.completed',
        nodeName: path,
        status: 'COMPLETED',
        result: { status: 'COMPLETED' },
      }
    }
    return {
      ...shared,
      eventType: 'loop.item',
      nodeName: 'each_item',
      status: 'RUNNING',
      result: { status: 'RUNNING', context: { index, loop_event_id: BigInt(shared.eventId) } },
    }
  }
  return { count, at }
}

/** A run of so many rows. @param sequence tells runs apart that began at the same time */
export function longRun(
  count: number,
  { path = 'stand-in/long_loop', startedAt = '2026-05-06T09:00:00Z', sequence = 900 } = {},
): NoetlRun {
  return {
    ...buildRun({ path, startedAt, sequence, rows: [], workload: { items: count } }),
    events: manyRows(count, { path, startedAt }),
  }
}
