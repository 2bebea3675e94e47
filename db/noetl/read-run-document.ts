import { limits } from '@/lib/limits'
import { findTables, jsonColumns, type JsonRow } from './find-tables'
import type { Tables } from './tables-client'

/** What the API returns of a row, and how it spells each column. */
const SPELLINGS = {
  execution_id: 'text',
  event_id: 'number',
  event_type: 'json',
  node_id: 'json',
  node_name: 'json',
  status: 'json',
  created_at: 'time',
  context: 'json',
  result: 'json',
  error: 'json',
  catalog_id: 'text',
  parent_execution_id: 'text',
  parent_event_id: 'text',
  duration: 'json',
} as const
type Spelling = (typeof SPELLINGS)[keyof typeof SPELLINGS]

const ROWS_AT_ONCE = 32

/**
 * A run as its event log holds it now, in the shape of the document that the API of the Python server gives, so that a difference between the
 * two has one path. It says what the log says: not what is derived from it, and not what the table of executions says, which lags.
 *
 * @param run id, digits
 * @returns null when the log holds nothing of the run. `complete`: all rows are in it; larger than what is compared, it is left off
 */
export function readRunDocument(
  tables: Tables,
  run: string,
): Promise<{ text: string; complete: boolean } | null> {
  return tables.read(async (sql) => {
    const { events: table } = await findTables(sql)
    const columns = (Object.keys(SPELLINGS) as (keyof typeof SPELLINGS)[]).filter((column) =>
      table.columns.includes(column),
    )
    const query = sql.unsafe<JsonRow[]>(
      `select ${jsonColumns({ columns })} from ${table.name} e where e.execution_id = $1::bigint order by e.event_id desc`,
      [run],
    )
    const events: string[] = []
    const head: Record<string, string> = { execution_id: JSON.stringify(run) }
    let length = 0
    let complete = true
    for await (const rows of query.cursor(ROWS_AT_ONCE)) {
      if (length > limits.parityBytesMax) {
        complete = false
        break
      }
      for (const row of rows) {
        const members = columns.map((column, i): [string, string] => [
          column,
          spelled(row[`c${i}`] ?? null, SPELLINGS[column]),
        ])
        const rowColumns = Object.fromEntries(members)
        // The first row names the parent, and others may not: they come newest first.
        for (const key of ['catalog_id', 'parent_execution_id'])
          if (rowColumns[key] !== undefined && (rowColumns[key] !== 'null' || head[key] === undefined))
            head[key] = rowColumns[key]
        if (rowColumns['created_at'] !== undefined) members.push(['timestamp', rowColumns['created_at']])
        const text = objectText(members)
        length += text.length
        events.push(text)
      }
    }
    if (events.length === 0) return null
    return { text: objectText([...Object.entries(head), ['events', `[${events.join(',')}]`]]), complete }
  })
}

const objectText = (members: readonly [string, string][]): string =>
  `{${members.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`

function spelled(text: string | null, spelling: Spelling): string {
  if (text === null) return 'null'
  if (spelling === 'text') return `"${text}"`
  // The server writes six digits or none; the database leaves zeros at the end off.
  return spelling === 'time'
    ? text.replace(
        /(:\d\d\.)(\d{1,5})(?!\d)/,
        (_, seconds: string, fraction: string) => seconds + fraction.padEnd(6, '0'),
      )
    : text
}
