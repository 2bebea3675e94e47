import { LosslessNumber } from 'lossless-json'
import { isObject, readJson, type Json, type JsonObject } from './json'
import { rowsOf, type NoetlEvent, type NoetlRun } from './runs'

interface Beside {
  /** A recorded status document of the same run. */
  statusText?: string
  diagnosisExecutionId?: string
}

/**
 * A run of a recorded detail document, of either dialect, with every digit and with the spelling of its head.
 */
export function runOfDocument(text: string, { statusText, diagnosisExecutionId }: Beside = {}): NoetlRun {
  const document = readJson(text)
  if (!isObject(document) || !Array.isArray(document.events))
    throw new Error('Not a detail document of an execution')
  const isRust = 'started_at' in document
  const rows = document.events.filter(isObject)
  const oldestFirst = isRust ? rows : rows.toReversed()
  const executionId = idOf(document.execution_id)!
  const events = oldestFirst.map(eventOf)
  const commands = new Map(
    oldestFirst.flatMap((row) => {
      const command = commandIdOf(row)
      return command === null ? [] : [[row.node_name, command] as const]
    }),
  )
  for (const event of events) event.commandId = commands.get(event.nodeName ?? undefined)
  const { events: _, pagination: __, events_included: ___, events_endpoint: ____, ...head } = document
  return {
    executionId,
    catalogId: idOf(document.catalog_id) ?? '0',
    path: String(document.path),
    version: Number(document.version ?? 1),
    parentExecutionId: idOf(document.parent_execution_id),
    workload: document.workload ?? workloadOf(oldestFirst[0]),
    events: rowsOf(events),
    diagnosisExecutionId,
    recordedHead: { dialect: isRust ? 'rust' : 'python', members: head as Record<string, Json> },
    recordedStatus: statusText === undefined ? undefined : readJson(statusText),
  }
}

const idOf = (value: Json | undefined): string | null =>
  typeof value === 'string' ? value : value instanceof LosslessNumber ? value.value : null

function commandIdOf(row: JsonObject): string | null {
  const context = isObject(row.result) ? row.result.context : undefined
  return isObject(context) ? idOf(context.command_id) : null
}

const workloadOf = (row: JsonObject | undefined): Json =>
  isObject(row?.context) ? (row.context.workload ?? null) : null

const eventOf = (row: JsonObject): NoetlEvent => ({
  eventId: idOf(row.event_id)!,
  eventType: String(row.event_type),
  nodeName: textOf(row.node_name),
  nodeId: textOf(row.node_id),
  status: String(row.status),
  createdAt: String(row.created_at),
  catalogId: idOf(row.catalog_id),
  parentEventId: idOf(row.parent_event_id),
  parentExecutionId: idOf(row.parent_execution_id),
  context: row.context,
  result: row.result,
  error: textOf(row.error),
  duration: row.duration,
})

const textOf = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null)
