import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Transcript } from '../seed/transcript'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBody } from '../writes/ingest'
import { ensureProject } from '../projects'
import { startJobs, type Jobs } from './start'

let db: TestDb
let jobs: Jobs | null = null
let projectId: string
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
})
afterAll(async () => {
  await jobs?.stop()
  await db.close()
})

const restart = async (options: Parameters<typeof startJobs>[1]): Promise<void> => {
  await jobs?.stop()
  jobs = await startJobs(db.url, options)
}
const runNow = () => db.sql`select graphile_worker.add_job('parity')`
const take = (n: number) =>
  ingestBody(db, {
    projectId,
    source: null,
    kind: 'claude-transcript',
    bytes: Buffer.from(
      new Transcript({ sessionId: `0e0e0e0e-0000-4000-8000-00000000000${n}` })
        .user('go')
        .call('Bash', { command: 'make' }, { fails: 'Exit code 2' }).text,
    ),
  })
const idle = () =>
  vi.waitFor(
    async () =>
      expect(await db.sql`select 1 from graphile_worker.jobs where task_identifier = 'parity'`).toEqual([]),
    { timeout: 15_000, interval: 50 },
  )

test('an execution that has ended is checked by the worker, where it is told to, and elsewhere when it may', async () => {
  const first = (await take(1)).executions[0]!.id
  await db.sql`update parity_standing set due_at = date_trunc('milliseconds', now())`
  await restart({})
  await runNow()
  await idle()
  expect(await db.sql`select 1 from parity_checks`, 'switched off').toEqual([])
  await restart({ parityBudgetMs: 60_000 })
  await runNow()
  await vi.waitFor(
    async () =>
      expect(await db.sql`select execution_id, trigger, verdict from parity_checks`).toEqual([
        { execution_id: first, trigger: 'terminal', verdict: 'equal' },
      ]),
    { timeout: 15_000, interval: 50 },
  )
  const elsewhere: string[] = []
  await restart({
    parityBudgetMs: 60_000,
    failureTag: 'own-tag',
    checkParity: ({ executionId, failureTag }) =>
      Promise.resolve(elsewhere.push(`${executionId} ${failureTag}`) > 0 ? 'in-the-way' : 'checked'),
  })
  const second = (await take(2)).executions[0]!.id
  await db.sql`update parity_standing set due_at = date_trunc('milliseconds', now()) where execution_id = ${second}`
  await runNow()
  await vi.waitFor(() => expect(elsewhere).toEqual([`${second} own-tag`]), { timeout: 15_000, interval: 50 })
})
