import { afterAll, beforeAll, expect, test } from 'vitest'
import * as overviewRoute from '@/app/api/v1/parity/route'
import * as listRoute from '@/app/api/v1/parity/executions/route'
import * as detailRoute from '@/app/api/v1/executions/[id]/route'
import * as route from '@/app/api/v1/executions/[id]/parity/route'
import { Transcript } from '@/db/seed/transcript'
import { SEED, seedRuns } from '@/e2e/support/noetl/seed'
import { loseExitDiagnosis } from '@/e2e/support/noetl/lost-row'
import { startNoetlStandIn } from '@/e2e/support/noetl/stand-in'
import { ingestBody } from '@/db/writes/ingest'
import { parity, parityExecution, parityOverview } from '@/lib/api/parity-schemas'
import { executionDetail, page } from '@/lib/api/schemas'
import { links } from '@/lib/links'
import { ask, openWorld, type World } from './test-support'

let world: World
let id: string
beforeAll(async () => {
  world = await openWorld()
  const { text } = new Transcript({ sessionId: '0a0a0a0a-0000-4000-8000-0000000000b1' })
    .user('go')
    .call('Bash', { command: 'make' }, { fails: 'Exit code 2' })
  id = (
    await ingestBody(world.db, {
      projectId: world.project.id,
      source: null,
      kind: 'claude-transcript',
      bytes: Buffer.from(text),
    })
  ).executions[0]!.id
})
afterAll(() => world.close())

const compare = async (execution: string, scopes: ('read' | 'ingest')[] = ['read']): Promise<Response> =>
  ask(route.GET, links.api.parity(execution), { key: await world.key(scopes), params: { id: execution } })
/** Stored. */
const check = async (
  execution: string,
  scopes: ('read' | 'write' | 'ingest')[] = ['write'],
): Promise<Response> =>
  ask(route.POST, links.api.parity(execution), {
    method: 'POST',
    key: await world.key(scopes),
    params: { id: execution },
  })

test('reading compares and writes nothing; a check needs the right to write', async () => {
  const tables = () =>
    world.db
      .sql`select (select count(*)::int from parity_checks) as checks, (select jsonb_agg(to_jsonb(s) order by execution_id) from parity_standing s) as standing,
      (select count(*)::int from parity_places) as places`
  const before = await tables()
  expect(parity.parse(await (await compare(id)).json())).toMatchObject({ executionId: id, verdict: 'equal' })
  expect(await tables()).toEqual(before)
  expect((await check(id, ['read'])).status).toBe(403)
  expect(await tables()).toEqual(before)
})

test('an execution as it was stored is equal in both layers', async () => {
  expect(parity.parse(await (await check(id)).json())).toMatchObject({
    executionId: id,
    verdict: 'equal',
    worst: null,
    firstCritical: null,
    layers: [
      { layer: 'source', state: 'read', bytes: expect.any(Number), counts: true },
      { layer: 'event_log', state: 'not_captured', counts: false },
      { layer: 'api', state: 'not_captured', counts: false },
      { layer: 'persisted', state: 'read', sha256: expect.stringMatching(/^[0-9a-f]{64}$/), counts: true },
      {
        layer: 'rendered',
        state: 'not_captured',
        rule: 'compared_in_browser',
        why: 'Pages are compared in the browser.',
        counts: false,
      },
    ],
    changedParts: [],
    failedControls: [],
    checkedAt: expect.stringMatching(/Z$/),
  })
  expect(await world.db.sql`select trigger, verdict from parity_checks`).toEqual([
    { trigger: 'demand', verdict: 'equal' },
  ])
})

test('rows that were changed are told with their places', async () => {
  await world.db.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`update calls set failure_class = null where execution_id = ${id}`
  })
  const { verdict, worst, transitions } = parity.parse(await (await check(id)).json())
  expect([verdict, worst, transitions[0]!.differences]).toEqual([
    'different',
    'medium',
    [
      {
        path: '/calls/0/failure_class',
        kind: 'changed_type',
        kindRule: 'other_type',
        severity: 'medium',
        rule: 'elsewhere',
        values: { source: '"exit_code"', persisted: 'null' },
      },
    ],
  ])
})

test('what was found is counted, drawn and listed, and told with the execution', async () => {
  const key = await world.key(['read'])
  const overview = parityOverview.parse(
    await (await ask(overviewRoute.GET, links.api.parityOverview({ window: 'all' }), { key })).json(),
  )
  expect(overview).toMatchObject({
    rate: { checked: 1, different: 1, equal: 0, notChecked: 0 },
    failedControls: [],
    heat: {
      executions: 1,
      rows: [
        {
          path: '/calls/*/failure_class',
          worst: 'medium',
          cells: [{ from: 'source', to: 'persisted', executions: 1 }],
        },
      ],
      kinds: [{ value: 'changed_type', count: 1 }],
    },
  })
  const list = async (q: Parameters<typeof links.api.parityExecutions>[0]) =>
    page(parityExecution).parse(
      await (await ask(listRoute.GET, links.api.parityExecutions(q), { key })).json(),
    ).items
  const cell = { path: '/calls/*/failure_class', from: 'source', to: 'persisted' }
  expect(await list(cell)).toMatchObject([
    { verdict: 'different', worst: 'medium', differences: 1, kinds: ['changed_type'], execution: { id } },
  ])
  expect(await list({ ...cell, kind: 'missing' })).toEqual([])
  expect(await list({})).toMatchObject([{ differences: null, execution: { id } }])
  expect(await list({ severity: 'critical' })).toEqual([])
  expect(await list({ show: 'equal' })).toEqual([])
  const detail = await ask(detailRoute.GET, links.api.execution(id), { key, params: { id } })
  expect(executionDetail.parse(await detail.json()).parity).toMatchObject({
    verdict: 'different',
    worst: 'medium',
  })
})

test('a failed check of the source itself makes the verdict, the list and the picture those of a loss, with the row', async () => {
  const standIn = await startNoetlStandIn({ runs: seedRuns() })
  try {
    const text = loseExitDiagnosis(
      await (await fetch(`${standIn.url}/api/executions/${SEED.parent}?page_size=500`)).text(),
    )
    const sent = await ingestBody(world.db, {
      projectId: world.project.id,
      source: null,
      kind: 'noetl',
      bytes: Buffer.from(text.replaceAll(SEED.parent, `${SEED.parent.slice(0, -3)}001`)),
    })
    const lost = sent.executions[0]!.id
    const found = parity.parse(await (await check(lost)).json())
    expect(found).toMatchObject({
      verdict: 'different',
      worst: 'critical',
      firstCritical: { form: 'steps', from: 'first_row', to: 'later_rows' },
      sourceCheck: {
        verdict: 'fail',
        issues: [{ code: 'NESTED_DICT_LOSS', path: 'result.context.error.diagnosis' }],
      },
    })
    const { row, eventId } = found.sourceCheck!.issues![0]!
    expect(eventId).toMatch(/^\d{15,}$/)
    expect(found.transitions.find(({ form }) => form === 'steps')!.differences).toMatchObject([
      { path: `/events/${row}/result/context/error/diagnosis`, kind: 'missing', severity: 'critical' },
    ])
    const key = await world.key(['read'])
    const { items } = page(parityExecution).parse(
      await (await ask(listRoute.GET, links.api.parityExecutions({ severity: 'critical' }), { key })).json(),
    )
    expect(items).toMatchObject([{ verdict: 'different', worst: 'critical', execution: { id: lost } }])
    const { heat } = parityOverview.parse(
      await (
        await ask(overviewRoute.GET, links.api.parityOverview({ window: 'all', severity: 'critical' }), {
          key,
        })
      ).json(),
    )
    expect(heat.rows).toMatchObject([
      {
        path: '/events/*/result/context/error/diagnosis',
        cells: [{ from: 'first_row', to: 'later_rows', executions: 1 }],
      },
    ])
    await world.db.sql`delete from executions where id = ${lost}`
    await world.db.sql`delete from parity_standing where execution_id = ${lost}`
    await world.db.sql`delete from parity_places where execution_id = ${lost}`
  } finally {
    await standIn.close()
  }
})

test('a diagnosis that no row holds is told, counted and drawn where it is known that it was made, and counted and listed as in doubt where it is not', async () => {
  const standIn = await startNoetlStandIn({ runs: seedRuns(), losses: { scalarOnlyProjection: true } })
  try {
    const of = async (run: string) =>
      (await fetch(`${standIn.url}/api/executions/${run}?page_size=500`)).text()
    const send = async (text: string) =>
      (
        await ingestBody(world.db, {
          projectId: world.project.id,
          source: null,
          kind: 'noetl',
          bytes: Buffer.from(text),
        })
      ).executions[0]!.id
    const lost = await send(await of(SEED.parent))
    await send(await of(SEED.diagnosis))
    expect(parity.parse(await (await check(lost)).json())).toMatchObject({
      verdict: 'different',
      worst: 'critical',
      firstCritical: { form: 'made', from: 'made', to: 'source' },
      sourceCheck: { verdict: 'pass' },
    })
    const key = await world.key(['read'])
    const overview = async () =>
      parityOverview.parse(
        await (
          await ask(overviewRoute.GET, links.api.parityOverview({ window: 'all', severity: 'critical' }), {
            key,
          })
        ).json(),
      )
    const detailOf = async () =>
      executionDetail.parse(
        await (await ask(detailRoute.GET, links.api.execution(lost), { key, params: { id: lost } })).json(),
      )
    expect((await overview()).heat.rows).toMatchObject([
      {
        path: '/events/*/result/context/error/diagnosis',
        worst: 'critical',
        cells: [{ from: 'made', to: 'source', executions: 1, differences: 3 }],
      },
    ])
    expect((await detailOf()).parity).toMatchObject({
      verdict: 'different',
      worst: 'critical',
      lostFrom: 'made',
    })

    await world.db.sql`update executions set outcome = 'cancelled' where external_id = ${SEED.diagnosis}`
    expect(parity.parse(await (await check(lost)).json())).toMatchObject({
      verdict: 'unknown',
      worst: null,
      firstCritical: null,
    })
    expect((await overview()).rate).toMatchObject({ inDoubt: 1, unknown: 0 })
    const { items } = page(parityExecution).parse(
      await (await ask(listRoute.GET, links.api.parityExecutions({ show: 'in_doubt' }), { key })).json(),
    )
    expect(items).toMatchObject([
      {
        verdict: 'in_doubt',
        why: expect.stringContaining(
          `Execution ${SEED.diagnosis} produced a diagnosis that was never saved in the rows of step reconcile_ledger`,
        ),
        execution: { id: lost },
      },
    ])
    expect((await detailOf()).parity).toMatchObject({ verdict: 'in_doubt', lostFrom: null })
  } finally {
    await standIn.close()
  }
})

test('a question that was not understood is refused, and one by who may not read too', async () => {
  const key = await world.key(['read'])
  for (const address of [
    links.api.parityOverview({ window: '1y' }),
    links.api.parityOverview({ kind: 'gone' }),
  ])
    expect((await ask(overviewRoute.GET, address, { key })).status, address).toBe(400)
  for (const address of [
    links.api.parityExecutions({ path: '/a' }),
    links.api.parityExecutions({ cursor: 'bm8' }),
  ])
    expect((await ask(listRoute.GET, address, { key })).status, address).toBe(400)
  expect(
    (await ask(listRoute.GET, links.api.parityExecutions(), { key: await world.key(['ingest']) })).status,
  ).toBe(403)
})

test('who may not read it learns nothing of it', async () => {
  expect((await check('0199a000-0000-7000-8000-000000000000')).status).toBe(404)
  expect((await check(id, ['ingest'])).status).toBe(403)
})
