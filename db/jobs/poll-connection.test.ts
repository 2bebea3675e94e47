import { v7 } from 'uuid'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { SEED, seedRuns } from '@/e2e/support/noetl/seed'
import { startNoetlStandIn, type NoetlStandIn } from '@/e2e/support/noetl/stand-in'
import { listConnections } from '../queries/connections'
import { testDb, type TestDb } from '../testing/test-db'
import { changeConnection, createConnection, removeConnection } from '../connections/connections'
import { ensureProject } from '../projects'
import { startJobs, type Jobs } from './start'

const SECRET = 'a secret of the server that is long enough'

let db: TestDb
let projectId: string
let standIn: NoetlStandIn
const started: Jobs[] = []
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
  standIn = await startNoetlStandIn({ runs: seedRuns() })
})
afterAll(async () => {
  for (const jobs of started) await jobs.stop()
  await standIn.close()
  await db.close()
})

const connect = async (name: string, to = projectId): Promise<string> => {
  const id = v7()
  await createConnection(db.sql, {
    id,
    projectId: to,
    secret: SECRET,
    actor: 'system',
    name,
    baseUrl: `${standIn.url}/`,
    allowPrivate: true,
    intervalSeconds: 3600,
  })
  return id
}
const standing = async (id: string, of = projectId) => (await listConnections(db.sql, [of], id))[0]!
const jobsOf = (id: string) => db.sql`select run_at from graphile_worker.jobs where key like ${`%${id}`}`
const eventually = (check: () => Promise<unknown>) => vi.waitFor(check, { timeout: 30_000, interval: 100 })

test('a connection is polled when it is made, again after its interval, at once when it is changed, and never when it is gone', async () => {
  // Made before there is a worker, and not asked since: the one that starts finds it.
  const early = await connect('early')
  await db.sql`update source_connections set next_at = now() - interval '1 hour'`
  started.push(await startJobs(db.url, { secret: SECRET }))
  await eventually(async () => expect((await standing(early)).state).toBe('up_to_date'))
  const [parent] =
    await db.sql`select outcome from executions e join execution_keys k on k.project_id = e.project_id and k.execution_id = e.id where k.external_id = ${SEED.parent}`
  expect(parent).toEqual({ outcome: 'failed' })

  const id = await connect('later')
  await eventually(async () => expect((await standing(id)).lastOkAt).not.toBeNull())
  const { lastPolledAt, nextAt } = await standing(id)
  expect(Date.parse(nextAt!) - Date.parse(lastPolledAt!)).toBe(3_600_000)
  await eventually(async () => expect((await jobsOf(id)).length).toBe(1))

  const asked = standIn.calls.length
  await changeConnection(db.sql, {
    id,
    projectIds: [projectId],
    secret: SECRET,
    actor: 'system',
    change: { intervalSeconds: 7200 },
  })
  await eventually(async () => expect((await standing(id)).lastPolledAt).not.toBe(lastPolledAt))
  expect(standIn.calls.length).toBeGreaterThan(asked)

  await eventually(async () => expect((await jobsOf(id)).length).toBe(1))
  await removeConnection(db.sql, { id, projectIds: [projectId], actor: 'system' })
  const after = standIn.calls.length
  await db.sql`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs where key like ${`%${id}`}), run_at := now())`
  await eventually(async () => expect((await jobsOf(id)).length).toBe(0))
  expect(standIn.calls.length).toBe(after)
})

test('a server that stops in the middle of a question does not wait for its answer, and lets the connection go', async () => {
  for (const jobs of started.splice(0)) await jobs.stop()
  await standIn.set({ faults: [{ kind: 'slow', ms: 3_600_000 }] })
  const id = await connect('slow')
  const jobs = await startJobs(db.url, { secret: SECRET })
  const leased = async () =>
    (await db.sql`select leased_until is not null as leased from source_connections where id = ${id}`)[0]!
      .leased as boolean
  await eventually(async () => expect(standIn.calls.at(-1)).toMatchObject({ fault: 'slow', ended: 'open' }))
  expect(await leased()).toBe(true)
  await jobs.stop()
  expect(await leased()).toBe(false)
  expect(await standing(id)).toMatchObject({ lastPolledAt: null, failures: 0 })
})

test('a server that stops while the sweep asks a source checks nothing of what it did not hear, and leaves it due', async () => {
  await standIn.set({ faults: [] })
  await db.sql`delete from source_connections`
  const own = (await ensureProject(db.sql, { slug: 'swept', name: 'Swept' })).id
  const id = await connect('swept', own)
  const errors: string[] = []
  const log = (level: string, message: string): void => void (level === 'error' && errors.push(message))
  const polling = await startJobs(db.url, { secret: SECRET })
  await eventually(async () => expect((await standing(id, own)).state).toBe('up_to_date'))
  await polling.stop()
  await standIn.set({ faults: [{ kind: 'slow', ms: 3_600_000 }] })
  await db.sql`update parity_standing set due_at = null`
  const [parent] = await db.sql<
    { id: string }[]
  >`select execution_id as id from execution_keys where project_id = ${own} and external_id = ${SEED.parent}`
  await db.sql`update parity_standing set due_at = date_trunc('milliseconds', now()) where execution_id = ${parent!.id}`
  const jobs = await startJobs(db.url, { secret: SECRET, parityBudgetMs: 60_000, log })
  await db.sql`select graphile_worker.add_job('parity')`
  await eventually(async () =>
    expect(standIn.calls.at(-1)).toMatchObject({ route: 'detail', executionId: SEED.parent, ended: 'open' }),
  )
  await jobs.stop()
  expect(await db.sql`select 1 from parity_checks where execution_id = ${parent!.id}`).toEqual([])
  expect(
    await db.sql`select due_at < now() + interval '1 minute' as soon from parity_standing where execution_id = ${parent!.id}`,
  ).toEqual([{ soon: true }])
  expect(errors).toEqual([])
})
