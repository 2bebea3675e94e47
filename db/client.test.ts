import { connect, createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sql as raw } from 'drizzle-orm'
import { isoFromPostgres, openDb } from './client'
import { listenLive, parseLiveMessage, type LiveMessage } from './live-client'
import { migrateDb } from './migrate'
import { projects } from './schema/projects'
import { isRetryable, isStoreDown, sqlState } from './sql-state'
import { freezingRelay } from './testing/freezing-relay'
import { testDb, type TestDb } from './testing/test-db'
import {
  beginIdempotent,
  cleanIdempotency,
  dropIdempotent,
  finishIdempotent,
  type HeldKey,
  renewIdempotent,
} from './idempotency'
import { notifyChanged } from './notify'
import { ensureProject } from './projects'

let db: TestDb
let projectId: string
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
})
afterAll(() => db.close())

describe('the clients', () => {
  test('hand over times as ISO text with milliseconds, counts as numbers, json as values; drizzle beside them', async () => {
    const [row] =
      await db.sql`select '2026-11-21 22:32:33.5+00'::timestamptz(3) as at, 9007199254740991::int8 as n, '{"a":[1]}'::jsonb as j, array['2026-01-01'::timestamptz] as times, null::timestamptz as none`
    expect(row).toEqual({
      at: '2026-11-21T22:32:33.500Z',
      n: 9007199254740991,
      j: { a: [1] },
      times: ['2026-01-01T00:00:00.000Z'],
      none: null,
    })
    expect(
      await db.orm.select({ slug: projects.slug }).from(projects).where(raw`${projects.id} = ${projectId}`),
    ).toEqual([{ slug: 'default' }])
  })

  test.each([
    ['2026-01-01 00:00:00+00', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01 00:00:00.123456+00', '2026-01-01T00:00:00.123Z'],
    ['infinity', 'infinity'],
  ])('%s reads as %s', (text, iso) => expect(isoFromPostgres(text)).toBe(iso))

  test('a database that is not there is "could not look", and works again when it is back', async () => {
    const closed = createServer()
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const real = new URL(db.url)
    const away = openDb(`postgres://${real.username}:${real.password}@127.0.0.1:${port}${real.pathname}`)
    const error = await away.sql`select 1`.then(
      () => null,
      (e: unknown) => e,
    )
    expect([sqlState(error), isStoreDown(error)]).toEqual(['ECONNREFUSED', true])
    expect(
      isStoreDown(
        await away.orm.execute(raw`select 1`).then(
          () => null,
          (e: unknown) => e,
        ),
      ),
    ).toBe(true)
    // Now something listens there: a relay to the server.
    const relay = createServer((socket) => socket.pipe(connect(Number(real.port), '127.0.0.1')).pipe(socket))
    await new Promise<void>((resolve) => relay.listen(port, '127.0.0.1', resolve))
    await vi.waitFor(async () => expect(await away.sql`select 1 as one`).toEqual([{ one: 1 }]), {
      timeout: 20_000,
    })
    await away.close()
    relay.close()
  })

  test('a connection that the server ends is the store being down, and statements after it have a new one', async () => {
    const own = openDb(db.url, { max: 1 })
    const [{ pid }] = (await own.sql`select pg_backend_pid() as pid`) as unknown as [{ pid: number }]
    const long = own.sql`select pg_sleep(30)`.then(
      () => null,
      (e: unknown) => e,
    )
    await vi.waitFor(async () =>
      expect(
        await db.sql`select 1 from pg_stat_activity where pid = ${pid} and query like '%pg_sleep%'`,
      ).toHaveLength(1),
    )
    await db.sql`select pg_terminate_backend(${pid})`
    expect(isStoreDown(await long)).toBe(true)
    await vi.waitFor(async () => expect(await own.sql`select 1 as one`).toEqual([{ one: 1 }]), {
      timeout: 10_000,
    })
    await own.close()
  })

  test('an error of the statement is not the store being down', async () => {
    const error = await db.sql`select 1/0`.then(
      () => null,
      (e: unknown) => e,
    )
    expect([sqlState(error), isStoreDown(error), isRetryable(error)]).toEqual(['22012', false, false])
    expect([
      isStoreDown(null),
      isStoreDown(new Error('x')),
      isStoreDown({ code: '08006' }),
      isRetryable({ cause: { code: '40P01' } }),
    ]).toEqual([false, false, true, true])
  })
})

describe('listening', () => {
  test('goes on after its connection was ended, and says that it was deaf in between', async () => {
    const heard: LiveMessage[] = []
    let connected = 0
    const live = await listenLive(db.url, {
      onMessage: (message) => heard.push(message),
      onConnected: () => connected++,
    })
    const tell = (id: string) => db.sql.begin((tx) => notifyChanged(tx, projectId, [id]))
    await tell('a')
    await vi.waitFor(() => expect(heard.map((m) => m.executions)).toEqual([['a']]))
    await db.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'inquest live' and datname = current_database()`
    await vi.waitFor(() => expect(connected).toBe(2), { timeout: 10_000 })
    await tell('b')
    await vi.waitFor(() => expect(heard.map((m) => m.executions)).toEqual([['a'], ['b']]))
    await live.close()
  })

  test('says at once that its connection was ended, and notices one that is open and silent', async () => {
    const relay = await freezingRelay(db.url)
    const said: string[] = []
    const live = await listenLive(
      relay.url,
      {
        onMessage: () => said.push('message'),
        onLost: () => said.push('lost'),
        onConnected: () => said.push('connected'),
      },
      { keepAliveMs: 100, answerMs: 300 },
    )
    try {
      relay.freeze(true)
      await vi.waitFor(() => expect(said).toEqual(['connected', 'lost']), { timeout: 10_000 })
      // As long as it is silent it is lost once, however often it is tried.
      await vi.waitFor(() => expect(relay.accepted()).toBeGreaterThan(3), { timeout: 20_000 })
      expect(said).toEqual(['connected', 'lost'])
      expect(relay.open(), 'connections that lead nowhere are given up').toBeLessThan(3)
      relay.freeze(false)
      await vi.waitFor(() => expect(said).toEqual(['connected', 'lost', 'connected']), { timeout: 20_000 })
      relay.cut()
      await vi.waitFor(() => expect(said.slice(3)).toEqual(['lost', 'connected']), { timeout: 20_000 })
      await db.sql.begin((tx) => notifyChanged(tx, projectId, ['x']))
      await vi.waitFor(() => expect(said.at(-1)).toBe('message'))
    } finally {
      await live.close()
      relay.close()
    }
    expect(said.filter((one) => one === 'lost')).toHaveLength(2)
  })

  test('says that it is lost when there is nothing to connect to, and listens once there is', async () => {
    const relay = await freezingRelay(db.url)
    relay.freeze(true)
    const said: string[] = []
    const live = await listenLive(
      relay.url,
      { onMessage: () => {}, onLost: () => said.push('lost'), onConnected: () => said.push('connected') },
      { answerMs: 300 },
    )
    expect(said).toEqual(['lost'])
    relay.freeze(false)
    await vi.waitFor(() => expect(said).toEqual(['lost', 'connected']), { timeout: 20_000 })
    await live.close()
    relay.close()
  })

  test('a message names at most 50 executions and says how many there are; a rolled back change is not told', async () => {
    const heard: LiveMessage[] = []
    const live = await listenLive(db.url, { onMessage: (message) => heard.push(message) })
    await db.sql
      .begin(async (tx) => {
        await notifyChanged(tx, projectId, ['undone'])
        throw new Error('undo')
      })
      .catch(() => {})
    await db.sql.begin((tx) =>
      notifyChanged(
        tx,
        projectId,
        Array.from({ length: 60 }, (_, i) => String(i).padStart(36, '0')),
      ),
    )
    await vi.waitFor(() => expect(heard).toHaveLength(1))
    expect([heard[0]!.executions.length, heard[0]!.n, heard[0]!.project]).toEqual([50, 60, projectId])
    await live.close()
  })

  test.each(['', 'null', '1', '{}', '{"project":1,"executions":[]}'])('%j is no message of ours', (payload) =>
    expect(parseLiveMessage(payload)).toBeNull(),
  )
})

test('several processes that migrate at once end with one schema', async () => {
  const fresh = await testDb({ from: 'template0' })
  try {
    await Promise.all([migrateDb(fresh.url), migrateDb(fresh.url), migrateDb(fresh.url)])
    const [row] =
      await fresh.sql`select count(*)::int = count(distinct hash)::int as once, count(*)::int > 3 as several from inquest_migrations.__drizzle_migrations`
    expect(row).toEqual({ once: true, several: true })
  } finally {
    await fresh.close()
  }
})

test('a role that owns nothing but its database can migrate it', async () => {
  const fresh = await testDb({ from: 'template0' })
  const name = new URL(fresh.url).pathname.slice(1)
  await fresh.sql.unsafe(`create role ${name} login password 'x' nosuperuser nocreatedb nocreaterole`)
  await fresh.sql.unsafe(`alter database ${name} owner to ${name}`)
  const url = new URL(fresh.url)
  url.username = name
  url.password = 'x'
  await migrateDb(url.href)
  const plain = openDb(url.href)
  expect((await ensureProject(plain.sql, { slug: 'a', name: 'A' })).slug).toBe('a')
  await plain.close()
  await fresh.close()
})

describe('an idempotent request', () => {
  const call = (key: string, requestSha256 = 'one') => ({ projectId, caller: 'key:1', key, requestSha256 })
  const take = async (key: string): Promise<HeldKey> => {
    const begun = await beginIdempotent(db.sql, call(key))
    if (begun.state !== 'new') throw new Error(`${key} is ${begun.state}`)
    return begun.held
  }

  test('is done once, whoever asks at once, and then answered the same', async () => {
    const states = await Promise.all(Array.from({ length: 5 }, () => beginIdempotent(db.sql, call('k1'))))
    expect(states.map((s) => s.state).sort()).toEqual(['new', 'running', 'running', 'running', 'running'])
    const held = states.flatMap((begun) => (begun.state === 'new' ? [begun.held] : []))
    await finishIdempotent(db.sql, held[0]!, 201, { a: 'b' })
    expect(await beginIdempotent(db.sql, call('k1'))).toEqual({
      state: 'answered',
      status: 201,
      answer: { a: 'b' },
    })
    expect(await beginIdempotent(db.sql, call('k1', 'other'))).toEqual({ state: 'reused' })
    expect(await beginIdempotent(db.sql, { ...call('k1', 'other'), caller: 'key:2' })).toMatchObject({
      state: 'new',
    })
  })

  test('whose process died may be made again within seconds, and is not while it is at work', async () => {
    const first = await take('k3')
    const secondsLeft = async (): Promise<number> => {
      const [row] = await db.sql<{ left: number }[]>`
        select extract(epoch from expires_at - now())::float8 as left from idempotency_keys where key = 'k3'`
      return row!.left
    }
    expect(await secondsLeft()).toBeLessThanOrEqual(15)
    await db.sql`update idempotency_keys set expires_at = now() + interval '1 second' where key = 'k3'`
    await renewIdempotent(db.sql, first)
    expect(await secondsLeft()).toBeGreaterThan(10)
    expect(await beginIdempotent(db.sql, call('k3'))).toEqual({ state: 'running' })
    await db.sql`update idempotency_keys set expires_at = now() - interval '1 ms' where key = 'k3'`
    const second = await take('k3')
    await finishIdempotent(db.sql, second, 200, null)
    expect(await secondsLeft()).toBeGreaterThan(23 * 3600)
    // A renewal that comes late does not shorten the time of the answer.
    await renewIdempotent(db.sql, second)
    expect(await secondsLeft()).toBeGreaterThan(23 * 3600)
  })

  test('that failed may be made again; one that is over time is forgotten', async () => {
    await dropIdempotent(db.sql, await take('k2'))
    await finishIdempotent(db.sql, await take('k2'), 200, null)
    await db.sql`update idempotency_keys set expires_at = now() - interval '1 second' where key = 'k2'`
    expect(await beginIdempotent(db.sql, call('k2', 'other'))).toMatchObject({ state: 'new' })
    await db.sql`update idempotency_keys set expires_at = now() - interval '1 second' where key = 'k2'`
    expect(await cleanIdempotency(db.sql)).toBe(1)
  })
})
