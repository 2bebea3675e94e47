import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { isCanceled, isStoreDown } from './sql-state'
import { relayTo, type Relay } from './testing/relay'
import { testDb, type TestDb } from './testing/test-db'

/**
 * What postgres.js does when a connection is lost, with the repairs of `patches/`. One connection each, so that the lost one is used again.
 */
let db: TestDb
const open: { end: (options: { timeout: number }) => Promise<void> }[] = []
const relays: Relay[] = []
beforeAll(async () => {
  db = await testDb()
  await db.sql`create table written (what text)`
})
afterEach(async () => {
  for (const sql of open.splice(0)) await sql.end({ timeout: 1 })
  for (const relay of relays.splice(0)) await relay.close()
})
afterAll(() => db.close())

/** Ended after the test. */
async function relay(answer?: (socket: Socket) => boolean): Promise<Relay> {
  const made = await relayTo(db.url, answer)
  relays.push(made)
  return made
}

function client(url: string): { sql: postgres.Sql; closed: () => Promise<void> } {
  let closes = 0
  const waiting: (() => void)[] = []
  const sql = postgres(url, {
    max: 1,
    backoff: () => 0.01,
    fetch_types: false,
    onnotice: () => undefined,
    onclose: () => {
      closes++
      for (const go of waiting.splice(0)) go()
    },
  } as postgres.Options<Record<string, never>>)
  open.push(sql)
  return {
    sql,
    closed: () => (closes > 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  }
}

const failure = (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => null,
    (error: unknown) => error,
  )

test.each(['close', 'reset'] as const)(
  'a connection lost by %s in the middle of a transaction fails it, and serves the next statements',
  async (how) => {
    const through = await relay()
    const { sql } = client(through.url)
    const error = await failure(
      sql.begin(async (tx) => {
        await tx`select 1`
        const asked = tx`select pg_sleep(60)`.execute()
        through.cut(how)
        await asked
      }),
    )
    expect(isStoreDown(error)).toBe(true)
    for (const n of [1, 2, 3]) expect(await sql`select ${n}::int as n`).toEqual([{ n }])
  },
)

test('what a transaction asks after its connection was lost never runs in the next transaction', async () => {
  const through = await relay()
  const { sql, closed } = client(through.url)
  let goOn = (): void => undefined
  const later = new Promise<void>((resolve) => (goOn = resolve))
  const late: Promise<unknown>[] = []
  const lost = failure(
    sql.begin(async (tx) => {
      await tx`select 1`
      through.cut('close')
      await later
      late.push(failure(tx`insert into written values ('of the lost one')`))
      await late[0]
    }),
  )
  await closed()
  const next = sql.begin(async (tx) => {
    await tx`insert into written values ('of the next one')`
    goOn()
    await expect.poll(() => late.length).toBe(1)
    expect(isStoreDown(await late[0])).toBe(true)
    throw new Error('rolled back')
  })
  await expect(next).rejects.toThrow('rolled back')
  expect(isStoreDown(await lost)).toBe(true)
  expect(await db.sql`select what from written`).toEqual([])
})

test('the statement after a connection that the server ended does not get its error', async () => {
  const { sql } = client(db.url)
  const [{ pid }] = (await sql`select pg_backend_pid() as pid`) as unknown as [{ pid: number }]
  const asked = failure(sql`select pg_sleep(60)`)
  await expect
    .poll(() => db.sql`select 1 from pg_stat_activity where pid = ${pid} and query like '%pg_sleep%'`)
    .toHaveLength(1)
  await db.sql`select pg_terminate_backend(${pid})`
  expect(isStoreDown(await asked)).toBe(true)
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
})

test('a connection that is closed before it was ready fails the statement', async () => {
  const { sql } = client((await relay((socket) => void socket.end() === true)).url)
  expect(isStoreDown(await failure(sql`select 1`))).toBe(true)
})

test('a connection whose first statement was cancelled while it was made serves the next ones', async () => {
  const { sql } = client(db.url)
  const asked = sql`select 1`.execute()
  await sleep(0)
  void asked.cancel()
  expect(isCanceled(await failure(asked))).toBe(true)
  expect(await sql`select 2 as two`).toEqual([{ two: 2 }])
})

test('a COPY whose connection was lost fails', async () => {
  const through = await relay()
  const { sql, closed } = client(through.url)
  const stream = await sql`copy written from stdin`.writable()
  const failed = once(stream, 'error')
  through.cut('close')
  await closed()
  stream.write('x\n')
  expect(isStoreDown((await failed)[0])).toBe(true)
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
})
