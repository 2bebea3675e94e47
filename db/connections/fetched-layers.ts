import { exactJsonText, isObject, member, parseExactJson } from '@/lib/text/exact-json'
import type { LayerInput } from '@/lib/judge/parity/layers'
import { byRowId, runDocument } from '@/lib/judge/parity/run-document'
import type { Sql } from '../client'
import { readRunDocument } from '../noetl/read-run-document'
import { openTables } from '../noetl/tables-client'
import { TablesError } from '../noetl/tables-problem'
import { readOpenConnection, type OpenConnection } from '../queries/connections'
import { fetchRunNow } from './fetch-run-now'
import { sharedWork } from './shared-work'
import type { RowOf } from '../schema/rows'
import { textOf } from '@/lib/words/catalogue'
import { FETCHED_RUN_WORDS, tablesWords } from '@/lib/words/connections'

/** A check is not held up longer by its source, all questions together: one that somebody waits for, and one that nobody does. */
const ASK_MS = { demand: 20_000, background: 5_000 }

interface FetchedLayers {
  projectId: string
  executionId: string
  /** In the background a source that fails is not asked once more: that is said in place of its layers. */
  asks: keyof typeof ASK_MS
  /** Ends the waiting; the questions end when nobody else waits for the same. */
  signal?: AbortSignal
}

const fetches = sharedWork<LayerInput[]>()

/**
 * The layers of an execution that its source is asked for now: its event log, where an address of its database is known, and its API. None where the source is
 * not connected. What could not be read says why; nothing is stored. Several that ask for the same at once are given one answer.
 *
 * @throws what `signal` was aborted with
 */
export const fetchedLayers = (
  sql: Sql,
  secret: string,
  { signal, ...wanted }: FetchedLayers,
): Promise<LayerInput[]> =>
  fetches(JSON.stringify(wanted), (stop) => fetchLayers(sql, secret, wanted, stop), signal)

async function fetchLayers(
  sql: Sql,
  secret: string,
  { projectId, executionId, asks }: Omit<FetchedLayers, 'signal'>,
  signal: AbortSignal,
): Promise<LayerInput[]> {
  const [execution] = await sql<RowOf<'executions', 'externalId' | 'sourceId'>[]>`
    select external_id as "externalId", source_id as "sourceId" from executions where project_id = ${projectId} and id = ${executionId}`
  const connection =
    execution &&
    (await readOpenConnection(sql, secret, { projectIds: [projectId], sourceId: execution.sourceId }))
  // One that is paused is not asked.
  if (!connection?.enabled) return []
  const { externalId } = execution!
  if (asks === 'background' && connection.failures > 0)
    return [
      {
        layer: 'api',
        text: null,
        state: 'not_captured',
        reason: { id: 'server_failed_before', params: {} },
      },
    ]
  const { databaseUrl } = connection
  const within = { ms: ASK_MS[asks], signal }
  const [log, api] = await Promise.all([
    databaseUrl === null ? null : readLog(connection, databaseUrl, externalId, within),
    readApi(connection, externalId, within),
  ])
  return [...(log === null ? [] : [log]), api]
}

interface Within {
  ms: number
  signal: AbortSignal
}

async function readLog(
  { allowPrivate }: OpenConnection,
  url: string,
  run: string,
  { ms, signal }: Within,
): Promise<LayerInput> {
  const late = AbortSignal.timeout(ms)
  let tables: ReturnType<typeof openTables> | null = null
  try {
    if (!/^\d{1,19}$/.test(run))
      return {
        layer: 'event_log',
        text: null,
        state: 'not_captured',
        reason: { id: 'not_noetl_id', params: {} },
      }
    tables = openTables(url, {
      allowPrivate,
      statementSeconds: ms / 1000,
      signal: AbortSignal.any([signal, late]),
    })
    const found = await readRunDocument(tables, run)
    if (found === null)
      return {
        layer: 'event_log',
        text: null,
        state: 'not_captured',
        reason: { id: 'no_events', params: {} },
      }
    return inOrder('event_log', found)
  } catch (error) {
    if (!(error instanceof TablesError)) throw error
    signal.throwIfAborted()
    return {
      layer: 'event_log',
      text: null,
      state: 'unreadable',
      why: tablesWords(late.aborted ? 'timed_out' : error.problem),
    }
  } finally {
    await tables?.close()
  }
}

async function readApi(connection: OpenConnection, run: string, { ms, signal }: Within): Promise<LayerInput> {
  const fetched = await fetchRunNow(connection, run, { wholeMs: ms, signal })
  if ('text' in fetched) return inOrder('api', fetched)
  const { state, reason } = fetched
  return { layer: 'api', text: null, state, why: textOf(FETCHED_RUN_WORDS, reason) }
}

/** Its rows in the order of their ids, whichever way round the server gives them: that is no difference between two layers. */
function inOrder(layer: string, { text, complete }: { text: string; complete: boolean }): LayerInput {
  const read = parseExactJson(text)
  const events = read.ok ? member(read.value, 'events') : undefined
  if (!read.ok || !isObject(read.value) || !Array.isArray(events)) return { layer, text, complete }
  return { layer, text: exactJsonText(runDocument(read.value, byRowId(events)).document), complete }
}
