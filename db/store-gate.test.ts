import { createServer, type AddressInfo, type Socket } from 'node:net'
import { sql as raw } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDb, type Db } from './client'
import { isStoreDown, sqlState } from './sql-state'
import { PATIENT, PROMPT } from './store-gate'
import { relayTo, type Relay } from './testing/relay'
import { testDb, type TestDb } from './testing/test-db'

/** Within a second on a machine that does nothing else; the bound is for one that does. */
const PROMPTLY_MS = 3_000

let real: TestDb
let relay: Relay
let db: Db
beforeAll(async () => {
  real = await testDb()
})
beforeEach(async () => {
  relay = await relayTo(real.url)
  db = openDb(relay.url, { max: 4, gate: PROMPT })
})
afterEach(async () => {
  await db.close()
  await relay.close()
})
afterAll(() => real.close())

const failure = (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => null,
    (error: unknown) => error,
  )

async function failsPromptly(works: PromiseLike<unknown>[]): Promise<void> {
  const began = Date.now()
  const errors = await Promise.all(works.map(failure))
  expect(Date.now() - began).toBeLessThan(PROMPTLY_MS)
  for (const error of errors) expect([error, isStoreDown(error)]).toEqual([expect.anything(), true])
}

/** More than there are connections, of every kind. */
const everything = (): PromiseLike<unknown>[] => [
  ...Array.from({ length: 12 }, (_, n) => db.sql`select ${n}::int`),
  ...Array.from({ length: 6 }, () => db.orm.execute(raw`select 1`)),
  ...Array.from({ length: 6 }, () => db.sql.begin((tx) => tx`select 1`)),
]

const comesBack = async (): Promise<void> => {
  await expect
    .poll(async () => [await failure(db.sql`select 1`), db.isAway()], { timeout: 20_000 })
    .toEqual([null, false])
  expect(new Set(await Promise.all(everything().map(failure)))).toEqual(new Set([null]))
  expect(db.isAway()).toBe(false)
}

describe('a database that', () => {
  test('is frozen: what was asked and what is asked fails, and works again when it goes on', async () => {
    await Promise.all(everything())
    const running = [db.sql`select pg_sleep(60)`, db.sql.begin((tx) => tx`select pg_sleep(60)`)]
    for (const one of running) void Promise.resolve(one).catch(() => undefined)
    relay.freeze()
    await failsPromptly([...running, ...everything()])
    expect(db.isAway()).toBe(true)
    const began = Date.now()
    await failsPromptly(everything())
    expect(Date.now() - began).toBeLessThan(1_000)
    relay.thaw()
    await comesBack()
  })

  test('is told once to have gone, and once to be back', async () => {
    const news: string[] = []
    db.onAway(() => news.push('away'))
    const forget = db.onBack(() => news.push('back'))
    await Promise.all(everything())
    relay.freeze()
    await failsPromptly(everything())
    await failsPromptly(everything())
    relay.thaw()
    await comesBack()
    expect(news).toEqual(['away', 'back'])
    forget()
  })

  test('takes connections from the start and says nothing', async () => {
    relay.freeze()
    await failsPromptly(everything())
    relay.thaw()
    await comesBack()
  })

  test('refuses connections', async () => {
    await Promise.all(everything())
    const running = [db.sql`select pg_sleep(60)`, db.sql.begin((tx) => tx`select pg_sleep(60)`)]
    await Promise.all([failsPromptly(running), relay.refuse()])
    await failsPromptly(everything())
    await relay.accept()
    await comesBack()
  })

  test('makes no new connections: those that are open go on, and others fail', async () => {
    await db.sql`select 1`
    await expect.poll(() => relay.open(), { timeout: 10_000 }).toBe(2)
    const slow = db.sql`select pg_sleep(2)`.execute()
    relay.hold()
    await failsPromptly([db.orm.execute(raw`select 1`)])
    expect(db.isAway()).toBe(true)
    await slow
    relay.thaw()
    await comesBack()
  })
})

test.each([
  ['starts', '57P03'],
  ['has no connection left', '53300'],
])('a database that %s is told at once', async (_what, code) => {
  const fields = `SFATAL\0VFATAL\0C${code}\0Mno\0\0`
  const message = Buffer.concat([Buffer.from('E'), Buffer.alloc(4), Buffer.from(fields)])
  message.writeUInt32BE(message.length - 1, 1)
  const server = createServer((socket: Socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(message))
  }).listen(0, '127.0.0.1')
  const url = new URL(real.url)
  await expect.poll(() => server.address()).not.toBeNull()
  url.port = String((server.address() as AddressInfo).port)
  const full = openDb(url.href, { max: 2, gate: PROMPT })
  expect(sqlState(await failure(full.sql`select 1`))).toBe(code)
  await failsPromptly(Array.from({ length: 10 }, () => full.sql`select 1`))
  await full.close()
  await new Promise((resolve) => server.close(resolve))
})

test('long work outlasts a pause', async () => {
  const patient = openDb(relay.url, { max: 1, gate: PATIENT })
  await patient.sql`select 1`
  relay.freeze()
  const asked = patient.sql`select 1 as one`.execute()
  await failsPromptly([db.sql`select 1`])
  relay.thaw()
  expect(await asked).toEqual([{ one: 1 }])
  await patient.close()
})

test('a slow statement is no dead database', async () => {
  const began = Date.now()
  await Promise.all([
    db.sql`select pg_sleep(${(PROMPT.patienceMs * 2.5) / 1000})`,
    db.sql.begin((tx) => tx`select pg_sleep(1)`),
  ])
  expect(Date.now() - began).toBeGreaterThan(PROMPT.patienceMs * 2)
  expect(db.isAway()).toBe(false)
})

test('asks nothing once its connections are closed', async () => {
  await db.sql`select 1`
  await expect.poll(() => relay.open(), { timeout: 10_000 }).toBe(2)
  await db.close()
  await expect.poll(() => relay.open()).toBe(0)
})
