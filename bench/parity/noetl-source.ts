import { v7 } from 'uuid'
import { openDb, type Db } from '@/db/client'
import { fetchedLayers } from '@/db/connections/fetched-layers'
import { pollConnection } from '@/db/connections/poll'
import { createConnection } from '@/db/connections/connections'
import { ingestBody } from '@/db/writes/ingest'
import { buildRun, snowflake, stepRows } from '@/e2e/support/noetl/build-run'
import type { NoetlRun } from '@/e2e/support/noetl/runs'
import { startNoetlStandIn } from '@/e2e/support/noetl/stand-in'
import { layNoetlTables } from '@/e2e/support/noetl/tables'
import type { LayerInput } from '@/lib/judge/parity/layers'
import type { Random } from '../support/random'
import type { BenchContext } from '../support/result'
import { proseOf } from '../support/sessions'
import { fetchFailureText } from '@/lib/words/connections'

const SECRET = 'of the bench'
const DAY_MS = Date.parse('2026-05-06T00:00:00Z')

/** A run of so many steps of seven rows each, whose agents failed and were diagnosed. */
function runOf(random: Random, sequence: number, steps: number): NoetlRun {
  const startedAt = new Date(DAY_MS + sequence * 600_000).toISOString()
  const envelope = (child: string) => ({
    status: 'error',
    framework: 'noetl',
    entrypoint: 'bench/child',
    execution_id: child,
    duration: 0.044,
    error: {
      kind: 'agent.execution',
      code: 'PLAYBOOK_FAILED',
      message: 'sub-playbook returned non-success status',
      retryable: false,
      diagnosis: {
        execution_id: child,
        category: 'bad_request',
        confidence: 0.82,
        root_cause: proseOf(random, 200),
        suggested_action: proseOf(random, 100),
        source: 'ollama',
        _meta: { poll_count: 3 },
      },
    },
  })
  const rows = Array.from({ length: steps }, (_, i) =>
    stepRows({
      at: 100 + i * 1000,
      ms: 500,
      name: `step_${i}`,
      commandId: snowflake(startedAt, 2000 + i),
      kind: 'agent',
      context: envelope(snowflake(startedAt, 3000 + i)),
    }),
  )
  return buildRun({
    path: `bench/run_${sequence}`,
    startedAt,
    rows: [
      ...rows.flat(),
      { at: 100 + steps * 1000, eventType: 'playbook.completed', nodeName: `bench/run_${sequence}` },
    ],
  })
}

export interface NoetlSource {
  rows: number
  /** Asks for the layers of an execution as the sweep does. */
  fetch: (projectId: string, executionId: string) => Promise<LayerInput[]>
}

/** Connects a stand-in of a NoETL server with its tables, and takes all of its runs in. @param tablesUrl an empty database for its tables */
export async function connectNoetl(
  { after }: BenchContext,
  db: Db,
  projectId: string,
  tablesUrl: string,
  random: Random,
  runs: number,
): Promise<NoetlSource> {
  const made = Array.from({ length: runs }, (_, i) => runOf(random, i, 1 + random.int(28)))
  const tables = openDb(tablesUrl)
  await layNoetlTables(tables.sql, made).finally(() => tables.close())
  const standIn = await startNoetlStandIn({ runs: made })
  after(() => standIn.close())
  const id = v7()
  await createConnection(db.sql, {
    id,
    projectId,
    secret: SECRET,
    actor: 'system',
    name: 'bench',
    baseUrl: `${standIn.url}/`,
    databaseUrl: tablesUrl,
    allowPrivate: true,
  })
  for (;;) {
    const polled = await pollConnection(
      { projectId, id },
      { sql: db.sql, secret: SECRET, ingest: (body) => ingestBody(db, body), server: { perSecond: 1000 } },
    )
    if (polled === null || polled.failure !== null)
      throw new Error(
        `the stand-in could not be read: ${polled?.failure ? fetchFailureText(polled.failure) : 'the connection is in use'}`,
      )
    if (!polled.again) break
  }
  return {
    rows: made.reduce((sum, { events }) => sum + events.count, 0),
    fetch: (ofProject, executionId) =>
      fetchedLayers(db.sql, SECRET, { projectId: ofProject, executionId, asks: 'background' }),
  }
}
