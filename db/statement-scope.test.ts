import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isCanceled } from './sql-state'
import { inStatementScope, outsideStatementScope } from './statement-scope'
import { type TestDb, testDb } from './testing/test-db'

let db: TestDb
beforeAll(async () => void (db = await testDb()))
afterAll(() => db.close())

const MARK = 'statement-scope-test'
/** Statements of these tests that run in the database now. */
const running = async (): Promise<number> => {
  const [row] = await outsideStatementScope(
    () => db.sql<{ n: number }[]>`
      select count(*)::int as n from pg_stat_activity
      where state = 'active' and query like ${`%${MARK}%`} and pid <> pg_backend_pid()`,
  )
  return row!.n
}
const until = async (n: number): Promise<void> => {
  while ((await running()) !== n) await sleep(20)
}
const failure = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => null,
    (error: unknown) => error,
  )
/** In a scope with this time for a statement. */
const scoped = <T>(ms: number, work: () => T, signal = new AbortController().signal): T =>
  inStatementScope({ signal, statementMsMax: ms }, work)

describe('a statement', () => {
  test('that takes too long is cancelled in the database', async () => {
    const error = await scoped(300, () => failure(db.sql`select pg_sleep(60), ${MARK} as mark`))
    expect(isCanceled(error)).toBe(true)
    await until(0)
  })

  test('ends when its reader leaves, and nothing is begun for the reader afterwards', async () => {
    const leave = new AbortController()
    await scoped(
      60_000,
      async () => {
        const asked = failure(db.sql.unsafe(`select pg_sleep(60), '${MARK}' as mark`))
        await until(1)
        leave.abort()
        expect(isCanceled(await asked)).toBe(true)
        expect(await failure((async () => db.sql`select 1`)())).toBe(leave.signal.reason)
      },
      leave.signal,
    )
    await until(0)
  })

  test('that waits for a connection has the same time', async () => {
    const blockers = Array.from({ length: db.sql.options.max }, () =>
      db.sql.begin((tx) => tx`select pg_sleep(1.5)`),
    )
    const error = await scoped(200, () => failure(db.sql`select 1`))
    expect(isCanceled(error)).toBe(true)
    await Promise.all(blockers)
  })

  test('in time is left alone, with its fragments', async () => {
    const rows = await scoped(60_000, () => db.sql`select ${1}::int as one ${db.sql`, ${2}::int as two`}`)
    expect([...rows]).toEqual([{ one: 1, two: 2 }])
  })

  test('that waits behind another one on its connection is not cancelled, and those after it get their own rows', async () => {
    const leave = new AbortController()
    const onEachConnection = (seconds: string): PromiseLike<unknown>[] =>
      Array.from({ length: db.sql.options.max }, () => db.sql.unsafe(`select pg_sleep(${seconds})`).execute())
    // Without parameters, and on connections that are open: the driver sends such while another one runs.
    await Promise.all(onEachConnection('0.1'))
    const before = onEachConnection('1')
    await sleep(100)
    const left = scoped(
      60_000,
      () => Promise.all(before.map(() => failure(db.sql`select 'left' as theirs`))),
      leave.signal,
    )
    await sleep(10)
    const after = before.map(() => db.sql`select 'kept' as mine`.execute())
    await sleep(10)
    leave.abort()
    expect(await Promise.all(after)).toEqual(before.map(() => [{ mine: 'kept' }]))
    expect(await left).toEqual(before.map(() => null))
    await Promise.all(before)
  })

  test('is one of many that end with their reader, without a warning that listeners pile up', async () => {
    const warnings: Error[] = []
    const hear = (warning: Error): void => void warnings.push(warning)
    process.on('warning', hear)
    const leave = new AbortController()
    await scoped(
      60_000,
      async () => {
        const quick = await Promise.all(Array.from({ length: 30 }, (_, n) => db.sql`select ${n}::int as n`))
        expect(quick.map(([row]) => row!.n)).toEqual(Array.from({ length: 30 }, (_, n) => n))
        const slow = Array.from({ length: 12 }, () => failure(db.sql`select pg_sleep(60), ${MARK} as mark`))
        await sleep(200)
        leave.abort()
        for (const error of await Promise.all(slow)) expect(isCanceled(error)).toBe(true)
      },
      leave.signal,
    )
    await until(0)
    process.off('warning', hear)
    expect(warnings).toEqual([])
  })

  test('outside of a scope, and of work that others wait for, takes the time it takes', async () => {
    expect(await failure(db.sql`select pg_sleep(0.4)`)).toBeNull()
    expect(
      await scoped(100, () => failure(outsideStatementScope(() => db.sql`select pg_sleep(0.4)`))),
    ).toBeNull()
    expect(await scoped(100, () => failure(db.sql.begin((tx) => tx`select pg_sleep(0.4)`)))).toBeNull()
  })
})
