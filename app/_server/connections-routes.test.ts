import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as check from '@/app/api/v1/connections/[id]/check/route'
import * as one from '@/app/api/v1/connections/[id]/route'
import * as all from '@/app/api/v1/connections/route'
import * as source from '@/app/api/v1/sources/[id]/route'
import { readOpenConnection } from '@/db/queries/connections'
import { verifyAuditLog } from '@/db/audit'
import { longRun } from '@/e2e/support/noetl/build-run'
import { SEED, seedRuns } from '@/e2e/support/noetl/seed'
import { startNoetlStandIn, type NoetlStandIn } from '@/e2e/support/noetl/stand-in'
import {
  connectionCheck,
  connectionItem,
  type ConnectionCheck,
  type ConnectionItem,
} from '@/lib/api/connection-schemas'
import { limits } from '@/lib/limits'
import { page, problemDocument } from '@/lib/api/schemas'
import { secret } from './config'
import { ask, openWorld, type World } from './test-support'

const CREDENTIAL = 'Bearer very-secret-value'
const DATABASE = 'postgres://reader:db-secret@db.example/noetl'

let world: World
let standIn: NoetlStandIn
let cookie: string
beforeAll(async () => {
  world = await openWorld()
  cookie = await world.cookie('admin', { globalAdmin: true })
})
afterAll(() => world.close())
beforeEach(async () => {
  standIn = await startNoetlStandIn({ runs: seedRuns(), token: 'very-secret-value' })
})
afterEach(async () => {
  await standIn.close()
  await world.db.sql`delete from source_connections`
})

const body = (more: object = {}) => ({
  name: 'Staging',
  baseUrl: `${standIn.url}/api`,
  header: { name: 'Authorization', value: CREDENTIAL },
  databaseUrl: DATABASE,
  allowPrivate: true,
  ...more,
})
const post = (given: object) => ask(all.POST, '/api/v1/connections', { method: 'POST', cookie, body: given })
const made = async (more: object = {}): Promise<ConnectionItem> =>
  connectionItem.parse(await (await post(body(more))).json())
const patch = (id: string, change: object) =>
  ask(one.PATCH, `/api/v1/connections/${id}`, { method: 'PATCH', cookie, params: { id }, body: change })
const detailOf = async (response: Response) => [
  response.status,
  problemDocument.parse(await response.json()).detail,
]
const checked = async (id: string, given: object = {}): Promise<ConnectionCheck> =>
  connectionCheck.parse(
    await (
      await ask(check.POST, `/api/v1/connections/${id}/check`, {
        method: 'POST',
        cookie,
        params: { id },
        body: given,
      })
    ).json(),
  )

test('what opens a server goes in sealed, and comes out for the server only', async () => {
  const response = await post(body())
  expect(response.status).toBe(201)
  const text = await response.text()
  const item = connectionItem.parse(JSON.parse(text))
  expect(item).toMatchObject({
    name: 'Staging',
    baseUrl: `${standIn.url}/`,
    headerName: 'Authorization',
    hasCredential: true,
    hasDatabase: true,
    state: 'new',
    intervalSeconds: 60,
  })
  const listed = await (await ask(all.GET, '/api/v1/connections', { cookie })).text()
  expect(page(connectionItem).parse(JSON.parse(listed)).items).toEqual([item])
  const [row] = await world.db
    .sql`select c::text as row, encode(credential, 'escape') as one, encode(database_url, 'escape') as two from source_connections c`
  const [log] = await world.db.sql`select string_agg(detail::text, ' ') as log from audit_log`
  const changed = await (await patch(item.id, { enabled: false })).text()
  for (const where of [text, listed, changed, row!.row, row!.one, row!.two, log!.log])
    expect(where).not.toMatch(/very-secret-value|db-secret/)
  const open = await readOpenConnection(world.db.sql, secret(), {
    projectIds: [world.project.id],
    id: item.id,
  })
  expect(open).toMatchObject({
    header: { name: 'Authorization', value: CREDENTIAL },
    databaseUrl: DATABASE,
    opened: true,
  })
})

test('each change is an entry of the audit log', async () => {
  const { id } = await made()
  await patch(id, { intervalSeconds: 30, header: null })
  await ask(one.DELETE, `/api/v1/connections/${id}`, { method: 'DELETE', cookie, params: { id } })
  const entries = await world.db.sql`select action, detail from audit_log where subject = ${id} order by seq`
  expect(entries.map(({ action }) => action)).toEqual([
    'connection.create',
    'connection.change',
    'connection.remove',
  ])
  expect(entries[1]!.detail).toEqual({ intervalSeconds: 30, header: null })
  expect(await verifyAuditLog(world.db.sql, world.project.id)).toMatchObject({ valid: true })
})

test('the credential is not sent to a new address', async () => {
  const { id } = await made()
  expect(await detailOf(await patch(id, { baseUrl: 'https://elsewhere.example' }))).toEqual([
    400,
    expect.stringContaining('not sent to a new address'),
  ])
  const moved = await patch(id, { baseUrl: 'https://elsewhere.example', header: null })
  expect(connectionItem.parse(await moved.json())).toMatchObject({
    baseUrl: 'https://elsewhere.example/',
    hasCredential: false,
  })
  expect((await patch(id, { baseUrl: 'https://elsewhere.example/flows' })).status).toBe(200)
})

test.each([
  [{ baseUrl: 'https://me:pass@h.example' }, 'in the header'],
  [{ baseUrl: 'file:///etc/passwd' }, 'http'],
  [{ header: { name: 'Host', value: 'x' } }, 'belongs to the connection'],
  [{ header: { name: 'X-Key', value: 'a\r\nX-Other: b' } }, 'ASCII'],
  [{ intervalSeconds: 1 }, 'intervalSeconds'],
  [{ databaseUrl: 'mysql://x' }, 'postgres'],
  [{ kind: 'claude-code' }, 'kind'],
])('%j is refused', async (more, why) =>
  expect(await detailOf(await post(body(more)))).toEqual([400, expect.stringContaining(why)]),
)

test('a source is connected once, and stays while it is', async () => {
  const { sourceId } = await made()
  expect(await detailOf(await post(body()))).toEqual([409, 'The source "Staging" is already connected.'])
  expect(
    await detailOf(
      await ask(source.DELETE, `/api/v1/sources/${sourceId}`, {
        method: 'DELETE',
        cookie,
        params: { id: sourceId },
      }),
    ),
  ).toEqual([409, expect.stringContaining('Remove the connection first')])
})

test('a connection of another project is not there', async () => {
  const { id } = await made()
  const [other] = await world.db.sql<
    { id: string; slug: string }[]
  >`insert into projects (id, slug, name) values (gen_random_uuid(), 'other', 'Other') returning id, slug`
  const stranger = await world.cookie('admin', { project: { ...world.project, ...other } })
  for (const [handler, method] of [
    [one.PATCH, 'PATCH'],
    [one.DELETE, 'DELETE'],
    [check.POST, 'POST'],
  ] as const)
    expect(
      (
        await ask(handler, `/api/v1/connections/${id}`, {
          method,
          cookie: stranger,
          params: { id },
          body: {},
        })
      ).status,
      method,
    ).toBe(404)
  expect(await (await ask(all.GET, '/api/v1/connections', { cookie: stranger })).json()).toMatchObject({
    items: [],
  })
})

describe('a check', () => {
  test.each(['python', 'rust'] as const)(
    'says whose documents came (%s), and fetches an execution whole',
    async (dialect) => {
      await standIn.set({ dialect })
      const { id } = await made()
      expect(await checked(id)).toEqual({
        ok: true,
        dialect,
        executions: seedRuns().length,
        failure: null,
        run: null,
      })
      expect((await checked(id, { run: SEED.rows501 })).run).toMatchObject({
        state: 'read',
        complete: true,
        why: null,
      })
      expect((await checked(id, { run: '1' })).run).toMatchObject({
        state: 'not_captured',
        why: 'The server has no such execution.',
      })
      await standIn.set({ losses: { pageCap: 100 } })
      expect((await checked(id, { run: SEED.rows501 })).run).toMatchObject({
        state: 'read',
        complete: dialect === 'rust',
      })
      expect(await world.db.sql`select 1 from received`).toEqual([])
    },
  )

  test('says in plain words what failed', async () => {
    const { id } = await made({ header: { name: 'Authorization', value: 'Bearer other' } })
    expect(await checked(id)).toMatchObject({
      ok: false,
      failure: { kind: 'unauthorized', text: 'The server rejected the credential: status 401.' },
    })
    await standIn.set({ faults: [{ kind: 'status', status: 500, on: 'detail' }], token: undefined })
    expect(await checked(id, { run: SEED.parent })).toMatchObject({
      ok: true,
      run: { state: 'unreadable', why: 'The server returned an error: status 500.' },
    })
  })

  test('of a server that answers again has it polled soon', async () => {
    const { id } = await made()
    await world.db.sql`update source_connections set failures = 5, next_at = now() + interval '1 hour'`
    await standIn.set({ faults: [{ kind: 'status', status: 500 }] })
    await checked(id)
    const soon = async () =>
      (await world.db.sql`select next_at <= now() as soon from source_connections where id = ${id}`)[0]!
        .soon as boolean
    expect(await soon()).toBe(false)
    await standIn.set({ faults: [] })
    await checked(id)
    expect(await soon()).toBe(true)
  })

  test('of an execution stops at what is compared at most', async () => {
    const long = longRun(20_000)
    await standIn.set({ runs: [long] })
    const { id } = await made()
    const { run } = await checked(id, { run: long.executionId })
    expect(run).toMatchObject({ state: 'read', complete: false })
    expect(run!.characters).toBeGreaterThan(limits.parityBytesMax / 2)
    expect(standIn.calls.length).toBeLessThan(30)
  })

  test('of a private address says so unless the connection allows it', async () => {
    const { id } = await made({ allowPrivate: false })
    expect(await checked(id)).toMatchObject({ ok: false, failure: { kind: 'private_address' } })
    expect(standIn.calls).toEqual([])
  })
})

describe('a private network is for an admin of everything to open', () => {
  const needsAdmin = [403, 'A server in a private network requires an instance admin, not a project admin.']

  test('an admin of one project connects what is outside, and nothing inside', async () => {
    const own = await world.cookie('admin')
    const connect = (given: object) =>
      ask(all.POST, '/api/v1/connections', { method: 'POST', cookie: own, body: given })
    expect(await detailOf(await connect(body()))).toEqual(needsAdmin)
    expect((await connect(body({ allowPrivate: false }))).status).toBe(201)
    expect(await world.db.sql`select allow_private from source_connections`).toEqual([
      { allow_private: false },
    ])
  })

  test('an admin of one project moves no connection that may ask inside, and opens none', async () => {
    const own = await world.cookie('admin')
    const change = (id: string, given: object) =>
      ask(one.PATCH, `/api/v1/connections/${id}`, {
        method: 'PATCH',
        cookie: own,
        params: { id },
        body: given,
      })
    const { id, baseUrl } = await made()
    for (const given of [
      { baseUrl: 'http://127.0.0.1:9/', header: null },
      { databaseUrl: 'postgres://reader@127.0.0.1/other' },
    ])
      expect(await detailOf(await change(id, given)), JSON.stringify(given)).toEqual(needsAdmin)
    for (const given of [
      { intervalSeconds: 120 },
      { baseUrl },
      { allowPrivate: true },
      { allowPrivate: false },
    ])
      expect((await change(id, given)).status, JSON.stringify(given)).toBe(200)
    expect(await detailOf(await change(id, { allowPrivate: true }))).toEqual(needsAdmin)
    expect((await change(id, { databaseUrl: null })).status).toBe(200)
  })
})
