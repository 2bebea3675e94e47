import type { Sql } from '../client'
import { TablesError } from './tables-problem'

/** A table that is there, by its quoted name, with the columns that we may read. */
export interface Table {
  name: string
  columns: readonly string[]
}

/** The tables of a NoETL database. Only the event log has to be there: older versions and careful owners have or grant no others. */
export interface NoetlTables {
  events: Table
  execution: Table | null
  command: Table | null
}

const NEEDED = ['execution_id', 'event_id', 'event_type']

/**
 * Which tables there are, and what they hold: versions of NoETL differ in both. The view `noetl.event_log` stands in for the table of events.
 *
 * @throws TablesError `no_such_table` or `not_allowed` when no event log can be read
 */
export async function findTables(sql: Sql): Promise<NoetlTables> {
  const found = await sql<{ name: string; readable: boolean; columns: string }[]>`
    select c.relname::text as name, has_schema_privilege(n.oid, 'usage') and has_any_column_privilege(c.oid, 'select') as readable,
      coalesce((select json_agg(i.column_name::text order by i.ordinal_position)::text from information_schema.columns i
        where i.table_schema = n.nspname and i.table_name = c.relname and has_column_privilege(c.oid, i.column_name::text, 'select')), '[]') as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'noetl' and c.relname in ('event', 'event_log', 'execution', 'command') and c.relkind in ('r', 'p', 'v', 'm', 'f')`
  const tableOf = (name: string, needed: readonly string[]): Table | null => {
    const row = found.find((one) => one.name === name && one.readable)
    const columns = row === undefined ? [] : (JSON.parse(row.columns) as string[])
    return needed.every((column) => columns.includes(column)) ? { name: `noetl.${name}`, columns } : null
  }
  const events = tableOf('event', NEEDED) ?? tableOf('event_log', NEEDED)
  if (events === null)
    throw new TablesError(
      found.some(({ name, readable }) => name.startsWith('event') && !readable)
        ? 'not_allowed'
        : 'no_such_table',
    )
  return {
    events,
    execution: tableOf('execution', ['execution_id']),
    command: tableOf('command', ['command_id', 'execution_id', 'attempt']),
  }
}

/** Columns for a select, each as the text of its JSON: no digit of an id, in a column or inside of jsonb, passes through a number of ours. */
export const jsonColumns = ({ columns }: Pick<Table, 'columns'>): string =>
  columns.map((column, i) => `to_json(e."${column.replaceAll('"', '""')}")::text as c${i}`).join(', ')

export type JsonRow = Record<`c${number}`, string | null>

/** A row as one line of JSON, without the columns that are null. A column of type json keeps its line breaks, which are white space there. */
export function rowText({ columns }: Pick<Table, 'columns'>, row: JsonRow): string {
  const members = columns.flatMap((column, i) => {
    const text = row[`c${i}`]
    return text === null || text === undefined
      ? []
      : [`${JSON.stringify(column)}:${text.replace(/[\r\n]+/g, ' ')}`]
  })
  return `{${members.join(',')}}`
}
