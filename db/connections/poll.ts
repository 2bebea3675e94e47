import type { IngestAnswer } from '@/lib/api/ingest-schemas'
import { nextPollMs } from '@/lib/connections/back-off'
import { BACKGROUND_WORK_WORDS } from '@/lib/words/background-work'
import { fetchFailure, isAboutServer, type FetchFailure } from '@/lib/connections/failures'
import type { Sql } from '../client'
import { isStoreDown } from '../sql-state'
import { readOpenConnection, type OpenConnection } from '../queries/connections'
import type { IngestBody } from '../writes/receive/ingest-body'
import { discoverRuns } from './discover-runs'
import { leaseConnection, notePolled, releaseConnection } from './lease'
import { readConnectedTables } from './read-tables'
import { noetlServer, type NoetlServerOptions } from './noetl-server'
import { nextRun, saveRun, type ConnectionKey } from './run-standing'
import { saidOfRuns } from './said-of-run'
import { takeRun } from './take-run'

export interface Polling {
  sql: Sql
  /** Of the server: what opens the source is sealed with a key that is derived from it. */
  secret: string
  /** Takes in a body, in one transaction of its own. */
  ingest: (body: IngestBody) => Promise<IngestAnswer>
  signal?: AbortSignal
  failureTag?: string
  /** Milliseconds after which a poll lets others have their turn, and goes on a little later. */
  turnMs?: number
  server?: NoetlServerOptions
  random?: () => number
  log?: (level: string, message: string) => void
}

export type Polled = { took: number; failure: FetchFailure | null; again: boolean }

/** Runs in a row that fail each for themselves, after which it is the server that fails. */
const FAILED_RUNS_MAX = 3
const TURN_MS = 20_000

/**
 * Asks a connected source for what is new: first its list, then each run that is new, has not ended or reads otherwise than before. Every page is
 * kept as soon as it is there, so whatever breaks, the rest comes with the next poll.
 *
 * @returns null when there is nothing to poll, or somebody else is at it
 */
export async function pollConnection(key: ConnectionKey, polling: Polling): Promise<Polled | null> {
  const { sql, secret, random = Math.random } = polling
  const startedAt = await leaseConnection(sql, key)
  if (startedAt === null) return null
  const connection = await readOpenConnection(sql, secret, { projectIds: [key.projectId], id: key.id })
  if (connection === null) return null
  const letGo = async (error: unknown): Promise<never> => {
    await releaseConnection(sql, key).catch(() => {}) // the error is the one to tell
    throw error
  }
  const polled = await poll(connection, polling).catch(letGo)
  const { failure, note } = polled
  const again = (await readConnectedTables(key, connection, polling).catch(letGo)) || polled.again
  // What fails for one run only is reported, and delays nothing else.
  const failures =
    failure !== null && (isAboutServer(failure) || polled.stopped) ? connection.failures + 1 : 0
  const restMs =
    failures === 0 && again
      ? 0
      : nextPollMs({ ...connection, failures, retryAfterMs: failure?.retryAfterMs, random: random() })
  await notePolled(sql, key, { startedAt, failures, failure: failure ?? note, restMs })
  return { took: polled.took, failure, again }
}

/** @returns `stopped`: nothing more was asked; `note`: what failed and kept nothing out */
async function poll(
  connection: OpenConnection,
  polling: Polling,
): Promise<Polled & { stopped: boolean; note: FetchFailure | null }> {
  const { sql, ingest, failureTag, signal, turnMs = TURN_MS } = polling
  const endMs = performance.now() + turnMs
  const server = noetlServer(connection, { signal, ...polling.server })
  const listed = await discoverRuns(sql, connection, server)
  if (listed.failure !== null)
    return { took: 0, failure: listed.failure, note: null, again: false, stopped: true }
  const by = await readDueTime(sql)
  let took = 0
  let failure: FetchFailure | null = null
  let failedRuns = 0
  let hadTurn = false
  let note: FetchFailure | null = listed.note
  const take = async (bytes: Uint8Array, more: boolean): Promise<void> => {
    await ingest({
      projectId: connection.projectId,
      source: { kind: connection.kind, name: connection.sourceName },
      kind: 'noetl',
      bytes,
      othersFollow: more,
      failureTag,
    })
    took++
  }
  const said = saidOfRuns({
    server,
    now: () => new Date().toISOString(),
    onFailure: (runId, failed) => (note = { ...failed, about: { asked: 'status', executionId: runId } }),
  })
  const end = (more: { failure: FetchFailure | null; again: boolean; stopped: boolean }) => ({
    took,
    note,
    ...more,
  })
  for (;;) {
    signal?.throwIfAborted()
    const run = await nextRun(sql, connection, by)
    if (run === null) return end({ failure, again: false, stopped: false })
    // At least one has its turn, however long the list took.
    if (hadTurn && performance.now() > endMs) return end({ failure, again: true, stopped: false })
    hadTurn = true
    const taking = takeRun(run, {
      server,
      take,
      said,
      save: async (standing, look) => {
        await saveRun(sql, connection, standing, look)
        await leaseConnection(sql, connection, true)
      },
      goesOn: () => performance.now() <= endMs && signal?.aborted !== true,
    })
    const outcome = await taking.catch((error: unknown): FetchFailure => {
      if (signal?.aborted === true || isStoreDown(error)) throw error
      polling.log?.(
        'error',
        BACKGROUND_WORK_WORDS.execution_not_imported({
          executionId: run.runId,
          connection: connection.id,
          error: String(error),
        }),
      )
      return fetchFailure('not_stored')
    })
    if (outcome === 'later') continue
    if (outcome === null) {
      failedRuns = 0
      continue
    }
    failure = isAboutServer(outcome)
      ? outcome
      : { ...outcome, about: { asked: 'execution', executionId: run.runId } }
    if (isAboutServer(outcome)) return end({ failure, again: false, stopped: true })
    const failures = run.failures + 1
    await saveFailed(
      sql,
      connection,
      run.runId,
      failures,
      nextPollMs({ ...connection, failures, random: 0.5 }),
    )
    if (++failedRuns >= FAILED_RUNS_MAX) return end({ failure, again: false, stopped: true })
  }
}

/** Runs that were listed just now are due. */
const readDueTime = async (sql: Sql): Promise<string> =>
  (await sql<{ at: string }[]>`select now() + interval '1 millisecond' as at`)[0]!.at

/** How far it came stays as it is. */
const saveFailed = async (
  sql: Sql,
  { projectId, id }: ConnectionKey,
  runId: string,
  failures: number,
  restMs: number,
): Promise<void> => {
  await sql`
    update connection_runs set failures = ${failures}, look_at = now() + make_interval(secs => ${restMs / 1000})
    where project_id = ${projectId} and connection_id = ${id} and run_id = ${runId}`
}
