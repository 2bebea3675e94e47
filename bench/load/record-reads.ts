import { type Db, openDb } from '@/db/client'
import { readKeyAccess } from '@/db/queries/access'
import { readExecution } from '@/db/queries/execution'
import { listExecutions } from '@/db/queries/executions'
import { hashKey } from '@/lib/auth/tokens'
import { parseFilter } from '@/lib/views/executions/filter'

interface Statement {
  text: string
  params: unknown[]
}

/** The statements behind two routes of the API, for an app that sends the same ones; as JSON. */
export interface Reads {
  /** The key check, and which of its values is the digest of the key. */
  key: Statement & { digestAt: number }
  list: Statement[]
  /** By the id of the execution. */
  executions: Record<string, Statement[]>
}

type Debug = (connection: number, text: string, params: unknown[]) => void

/** What `read` sends to the database, as the driver reports it. */
async function statementsOf(db: Db, read: () => Promise<unknown>): Promise<Statement[]> {
  const seen: Statement[] = []
  const options = db.sql.options as { debug?: Debug | boolean }
  options.debug = (_connection, text, params) => void seen.push({ text, params: [...params] })
  try {
    await read()
  } finally {
    options.debug = false
  }
  return seen
}

interface Asked {
  key: string
  projectIds: string[]
  executionIds: readonly string[]
}

/** Runs the reads of the API for this key, its list and these executions, and keeps their statements. */
export async function recordReads(url: string, asked: Asked): Promise<Reads> {
  // One connection, opened before: what the driver asks for itself when it connects is no part of a read.
  const db = openDb(url, { max: 1 })
  try {
    await db.sql`select 1`
    return await readAll(db, asked)
  } finally {
    await db.close()
  }
}

async function readAll(db: Db, { key, projectIds, executionIds }: Asked): Promise<Reads> {
  const list = () => listExecutions(db, { projectIds, filter: parseFilter('').filter })
  const [checked, ...more] = await statementsOf(db, () => readKeyAccess(db.sql, hashKey(key)))
  const digestAt = checked?.params.indexOf(hashKey(key)) ?? -1
  if (!checked || more.length > 0 || digestAt < 0)
    throw new Error('the key check is not one statement with the digest of the key')
  // What is remembered from one call to the next is asked for only once: later calls count.
  await list()
  const executions: Reads['executions'] = {}
  for (const id of executionIds)
    executions[id] = await statementsOf(db, () => readExecution(db, projectIds, id))
  return { key: { ...checked, digestAt }, list: await statementsOf(db, list), executions }
}
