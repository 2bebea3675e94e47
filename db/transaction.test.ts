import { afterAll, expect, test } from 'vitest'
import { testDb } from './testing/test-db'
import { BrokenTogether, transact } from './transaction'

const db = await testDb()
afterAll(() => db.close())
await db.sql`create table numbers (n int primary key)`

const stored = async (): Promise<number[]> =>
  (await db.sql<{ n: number }[]>`select n from numbers order by n`).map(({ n }) => n)

test('a statement that nobody waited for takes the transaction back when it fails', async () => {
  const done = transact(db, async ({ tx, sent }) => {
    await tx`insert into numbers values (1)`
    sent.add(tx`select pg_sleep(0.05)`.execute())
    sent.add(tx`select 1 / 0`.execute())
    return 'done'
  })
  await expect(done).rejects.toMatchObject({ code: '22012' })
  expect(await stored()).toEqual([])
})

test('work that fails is over only when all that it sent is', async () => {
  let ended = false
  const done = transact(db, async ({ tx, sent }) => {
    sent.add(
      tx`select pg_sleep(0.05)`.execute().then(() => {
        ended = true
      }),
    )
    throw new Error('no more')
  })
  await expect(done).rejects.toThrow('no more')
  expect(ended).toBe(true)
})

test('a failure of what was sent is named, not the statement that came after it', async () => {
  const done = transact(db, async ({ tx, sent }) => {
    sent.add(tx`insert into numbers values (null)`.execute())
    await tx`insert into numbers values (2)`
  })
  await expect(done).rejects.toMatchObject({ code: '23502' })
})

test('work that broke together is run once more, each thing by itself', async () => {
  const ways: boolean[] = []
  const work = (fails: boolean) =>
    transact(db, async ({ apart }) => {
      ways.push(apart)
      if (!apart || fails) throw new BrokenTogether('broke')
      return 'done'
    })
  expect(await work(false)).toBe('done')
  await expect(work(true)).rejects.toThrow('broke')
  expect(ways).toEqual([false, true, false, true])
})

test('a deadlock is tried again', async () => {
  await db.sql`insert into numbers values (10), (20)`
  const both = (first: number, second: number) =>
    transact(db, async ({ tx }) => {
      await tx`select from numbers where n = ${first} for update`
      await tx`select pg_sleep(0.1)`
      await tx`select from numbers where n = ${second} for update`
      return first
    })
  expect(await Promise.all([both(10, 20), both(20, 10)])).toEqual([10, 20])
})
