import { fetchRunNow } from '@/db/connections/fetch-run-now'
import { readRunDocument } from '@/db/noetl/read-run-document'
import { openTables } from '@/db/noetl/tables-client'
import { TablesError } from '@/db/noetl/tables-problem'
import { readOpenConnection, type OpenConnection } from '@/db/queries/connections'
import { parseExactJson, exactJsonText, isObject, member } from '@/lib/exact-json'
import type { LayerInput } from '@/lib/parity/layers'
import { byRowId, runDocument } from '@/lib/parity/run-document'
import { secret } from './config'
import { db } from './db'

/** A check that somebody waits for is not held up longer by a source that does not answer. */
const ASK_MS = 20_000

/**
 * The layers of an execution that its source is asked for now: its event log, where an address of its database is known, and its API. None where the source is
 * not connected. What could not be read says why; nothing is stored.
 */
export async function fetchedLayers(projectId: string, executionId: string): Promise<LayerInput[]> {
  const [execution] = await db().sql<{ externalId: string; sourceId: string }[]>`
    select external_id as "externalId", source_id as "sourceId" from executions where project_id = ${projectId} and id = ${executionId}`
  const connection = execution && (await readOpenConnection(db().sql, secret(), { projectIds: [projectId], sourceId: execution.sourceId }))
  // One that is paused is not asked.
  if (!connection?.enabled) return []
  const { externalId } = execution!
  const [log, api] = await Promise.all([connection.databaseUrl === null ? null : readLog(connection, connection.databaseUrl, externalId), readApi(connection, externalId)])
  return [...(log === null ? [] : [log]), api]
}

async function readLog({ allowPrivate }: OpenConnection, url: string, run: string): Promise<LayerInput> {
  let tables: ReturnType<typeof openTables> | null = null
  try {
    if (!/^\d{1,19}$/.test(run)) return { layer: 'event_log', text: null, state: 'not_captured', why: 'This is no id of an execution of NoETL.' }
    tables = openTables(url, { allowPrivate, statementSeconds: ASK_MS / 1000, signal: AbortSignal.timeout(ASK_MS) })
    const found = await readRunDocument(tables, run)
    if (found === null) return { layer: 'event_log', text: null, state: 'not_captured', why: 'The event log holds nothing of this execution.' }
    return inOrder('event_log', found)
  } catch (error) {
    if (!(error instanceof TablesError)) throw error
    return { layer: 'event_log', text: null, state: 'unreadable', why: `${error.message}.` }
  } finally {
    await tables?.close()
  }
}

async function readApi(connection: OpenConnection, run: string): Promise<LayerInput> {
  const fetched = await fetchRunNow(connection, run, { wholeMs: ASK_MS })
  return 'text' in fetched ? inOrder('api', fetched) : { layer: 'api', text: null, ...fetched }
}

/** Its rows in the order of their ids, whichever way round the server gives them: that is no difference between two layers. */
function inOrder(layer: string, { text, complete }: { text: string; complete: boolean }): LayerInput {
  const read = parseExactJson(text)
  const events = read.ok ? member(read.value, 'events') : undefined
  if (!read.ok || !isObject(read.value) || !Array.isArray(events)) return { layer, text, complete }
  return { layer, text: exactJsonText(runDocument(read.value, byRowId(events)).document), complete }
}
