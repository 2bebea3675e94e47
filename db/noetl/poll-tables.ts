import type { IngestAnswer } from '@/lib/api/ingest-schemas'
import { limits } from '@/lib/limits'
import type { Db } from '../client'
import type { TablesCursor } from '../schema/connections'
import { ingestBody } from '../writes/ingest'
import type { IngestBody } from '../writes/receive/ingest-body'
import { findTables, type NoetlTables } from './find-tables'
import { countRows, listChangedRuns, readCommands, readLogMark, readRows, type Batch } from './read-runs'
import { openTables, type Tables } from './tables-client'
import { TablesError } from './tables-problem'
import type { TablesProblem } from '@/lib/model/tables-problems'

export interface PollTables {
  projectId: string
  source: IngestBody['source']
  /** Address of the database, with the account. */
  url: string
  /** As the last visit returned it; null for the first one, which begins at the beginning. */
  cursor: TablesCursor | null
  /** Rows of one visit; `tableRowsPerPoll` by default. */
  rowsMax?: number
  signal?: AbortSignal
  /** Private networks and this machine may be asked. */
  allowPrivate?: boolean
  /** Takes a body in, where that is not done here. */
  ingest?: (body: IngestBody) => Promise<IngestAnswer>
}

export interface Polled {
  /** Where the next visit begins. As it was given when this one did not come to its end. */
  cursor: TablesCursor | null
  /** Executions that were taken in, with their outcomes. */
  executions: IngestAnswer['executions']
  /** Records that were new to us. */
  rows: number
  /** `more`: the log goes on, ask again at once. */
  state: 'up_to_date' | 'more' | TablesProblem
}

/** Before every id. */
const START = '-1'

/** Where the next piece begins. @throws TablesError when that is not behind where this one began: it would come again for ever */
export function advance(from: string, to: string): string {
  if (BigInt(to) <= BigInt(from)) throw new TablesError('no_progress')
  return to
}

/**
 * Takes in what the tables of a NoETL server hold after a cursor: new rows of each changed run, its commands, and how many rows the log holds.
 * A visit that ended on the way is repeated from its cursor and adds nothing twice; neither do rows that came from the API, before or after.
 *
 * @throws errors of our own database; those of the other one are a `state`
 * @see docs/sources/noetl.md#noetl-tables
 */
export async function pollTables(
  db: Pick<Db, 'sql'>,
  { url, cursor, rowsMax = limits.tableRowsPerPoll, signal, allowPrivate, ...to }: PollTables,
): Promise<Polled> {
  const done: Polled = { cursor, executions: [], rows: 0, state: 'up_to_date' }
  let tables: Tables | null = null
  try {
    tables = openTables(url, { signal, allowPrivate })
    const visit = await begin(tables, cursor, rowsMax)
    const taken = new Map<string, IngestAnswer['executions'][number]>()
    const recent: TablesCursor['recent'] = []
    for (const { run, after } of visit.runs) {
      let read = await takeRun(db, tables, visit, to, run, after)
      done.rows += read.accepted
      // Rows that were written late, before the last visits' end, are not after the cursor.
      if (after !== START && (await lacksRows(db, to.projectId, read))) {
        read = await takeRun(db, tables, visit, to, run, START)
        done.rows += read.accepted
      }
      for (const execution of read.executions) taken.set(execution.id, execution)
      done.executions = [...taken.values()]
      recent.push({ run, rows: read.held })
    }
    return {
      ...done,
      cursor: { eventId: visit.until, recent: recent.length > 0 ? recent : (cursor?.recent ?? []) },
      state: visit.more ? 'more' : 'up_to_date',
    }
  } catch (error) {
    if (!(error instanceof TablesError)) throw error
    return { ...done, state: error.problem }
  } finally {
    await tables?.close()
  }
}

interface Visit {
  found: NoetlTables
  runs: { run: string; after: string }[]
  until: string
  more: boolean
}

/** What there is to read: runs with new rows, and those of the last visit of which the log holds others than it did. */
function begin(tables: Tables, cursor: TablesCursor | null, rowsMax: number): Promise<Visit> {
  const after = cursor?.eventId ?? START
  return tables.read(async (sql) => {
    const found = await findTables(sql)
    const { runs, until, more } = await listChangedRuns(sql, found, after, rowsMax)
    const late: string[] = []
    for (const { run, rows } of cursor?.recent ?? [])
      if ((await countRows(sql, found, run, after)) !== rows) late.push(run)
    const fresh = runs.filter(({ run }) => !late.includes(run))
    return {
      found,
      runs: [...late.map((run) => ({ run, after: START })), ...fresh.map(({ run }) => ({ run, after }))],
      until: until === null ? after : advance(after, until),
      more,
    }
  })
}

type Target = Pick<PollTables, 'projectId' | 'source' | 'ingest'>

interface TakenRun {
  accepted: number
  executions: IngestAnswer['executions']
  /** Rows that the log holds of it. */
  held: number
}

/** Rows of one run in bounded pieces, each in a transaction of its own on either side; the last piece says how many there are, and is judged. */
async function takeRun(
  db: Pick<Db, 'sql'>,
  tables: Tables,
  { found, until }: Visit,
  to: Target,
  run: string,
  after: string,
): Promise<TakenRun> {
  let accepted = 0
  const rows = stream(db, to)
  for (let from = after, more = true; more; ) {
    const batch = await tables.read((sql) => readRows(sql, found, run, from, until))
    if (batch.last === null) break
    accepted += (await rows.take(batch.bytes, true)).accepted
    from = advance(from, batch.last)
    more = batch.more
  }
  const marked = stream(db, to)
  const mark = await tables.read((sql) => readLogMark(sql, found, run, until))
  let bytes = mark.line
  for (let from = START; ; ) {
    const batch: Batch = await tables.read((sql) => readCommands(sql, found, run, { after, until }, from))
    bytes = Buffer.concat([bytes, batch.bytes])
    const answer = await marked.take(bytes, batch.more)
    accepted += answer.accepted
    if (!batch.more || batch.last === null)
      return { accepted, executions: answer.executions, held: mark.rows }
    from = advance(from, batch.last)
    bytes = Buffer.alloc(0)
  }
}

/** Sends bodies that follow one another as one stream. */
function stream(
  db: Pick<Db, 'sql'>,
  to: Target,
): { take(bytes: Uint8Array, more: boolean): Promise<IngestAnswer> } {
  let offset = 0
  let streamId: string | null = null
  return {
    async take(bytes, more) {
      const { ingest = (body: IngestBody) => ingestBody(db, body), ...target } = to
      const answer = await ingest({ ...target, kind: 'noetl', bytes, offset, streamId, more })
      offset += bytes.length
      streamId = answer.streamId
      return answer
    },
  }
}

/** Whether there are rows in the log that we do not hold. Asked only where the judgement says that rows are missing. */
async function lacksRows(
  db: Pick<Db, 'sql'>,
  projectId: string,
  { executions, held }: TakenRun,
): Promise<boolean> {
  const [row] = await db.sql<{ n: number }[]>`
    select (select count(distinct v.identity) from events v where v.project_id = e.project_id and v.execution_id = e.id and v.facts ? 'row') as n
    from executions e where e.project_id = ${projectId} and e.id = any (${executions.map(({ id }) => id)}::uuid[]) and e.labels ? 'rows' limit 1`
  return row !== undefined && row.n < held
}
