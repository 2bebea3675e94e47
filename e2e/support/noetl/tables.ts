import type { Sql } from '@/db/client'
import { isObject, writeJson, type Json, type JsonObject } from './json'
import { isLostAt, rowAt, type Losses } from './losses'
import { stateOf } from './run-state'
import { behind, sliceRows, type NoetlEvent, type NoetlRun } from './runs'

/** Says of a schema that it is ours to drop. */
const MARK = 'Made by the NoETL stand-in of Inquest: test data, nothing runs behind it'

/** Columns of the event table, in the groups in which the source documents them. */
const EVENT_COLUMNS = `
  execution_id bigint not null, event_id bigint not null, catalog_id bigint, parent_event_id bigint, parent_execution_id bigint,
  prev_event_id bigint, command_id bigint, stage_id bigint, frame_id bigint,
  event_type varchar not null, node_id varchar, node_name varchar, node_type varchar, status varchar,
  created_at timestamp, event_time timestamptz, ingest_time timestamptz, duration double precision,
  context jsonb, result jsonb, meta jsonb, trace_component jsonb, payload_ref jsonb,
  error text, stack_trace text, worker_id text, distributed_state text, context_key text, context_value text,
  current_index integer, current_item text,
  tenant_id text, organization_id text, stream_id text, stream_version bigint, aggregate_id text, aggregate_type text, schema_name text,
  schema_version integer, producer text, causation_id text, correlation_id text, idempotency_key text, envelope_checksum text`

/** A result is null, or a status with a reference and a context that are objects. */
const RESULT_CHECK = `constraint event_result_shape check (result is null or (
  jsonb_typeof(result) = 'object' and jsonb_typeof(result -> 'status') = 'string'
  and (not result ? 'reference' or jsonb_typeof(result -> 'reference') = 'object')
  and (not result ? 'context' or jsonb_typeof(result -> 'context') = 'object')
  and result - array['status', 'reference', 'context'] = '{}'::jsonb) is true)`

/**
 * Lays the tables of a NoETL database with what its event log holds of these runs. A schema `noetl` that the stand-in did not make is left
 * alone, and refused.
 */
export async function layNoetlTables(
  sql: Sql,
  runs: readonly NoetlRun[],
  losses: Losses = {},
): Promise<void> {
  await sql.begin(async (tx) => {
    const [found] = await tx<{ mark: string | null }[]>`
      select obj_description(oid, 'pg_namespace') as mark from pg_namespace where nspname = 'noetl'`
    if (found !== undefined && found.mark !== MARK)
      throw new Error('This database has a schema noetl that is not of the stand-in')
    await tx.unsafe(`
      drop schema if exists noetl cascade;
      create schema noetl;
      comment on schema noetl is '${MARK}';
      create table noetl.event (${EVENT_COLUMNS},
        primary key (execution_id, event_id)${isLostAt(losses, 'stringifiedContext', 'event_log') ? '' : `, ${RESULT_CHECK}`}
      ) partition by range (execution_id);
      create table noetl.event_default partition of noetl.event default;
      create view noetl.event_log as select * from noetl.event;
      create table noetl.execution (
        execution_id bigint primary key, catalog_id bigint, parent_execution_id bigint, status varchar, last_event_type varchar,
        last_node_name varchar, last_event_id bigint, start_time timestamptz, end_time timestamptz, error text, state jsonb);
      create table noetl.command (
        command_id bigint primary key, execution_id bigint not null, event_id bigint, catalog_id bigint, parent_execution_id bigint,
        node_name varchar, tool_kind varchar, attempt integer, max_attempts integer, status varchar, result jsonb, error text,
        worker_id text, created_at timestamptz, updated_at timestamptz);
      create table noetl.catalog (catalog_id bigint primary key, path text, version integer, content text)`)
    const fill = async (table: string, columns: string, rows: JsonObject[]) => {
      const names = columns
        .split(', ')
        .map((column) => column.slice(0, column.indexOf(' ')))
        .join(', ')
      // As text: a client that knows of JSON would read and write the digits itself.
      const from = `jsonb_to_recordset($1::text::jsonb) as r (${columns})`
      await tx.unsafe(`insert into noetl.${table} (${names}) select ${names} from ${from}`, [writeJson(rows)])
    }
    for (const run of runs) {
      for (let from = 0; from < run.events.count; from += BATCH) {
        await fill(
          'event',
          EVENT_FILL,
          sliceRows(run.events, from, from + BATCH).map((event, i) => eventRow(event, from + i, run, losses)),
        )
      }
      await fill('execution', EXECUTION_FILL, [executionRow(run, losses.executionLag ?? 0)])
      await fill('command', COMMAND_FILL, commandRows(run, losses))
    }
    const entry = ({ catalogId, path, version }: NoetlRun) => ({
      catalog_id: catalogId,
      path,
      version,
      content: `path: ${path}\n`,
    })
    const catalog = new Map(runs.map((run) => [run.catalogId, entry(run)]))
    await fill('catalog', 'catalog_id bigint, path text, version integer, content text', [
      ...catalog.values(),
    ])
  })
}

const BATCH = 1000
const EVENT_FILL =
  'execution_id bigint, event_id bigint, catalog_id bigint, parent_event_id bigint, parent_execution_id bigint, ' +
  'prev_event_id bigint, command_id bigint, event_type varchar, node_id varchar, node_name varchar, node_type varchar, status varchar, ' +
  'created_at timestamp, event_time timestamptz, ingest_time timestamptz, duration double precision, context jsonb, result jsonb, ' +
  'meta jsonb, error text, worker_id text'
const EXECUTION_FILL =
  'execution_id bigint, catalog_id bigint, parent_execution_id bigint, status varchar, last_event_type varchar, ' +
  'last_node_name varchar, last_event_id bigint, start_time timestamptz, end_time timestamptz, error text, state jsonb'
const COMMAND_FILL =
  'command_id bigint, execution_id bigint, event_id bigint, catalog_id bigint, parent_execution_id bigint, ' +
  'node_name varchar, tool_kind varchar, attempt integer, max_attempts integer, status varchar, result jsonb, error text, ' +
  'worker_id text, created_at timestamptz, updated_at timestamptz'

const withZone = (time: string | null): string | null =>
  time === null || /(?:Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time}Z`
/** UTC, which the column does not say. */
const withoutZone = (time: string): string =>
  (/[+-]\d\d:?\d\d$/.test(time) ? new Date(time).toISOString() : time).replace(/Z$/, '')

function eventRow(event: NoetlEvent, index: number, run: NoetlRun, losses: Losses): JsonObject {
  const { result, context, meta } = rowAt('event_log', event, run, losses)
  const time = withZone(event.createdAt)
  return {
    execution_id: run.executionId,
    event_id: event.eventId,
    catalog_id: event.catalogId ?? run.catalogId,
    parent_event_id: event.parentEventId ?? null,
    parent_execution_id: event.parentExecutionId ?? null,
    prev_event_id: index === 0 ? null : run.events.at(index - 1).eventId,
    command_id: event.commandId ?? null,
    event_type: event.eventType,
    node_id: event.nodeId ?? event.nodeName,
    node_name: event.nodeName,
    node_type: event.nodeType ?? null,
    status: event.status,
    created_at: withoutZone(event.createdAt),
    event_time: time,
    ingest_time: time,
    duration: event.duration ?? null,
    context: context ?? null,
    result: result ?? null,
    meta: meta ?? null,
    error: event.error?.slice(0, 2000) ?? null,
    worker_id: event.workerId ?? null,
  }
}

/** The table lags behind the log: it knows the rows but the newest few. */
function executionRow(run: NoetlRun, lag: number): JsonObject {
  const { status, newest, startTime, endTime, decidedBy } = stateOf(behind(run, lag))
  return {
    execution_id: run.executionId,
    catalog_id: run.catalogId,
    parent_execution_id: run.parentExecutionId,
    status,
    last_event_type: newest?.eventType ?? null,
    last_node_name: newest?.nodeName ?? null,
    last_event_id: newest?.eventId ?? null,
    start_time: withZone(startTime),
    end_time: withZone(endTime),
    error: decidedBy?.error ?? null,
    state: { stand_in: true },
  }
}

function commandRows(run: NoetlRun, losses: Losses): JsonObject[] {
  const commands = new Map<string, JsonObject>()
  for (let i = 0; i < run.events.count; i++) {
    const event = run.events.at(i)
    if (event.commandId === undefined || !event.eventType.startsWith('command.')) continue
    const { result, meta, context } = rowAt('event_log', event, run, losses)
    const time = withZone(event.createdAt)
    const known = commands.get(event.commandId) ?? {
      command_id: event.commandId,
      execution_id: run.executionId,
      event_id: event.eventId,
      catalog_id: event.catalogId ?? run.catalogId,
      parent_execution_id: event.parentExecutionId ?? null,
      node_name: event.nodeName,
      tool_kind: memberOf(context, 'tool_kind'),
      attempt: memberOf(meta, 'attempt') ?? 1,
      max_attempts: memberOf(meta, 'max_attempts'),
      created_at: time,
    }
    const word = event.eventType.slice('command.'.length)
    const status =
      word === 'issued'
        ? 'PENDING'
        : word === 'claimed' || word === 'started'
          ? 'RUNNING'
          : word.toUpperCase()
    const ended = { result: result ?? null, error: event.error ?? null, worker_id: event.workerId ?? null }
    commands.set(event.commandId, { ...known, ...ended, status, updated_at: time })
  }
  return [...commands.values()]
}

const memberOf = (value: Json | undefined, key: string): Json =>
  isObject(value) ? (value[key] ?? null) : null
