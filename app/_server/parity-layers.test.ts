import { v7 } from 'uuid'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import * as route from '@/app/api/v1/executions/[id]/parity/route'
import { pollConnection } from '@/db/connections/poll'
import { changedTables, tableContents } from '@/db/testing/table-contents'
import { testDb, type TestDb } from '@/db/testing/test-db'
import { changeConnection, createConnection } from '@/db/connections/connections'
import { ingestBody } from '@/db/writes/ingest'
import { checkInTurn, sweepParity } from '@/db/parity/sweep-parity'
import { fetchedLayers } from '@/db/connections/fetched-layers'
import type { Losses } from '@/e2e/support/noetl/losses'
import { SEED, seedRuns } from '@/e2e/support/noetl/seed'
import { startNoetlStandIn, type NoetlStandIn } from '@/e2e/support/noetl/stand-in'
import { layNoetlTables } from '@/e2e/support/noetl/tables'
import { parity, type ParityDocument } from '@/lib/api/parity-schemas'
import { links } from '@/lib/links'
import { secret } from './config'
import { ask, openWorld, type World } from './test-support'

let world: World
let engine: TestDb
let standIn: NoetlStandIn
let key: string
let connectionId: string
beforeAll(async () => {
  ;[world, engine, standIn] = await Promise.all([
    openWorld(),
    testDb(),
    startNoetlStandIn({ runs: seedRuns(), token: 'secret' }),
  ])
  key = await world.key(['read'])
  await layNoetlTables(engine.sql, seedRuns())
  connectionId = v7()
  await createConnection(world.db.sql, {
    id: connectionId,
    projectId: world.project.id,
    secret: secret(),
    actor: 'system',
    name: 'staging',
    baseUrl: `${standIn.url}/`,
    databaseUrl: engine.url,
    header: { name: 'Authorization', value: 'Bearer secret' },
    allowPrivate: true,
  })
  const polled = await pollConnection(
    { projectId: world.project.id, id: connectionId },
    {
      sql: world.db.sql,
      secret: secret(),
      ingest: (body) => ingestBody(world.db, body),
      server: { perSecond: 1000 },
    },
  )
  expect(polled).toMatchObject({ failure: null, again: false })
})
afterEach(async () => {
  await standIn.set({ losses: {}, faults: [], dialect: 'python' })
  await layNoetlTables(engine.sql, seedRuns())
  await world.db.sql`update source_connections set enabled = true, allow_private = true, failures = 0`
})
afterAll(() => Promise.all([world.close(), engine.close(), standIn.close()]))

async function compare(run: string = SEED.parent): Promise<ParityDocument> {
  const [row] = await world.db.sql<
    { id: string }[]
  >`select execution_id as id from execution_keys where external_id = ${run}`
  return parity.parse(
    await (await ask(route.GET, links.api.parity(row!.id), { key, params: { id: row!.id } })).json(),
  )
}
const states = ({ layers }: ParityDocument): string[] =>
  layers.filter(({ form }) => form === 'document').map(({ layer, state }) => `${layer} ${state}`)
const told = ({ transitions }: ParityDocument): string[] =>
  transitions.flatMap(({ from, to, differences }) =>
    differences.map(({ kind, path, severity }) => `${from}→${to} ${severity} ${kind} ${path}`),
  )

test('what was polled by both ways is taken once, with the attempts that only the tables know', async () => {
  const rows = await world.db.sql`
    select k.external_id as run, e.outcome, e.labels, a.max, c.has_database from executions e join execution_keys k on k.project_id = e.project_id and k.execution_id = e.id
    cross join lateral (select max(facts->'row'->'attempt'->>'number') as max from events v where v.project_id = e.project_id and v.execution_id = e.id) a
    cross join (select database_url is not null as has_database from source_connections) c where k.external_id in (${SEED.parent}, ${SEED.retrying}) order by 1`
  expect(rows.map(({ run, outcome, labels }) => [run, outcome, labels])).toEqual([
    [SEED.parent, 'failed', { version: '3' }],
    [SEED.retrying, 'failed', { version: '1' }],
  ])
  const { tables_problem, tables_read_at, tables_cursor } = (
    await world.db.sql`select * from source_connections`
  )[0]!
  expect([tables_problem, tables_read_at !== null, tables_cursor !== null]).toEqual([null, true, true])
})

test('a comparison stores nothing, whether the source answers or not', async () => {
  const comparing = async (): Promise<ParityDocument> => {
    const before = await tableContents(world.db.sql)
    const document = await compare()
    expect(changedTables(before, await tableContents(world.db.sql))).toEqual([])
    return document
  }
  // The first one notes when the key was used.
  await compare()
  expect(states(await comparing())).toEqual(['source read', 'event_log read', 'api read', 'persisted read'])
  await standIn.set({ dialect: 'rust' })
  expect((await comparing()).layers.length).toBeGreaterThan(1)
  await world.db.sql`update source_connections set enabled = false`
  expect((await comparing()).layers.length).toBeGreaterThan(0)
})

describe('the layers of a connected source', () => {
  test('are all asked for, and say the same', async () => {
    const document = await compare()
    expect(states(document)).toEqual(['source read', 'event_log read', 'api read', 'persisted read'])
    expect(told(document)).toEqual([])
    expect(document).toMatchObject({
      verdict: 'equal',
      worst: null,
      firstCritical: null,
      sourceCheck: { verdict: 'pass' },
    })
  })

  test('both dialects, and every id above 2^53 at every place', async () => {
    for (const run of [SEED.everyId, SEED.cancelledChild, SEED.failedChild, SEED.rows501])
      expect([run, told(await compare(run)), states(await compare(run))[2]]).toEqual([run, [], 'api read'])
    await standIn.set({ dialect: 'rust' })
    for (const run of [SEED.parent, SEED.everyId]) expect([run, told(await compare(run))]).toEqual([run, []])
  })

  test.each<[string, Losses, 'event_log' | 'api', string]>([
    [
      'the historical regression',
      { scalarOnlyProjection: true },
      'event_log',
      'critical missing /events/5/result/context/error/diagnosis',
    ],
    [
      'what was nested in a diagnosis',
      { flatDiagnosis: true },
      'event_log',
      'critical missing /events/5/result/context/error/diagnosis/_meta',
    ],
    [
      'a context over the limit',
      { contextCap: true, contextBytesMax: 200 },
      'event_log',
      'critical missing /events/5/result/context',
    ],
    ['digits of ids', { roundedIds: true }, 'api', 'critical precision_lost /events/5/event_id'],
    [
      'a handle in the place of a diagnosis',
      { handleInsteadOfDiagnosis: 'event_log' },
      'event_log',
      'critical dispatch_handle /events/5/result/context/error/diagnosis',
    ],
    [
      'a context wrapped into text',
      { stringifiedContext: 'api' },
      'api',
      'critical stringified_json /events/5/result/context',
    ],
  ])('%s is found where it is lost', async (_, losses, layer, difference) => {
    await layNoetlTables(engine.sql, seedRuns(), losses)
    await standIn.set({ losses })
    const document = await compare()
    const from = layer === 'event_log' ? 'source' : 'event_log'
    expect(document.firstCritical).toEqual({ form: 'document', from, to: layer })
    expect(told(document).some((one) => one.startsWith(`${from}→${layer} ${difference}`))).toBe(true)
  })

  test('where ids lost their digits, nothing but ids is said to differ', async () => {
    await standIn.set({ losses: { roundedIds: true } })
    expect(
      new Set(told(await compare()).map((one) => one.replace(/\d+/g, '*').split(' ').slice(2).join(' '))),
    ).toEqual(
      new Set(['precision_lost /events/*/event_id', 'precision_lost /events/*/result/context/command_id']),
    )
  })

  test('pages that the server does not give are told as such, and nothing is called equal', async () => {
    await standIn.set({ losses: { pageCap: 100 } })
    const document = await compare(SEED.rows501)
    expect([document.verdict, states(document)]).toEqual([
      'unknown',
      ['source read', 'event_log read', 'api incomplete', 'persisted read'],
    ])
  })

  test('a server that fails, a log that is away and an address that is not allowed say why', async () => {
    await standIn.set({ faults: [{ kind: 'status', status: 500 }] })
    await engine.sql`drop schema noetl cascade`
    const failing = await compare()
    expect([failing.verdict, states(failing)]).toEqual([
      'unknown',
      ['source read', 'event_log unreadable', 'api unreadable', 'persisted read'],
    ])
    expect(failing.layers.flatMap(({ why, counts }) => (counts && why) || [])).toEqual([
      'The database has no NoETL event table.',
      expect.stringContaining('500'),
    ])
    await standIn.set({ faults: [] })
    await world.db.sql`update source_connections set allow_private = false`
    const refused = await compare()
    expect(states(refused).slice(1, 3)).toEqual(['event_log unreadable', 'api unreadable'])
    expect(JSON.stringify(refused)).not.toContain('Bearer')
  })

  test('are asked for once for all who ask at the same time, and no more when all of them have gone', async () => {
    const [row] = await world.db.sql<
      { id: string }[]
    >`select execution_id as id from execution_keys where external_id = ${SEED.rows501}`
    const ask = (signal?: AbortSignal) =>
      fetchedLayers(world.db.sql, secret(), {
        projectId: world.project.id,
        executionId: row!.id,
        asks: 'demand',
        signal,
      })
    let asked = standIn.calls.length
    const [one, other] = await Promise.all([ask(), ask()])
    expect([one, one!.map(({ layer }) => layer)]).toEqual([other, ['event_log', 'api']])
    expect(standIn.calls.length - asked, 'both pages, once').toBe(2)
    await standIn.set({ faults: [{ kind: 'slow', ms: 3_600_000 }] })
    asked = standIn.calls.length
    const [left, right] = [new AbortController(), new AbortController()]
    const both = [ask(left.signal), ask(right.signal)]
    left.abort(new Error('gone'))
    await expect(both[0]).rejects.toThrow('gone')
    await vi.waitFor(() => expect(standIn.calls.slice(asked)).toMatchObject([{ ended: 'open' }]))
    right.abort(new Error('gone too'))
    await expect(both[1]).rejects.toThrow('gone too')
    await vi.waitFor(() => expect(standIn.calls.slice(asked)).toMatchObject([{ ended: 'gone' }]))
  })

  test('are not asked for any more when whoever asked has gone, and that is no failure', async () => {
    await standIn.set({ faults: [{ kind: 'slow', ms: 3_600_000 }] })
    const [row] = await world.db.sql<
      { id: string }[]
    >`select execution_id as id from execution_keys where external_id = ${SEED.parent}`
    const stop = new AbortController()
    const asked = standIn.calls.length
    const request = new Request(`http://127.0.0.1${links.api.parity(row!.id)}`, {
      headers: { authorization: `Bearer ${key}` },
      signal: stop.signal,
    })
    const answer = (route.GET as unknown as (request: Request, context: object) => Promise<Response>)(
      request,
      { params: Promise.resolve({ id: row!.id }) },
    )
    await vi.waitFor(() => expect(standIn.calls.slice(asked)).toMatchObject([{ ended: 'open' }]))
    stop.abort()
    expect((await answer).status).toBe(499)
  })

  test('a connection that is paused is not asked', async () => {
    await changeConnection(world.db.sql, {
      id: connectionId,
      projectIds: [world.project.id],
      secret: secret(),
      actor: 'system',
      change: { enabled: false },
    })
    const asked = standIn.calls.length
    const paused = await compare()
    expect([paused.verdict, ...states(paused)]).toEqual([
      'equal',
      'source read',
      'event_log not_captured',
      'api not_captured',
      'persisted read',
    ])
    expect(paused.layers.filter(({ counts }) => !counts).map(({ layer }) => layer)).toEqual([
      'event_log',
      'api',
      'rendered',
    ])
    expect(standIn.calls.length).toBe(asked)
  })

  test('are asked for by the sweep as well, but not of a server that fails', async () => {
    const { sql } = world.db
    const [row] = await sql<
      { id: string }[]
    >`select execution_id as id from execution_keys where external_id = ${SEED.parent}`
    const sweep = async () => {
      await sql`update parity_standing set due_at = case when execution_id = ${row!.id} then date_trunc('milliseconds', now()) end, due_for = 'sweep'`
      await sweepParity(world.db, {
        budgetMs: 60_000,
        withinMs: 60_000,
        pause: async () => {},
        check: (order) => checkInTurn(world.db, order),
        fetch: (projectId, executionId) =>
          fetchedLayers(sql, secret(), { projectId, executionId, asks: 'background' }),
        onError: (error) => {
          throw error as Error
        },
      })
      return (
        await sql`select trigger, verdict, worst, lost_from, lost_to from parity_checks where execution_id = ${row!.id} order by checked_at desc, id desc limit 1`
      )[0]
    }
    expect(await sweep()).toEqual({
      trigger: 'sweep',
      verdict: 'equal',
      worst: null,
      lost_from: null,
      lost_to: null,
    })
    const losses = { scalarOnlyProjection: true }
    await layNoetlTables(engine.sql, seedRuns(), losses)
    await standIn.set({ losses })
    expect(await sweep()).toEqual({
      trigger: 'sweep',
      verdict: 'different',
      worst: 'critical',
      lost_from: 'source',
      lost_to: 'event_log',
    })
    await sql`update source_connections set failures = 3`
    const asked = standIn.calls.length
    expect(await sweep()).toMatchObject({ verdict: 'unknown' })
    expect(standIn.calls.length).toBe(asked)
  })
})
