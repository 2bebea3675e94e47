import { limits } from '@/lib/limits'
import type { Sql } from '../client'
import { jsonColumns, rowText, type JsonRow, type NoetlTables } from './find-tables'

/** A run with rows that were not read yet. Ids are texts of digits, here and below. */
export interface ChangedRun {
  run: string
  rows: number
}

/**
 * Runs with rows after an event id, oldest change first, as far as about `rowsMax` rows go.
 *
 * @returns `until`: the newest event id of these rows; null when there are none. `more`: there are others after it
 */
export async function listChangedRuns(
  sql: Sql,
  { events }: NoetlTables,
  after: string,
  rowsMax: number,
): Promise<{ runs: ChangedRun[]; until: string | null; more: boolean }> {
  // Rows of two runs may share an id, which is at the end then: it is not cut between them.
  const rows = await sql.unsafe<{ run: string; rows: string; until: string; ahead: boolean }[]>(
    `with page as (select event_id from ${events.name} where event_id > $1::bigint order by event_id limit $2::int),
       until as (select max(event_id) as id from page)
     select e.execution_id::text as run, count(*)::text as rows, (select id::text from until) as until,
       exists (select from ${events.name} l where l.event_id > (select id from until)) as ahead
     from ${events.name} e where e.event_id > $1::bigint and e.event_id <= (select id from until)
     group by e.execution_id order by min(e.event_id)`,
    [after, rowsMax],
  )
  return {
    runs: rows.map(({ run, rows: count }) => ({ run, rows: Number(count) })),
    until: rows[0]?.until ?? null,
    more: rows[0]?.ahead ?? false,
  }
}

export interface Batch {
  /** Lines of JSON, as ingest of the kind `noetl` takes them. */
  bytes: Uint8Array
  /** Id of the last one; null when there is none. */
  last: string | null
  more: boolean
}

/** Rows that the database hands over at once: what a batch may hold beyond its bytes. */
const ROWS_AT_ONCE = 32

/** Some rows of a run after an event id, up to another, in the order of their ids: as many as `tableBatchBytes` hold, and at least one. */
export function readRows(
  sql: Sql,
  { events }: NoetlTables,
  run: string,
  after: string,
  until: string,
): Promise<Batch> {
  const text = `select e.event_id::text as id, ${jsonColumns(events)} from ${events.name} e
    where e.execution_id = $1::bigint and e.event_id > $2::bigint and e.event_id <= $3::bigint order by e.event_id`
  return readBatch(sql, text, [run, after, until], (row) => rowText(events, row))
}

/**
 * Some commands of a run after a command id: of those only that rows after an event id, up to another, are about, where rows name their
 * command. None where there is no table of commands.
 */
export async function readCommands(
  sql: Sql,
  { events, command }: NoetlTables,
  run: string,
  rows: { after: string; until: string },
  after: string,
): Promise<Batch> {
  if (command === null) return { bytes: new Uint8Array(), last: null, more: false }
  const isNamed = events.columns.includes('command_id')
  const named = isNamed
    ? ` and e.command_id in (select l.command_id from ${events.name} l where l.execution_id = $1::bigint and l.event_id > $3::bigint and l.event_id <= $4::bigint)`
    : ''
  const text = `select e.command_id::text as id, ${jsonColumns(command)} from ${command.name} e
    where e.execution_id = $1::bigint and e.command_id > $2::bigint${named} order by e.command_id`
  return readBatch(sql, text, [run, after, ...(isNamed ? [rows.after, rows.until] : [])], (row) =>
    rowText(command, row),
  )
}

async function readBatch(
  sql: Sql,
  text: string,
  params: string[],
  write: (row: JsonRow) => string,
): Promise<Batch> {
  const lines: string[] = []
  let length = 0
  let last: string | null = null
  for await (const rows of sql.unsafe<(JsonRow & { id: string })[]>(text, params).cursor(ROWS_AT_ONCE)) {
    if (length >= limits.tableBatchBytes) return { bytes: bytesOf(lines), last, more: true }
    for (const row of rows) {
      const line = write(row)
      length += line.length
      lines.push(line)
      last = row.id
    }
  }
  return { bytes: bytesOf(lines), last, more: false }
}

const bytesOf = (lines: readonly string[]): Uint8Array =>
  Buffer.from(lines.map((line) => `${line}\n`).join(''))

/** How many rows of a run the log holds up to an event id. */
export async function countRows(
  sql: Sql,
  { events }: NoetlTables,
  run: string,
  until: string,
): Promise<number> {
  const [row] = await sql.unsafe<{ rows: string }[]>(
    `select count(*)::text as rows from ${events.name} where execution_id = $1::bigint and event_id <= $2::bigint`,
    [run, until],
  )
  return Number(row!.rows)
}

/** A line that says how many rows of a run the log holds up to an event id, with the engine's own row of the run where it has one. */
export async function readLogMark(
  sql: Sql,
  { events, execution }: NoetlTables,
  run: string,
  until: string,
): Promise<{ line: Uint8Array; rows: number }> {
  const [held] = await sql.unsafe<{ rows: string; oldest: string | null; newest: string | null }[]>(
    `select count(*)::text as rows, min(event_id)::text as oldest, max(event_id)::text as newest from ${events.name}
     where execution_id = $1::bigint and event_id <= $2::bigint`,
    [run, until],
  )
  const [row] =
    execution === null
      ? []
      : await sql.unsafe<JsonRow[]>(
          `select ${jsonColumns(execution)} from ${execution.name} e where e.execution_id = $1::bigint limit 1`,
          [run],
        )
  const { rows, oldest, newest } = held!
  const own = execution === null || row === undefined ? '' : `,"execution":${rowText(execution, row)}`
  return {
    line: bytesOf([
      `{"execution_id":${run},"event_log":{"rows":${rows},"oldest":${oldest},"newest":${newest}}${own}}`,
    ]),
    rows: Number(rows),
  }
}
