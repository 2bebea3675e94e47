import { v7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as diagnosisRoute from '@/app/api/v1/executions/[id]/diagnosis/route'
import * as eventsRoute from '@/app/api/v1/executions/[id]/events/route'
import * as parityRoute from '@/app/api/v1/executions/[id]/parity/route'
import * as detailRoute from '@/app/api/v1/executions/[id]/route'
import { pollConnection } from '@/db/connections/poll'
import { createConnection } from '@/db/connections/connections'
import { ingestBody } from '@/db/writes/ingest'
import { longRun } from '@/e2e/support/noetl/build-run'
import { startNoetlStandIn, type NoetlStandIn } from '@/e2e/support/noetl/stand-in'
import { runDiagnosis } from '@/lib/api/diagnosis-schemas'
import { parity } from '@/lib/api/parity-schemas'
import type { EventItem, ExecutionDetail } from '@/lib/api/schemas'
import { limits } from '@/lib/limits'
import { links } from '@/lib/links'
import { secret } from './config'
import { ask, openWorld, type World } from './test-support'
import type { Page } from '@/lib/model/page'

const ROWS = 200_000
const run = longRun(ROWS)

let world: World
let standIn: NoetlStandIn
let key: string
let id: string
/** Bytes of each document that was taken in. */
const bodies: number[] = []
beforeAll(async () => {
  ;[world, standIn] = await Promise.all([openWorld(), startNoetlStandIn({ runs: [run] })])
  key = await world.key(['read'])
  const connection = { projectId: world.project.id, id: v7() }
  await createConnection(world.db.sql, {
    ...connection,
    secret: secret(),
    actor: 'system',
    name: 'long',
    baseUrl: `${standIn.url}/`,
    allowPrivate: true,
  })
  const poll = () =>
    pollConnection(connection, {
      sql: world.db.sql,
      secret: secret(),
      server: { perSecond: 100_000 },
      ingest: (body) => {
        bodies.push(body.bytes.length)
        return ingestBody(world.db, body)
      },
    })
  for (let again = true; again; ) again = (await poll())!.again
  id = (
    await world.db.sql<
      { id: string }[]
    >`select execution_id as id from execution_keys where external_id = ${run.executionId}`
  )[0]!.id
}, 600_000)
afterAll(() => Promise.all([world.close(), standIn.close()]))

const read = async (route: unknown, path: string): Promise<unknown> =>
  (await ask(route, path, { key, params: { id } })).json()

test('a run of 200,000 rows is taken in page by page, each row once, and no body holds more than a page', async () => {
  expect(standIn.calls.filter(({ route }) => route === 'detail')).toHaveLength(ROWS / 500)
  // And what the status endpoint says.
  expect(bodies).toHaveLength(ROWS / 500 + 1)
  expect(Math.max(...bodies)).toBeLessThan(limits.partBytesTarget)
  const [rows] = await world.db
    .sql`select count(distinct identity)::int as n from events where execution_id = ${id} and facts ? 'row'`
  expect(rows).toEqual({ n: ROWS })
})

test('its page is answered: what it is, its first and its last events, and that no diagnosis was asked for', async () => {
  const detail = (await read(detailRoute.GET, links.api.execution(id))) as ExecutionDetail
  expect(detail).toMatchObject({
    externalId: run.executionId,
    outcome: 'succeeded',
    outcomeRule: 'terminal_row',
    counts: { records: ROWS + ROWS / 500 + 1 },
    disagreements: [],
  })
  expect(detail.labels).not.toHaveProperty('rows')
  const pages: Page<EventItem>[] = []
  for (let cursor: string | null = null, n = 0; n < 3; n++) {
    const page = (await read(
      eventsRoute.GET,
      links.api.events(id, { limit: String(limits.pageRowsMax), cursor }),
    )) as Page<EventItem>
    pages.push(page)
    cursor = page.nextCursor
    expect(cursor).not.toBeNull()
  }
  const ordinals = pages.flatMap(({ items }) => items.map(({ ordinal }) => ordinal))
  expect(ordinals).toEqual(Array.from({ length: 3 * limits.pageRowsMax }, (_, i) => i))
  const diagnosis = runDiagnosis.parse(await read(diagnosisRoute.GET, links.api.diagnosis(id)))
  expect(diagnosis).toMatchObject({ diagnoses: [], firstFailure: null, lastFailure: null })
})

test('its layers are said to be too large to compare, and no more of the API is fetched than that takes', async () => {
  const asked = standIn.calls.length
  const { verdict, layers } = parity.parse(await read(parityRoute.GET, links.api.parity(id)))
  expect(verdict).toBe('unknown')
  expect(
    layers.filter(({ counts }) => counts).map(({ form, layer, state }) => `${form} ${layer} ${state}`),
  ).toEqual([
    'document source skipped_too_large',
    'document api skipped_too_large',
    'document persisted skipped_too_large',
    'record source skipped_too_large',
    'record persisted skipped_too_large',
  ])
  const fetched = standIn.calls.slice(asked)
  expect(fetched.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(2 * limits.parityBytesMax)
})
