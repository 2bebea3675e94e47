import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Tx } from '../../client'
import { Transcript } from '../../seed/transcript'
import { testDb, type TestDb } from '../../testing/test-db'
import { ingestBody } from '../ingest'
import { ensureProject } from '../../projects'
import { noteChainSizes, writeChains } from './write-decision'

let db: TestDb
let projectId: string
const ids: string[] = []
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
  for (let n = 0; n < 4; n++) {
    const bytes = Buffer.from(new Transcript({ sessionId: randomUUID() }).user('go').text)
    const body = { projectId, source: null, kind: 'claude-transcript', bytes } as const
    ids.push((await ingestBody(db, body)).executions[0]!.id)
  }
})
afterAll(() => db.close())

const chain = (id: string, attempt: number) =>
  ({ id, name: id, rule: 'ci_run_attempts', basis: 'recorded', attempt }) as const
const put = (tx: Tx, member: number, ...chains: ReturnType<typeof chain>[]) =>
  writeChains(tx, projectId, ids[member]!, chains, '2026-01-01T00:00:00Z')
const note = (tx: Tx, id: string) => noteChainSizes(tx, projectId, [id], [])

/** Transactions of the database that wait for a lock. */
const waiting = async (): Promise<number> =>
  (
    await db.sql<
      { n: number }[]
    >`select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  )[0]!.n

test('an execution of two chains that grow at the same time has the size of the larger one', async () => {
  await db.sql.begin(async (tx) => {
    await put(tx, 0, chain('a', 1), chain('b', 1))
    await put(tx, 1, chain('b', 2))
    await note(tx, 'a')
    await note(tx, 'b')
  })
  let other: Promise<unknown> | undefined
  await db.sql.begin(async (tx) => {
    await put(tx, 2, chain('b', 3))
    await note(tx, 'b')
    other = db.sql.begin(async (second) => {
      await put(second, 3, chain('a', 2))
      await note(second, 'a')
    })
    await vi.waitFor(async () => expect(await waiting()).toBe(1), { timeout: 10_000 })
  })
  await other
  const rows = await db.sql<{ id: string; marks: string[] }[]>`select id, marks from executions`
  const sizeOf = (n: number) =>
    rows.find((row) => row.id === ids[n])!.marks.filter((mark) => mark.startsWith('attempts:'))
  expect([0, 1, 2, 3].map(sizeOf)).toEqual([['attempts:3'], ['attempts:3'], ['attempts:3'], ['attempts:2']])
})
