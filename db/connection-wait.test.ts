import { sql as raw } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Db, openDb } from './client'
import { isPoolBusy } from './sql-state'
import { type TestDb, testDb } from './testing/test-db'

let home: TestDb
/** With two connections for each of its clients, and little patience. */
let db: Db
beforeAll(async () => {
  home = await testDb()
  db = openDb(home.url, { max: 2, waitMs: 200 })
  await home.sql`create table written (what text)`
})
afterAll(async () => {
  await db.close()
  await home.close()
})
beforeEach(() => home.sql`truncate written`)

const failure = (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => null,
    (error: unknown) => error,
  )

/** Transactions that hold every connection of both clients. @returns gives them back */
async function takeAll(): Promise<() => Promise<void>> {
  let free = (): void => undefined
  const freed = new Promise<void>((resolve) => (free = resolve))
  const taken: Promise<void>[] = []
  const holders: Promise<unknown>[] = []
  const hold = (begin: (work: () => Promise<void>) => Promise<unknown>): void => {
    taken.push(
      new Promise((resolve) => {
        holders.push(
          begin(() => {
            resolve()
            return freed
          }),
        )
      }),
    )
  }
  for (let n = 0; n < 2; n++) {
    hold((work) => db.sql.begin(work))
    hold((work) => db.orm.transaction(work))
  }
  await Promise.all(taken)
  return async () => {
    free()
    await Promise.all(holders)
  }
}

test.each<[string, () => PromiseLike<unknown>]>([
  ['a statement', () => db.sql`insert into written values ('late')`],
  ['a statement as text', () => db.sql.unsafe(`insert into written values ('late')`)],
  ['a transaction', () => db.sql.begin((tx) => tx`insert into written values ('late')`)],
  [
    'a transaction with options',
    () => db.sql.begin('isolation level serializable', (tx) => tx`insert into written values ('late')`),
  ],
  ['a statement of drizzle', () => db.orm.execute(raw`insert into written values ('late')`)],
  [
    'a transaction of drizzle',
    () => db.orm.transaction((tx) => tx.execute(raw`insert into written values ('late')`)),
  ],
])('%s that gets no connection is refused, and is not done later either', async (_name, ask) => {
  const free = await takeAll()
  const error = await failure(ask())
  await free()
  expect(isPoolBusy(error)).toBe(true)
  // Both connections of both clients serve again.
  const all = [1, 2].flatMap(() => [
    db.sql.begin((tx) => tx`select what from written`),
    db.orm.transaction((tx) => tx.execute(raw`select what from written`)),
  ])
  for (const rows of await Promise.all(all)) expect([...rows]).toEqual([])
})

test('what has its connection takes the time it takes', async () => {
  await db.sql`select pg_sleep(0.4)`
  expect([...(await db.sql.begin((tx) => tx`select pg_sleep(0.4), 1 as one`))]).toMatchObject([{ one: 1 }])
  expect([...(await db.orm.execute(raw`select pg_sleep(0.4), 1 as one`))]).toMatchObject([{ one: 1 }])
})

test('a transaction that fails or is rolled back says why', async () => {
  await expect(db.sql.begin(() => Promise.reject(new Error('not today')))).rejects.toThrow('not today')
  await expect(db.sql.begin((tx) => tx`select 1 / 0`)).rejects.toThrow('division by zero')
})
