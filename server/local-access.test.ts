import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readSettings } from '@/cli/settings'
import { until } from '@/cli/testing/run-cli'
import { readKeyAccess } from '@/db/queries/access'
import { testDb } from '@/db/testing/test-db'
import { hashKey } from '@/lib/auth/tokens'
import { openLocalAccess } from './local-access'

let db: Awaited<ReturnType<typeof testDb>>
let folder: string
beforeAll(async () => {
  db = await testDb()
})
afterAll(async () => {
  await db.close()
})
beforeEach(async () => {
  await db.sql`delete from api_keys`
  folder = await mkdtemp(path.join(tmpdir(), 'inquest-local-'))
  return () => rm(folder, { recursive: true, force: true })
})

const opens = async (token: string): Promise<boolean> =>
  (await readKeyAccess(db.sql, hashKey(token)))?.local === true
const open = (state = 'state', beatMs?: number) =>
  openLocalAccess(db.sql, { stateDir: path.join(folder, state), url: 'http://127.0.0.1:4790' }, beatMs)
const expire = () => db.sql`update api_keys set expires_at = now() - interval '1 second'`

test.each(['the same', 'another'])(
  'a second process on the same database, with %s state folder, leaves the key of the first alone',
  async (folderOf) => {
    const first = await open()
    const second = await open(folderOf === 'the same' ? 'state' : 'other')
    expect([await opens(first.token), await opens(second.token)]).toEqual([true, true])
    await second.end()
    expect([await opens(first.token), await opens(second.token)]).toEqual([true, false])
    expect(readSettings({ INQUEST_STATE: path.join(folder, 'state') }).token).toBe(first.token)
    await first.end()
    expect(await opens(first.token)).toBe(false)
  },
)

test('the key of a process without a sign of life expires, and the next one forgets it', async () => {
  const first = await open()
  const [row] = await db.sql<{ minutes: number }[]>`
    select extract(epoch from expires_at - now())::float8 / 60 as minutes from api_keys`
  expect(row!.minutes).toBeGreaterThan(4)
  expect(row!.minutes).toBeLessThanOrEqual(5)
  await expire()
  expect(await opens(first.token)).toBe(false)
  await open('other')
  expect((await db.sql`select count(*)::int as n from api_keys`)[0]!.n).toBe(1)
  await first.end()
})

test('a living process keeps its key, also one that was lost meanwhile', async () => {
  const living = await open('state', 20)
  for (const lose of [expire, () => db.sql`delete from api_keys`]) {
    await lose()
    let open = false
    await until(
      () => {
        void opens(living.token).then((now) => (open = now))
        return open
      },
      30_000,
      'the key opens again',
    )
  }
  await living.end()
  expect((await db.sql`select count(*)::int as n from api_keys`)[0]!.n).toBe(0)
})
