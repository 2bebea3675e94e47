import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { listenLive, type LiveMessage } from '../live-client'
import { ensurePartitions } from '../partitions'
import { readRollups } from '../queries/rollups'
import { Transcript } from '../seed/transcript'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBody } from '../writes/ingest'
import { ensureProject } from '../projects'
import { foldRollups } from '../writes/publish/facet-counts'
import { startJobs, type Jobs } from './start'

let db: TestDb
let jobs: Jobs
let projectId: string
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
  jobs = await startJobs(db.url)
})
afterAll(async () => {
  await jobs.stop()
  await db.close()
})

const SESSION = '0c0c0c0c-0000-4000-8000-000000000001'

test('an import whose last piece never comes is analysed a little later, and listeners are told', async () => {
  const messages: LiveMessage[] = []
  const live = await listenLive(db.url, { onMessage: (message) => messages.push(message) })
  const lines = new Transcript({ sessionId: SESSION })
    .user('go')
    .call('Bash', { command: 'false' }, { fails: 'Exit code 1' })
    .lines.map((line) => Buffer.from(`${line}\n`))
  const first = await ingestBody(db, {
    projectId,
    source: null,
    kind: 'claude-transcript',
    bytes: lines[0]!,
    more: true,
  })
  await ingestBody(db, {
    projectId,
    source: null,
    kind: 'claude-transcript',
    bytes: Buffer.concat(lines.slice(1)),
    offset: first.nextOffset!,
    streamId: first.streamId,
    more: true,
  })
  expect(await db.sql`select dirty, records from executions`).toEqual([{ dirty: true, records: 1 }])
  await vi.waitFor(
    async () =>
      expect(await db.sql`select dirty, records, failed_calls from executions`).toEqual([
        { dirty: false, records: 3, failed_calls: 1 },
      ]),
    { timeout: 15_000, interval: 100 },
  )
  const id = first.executions[0]!.id
  await vi.waitFor(() => expect(messages.map((m) => m.executions)).toEqual([[id], [id]]), {
    timeout: 5_000,
    interval: 50,
  })
  expect(messages[0]).toEqual({ project: projectId, executions: [id], n: 1 })
  await live.close()
})

test('counts are the same before and after their deltas are summed up, whoever sums at once', async () => {
  const before = await readRollups(db, [projectId])
  expect(before.find((c) => c.facet === '')!.count).toBe(1)
  await Promise.all([foldRollups(db.sql as never), foldRollups(db.sql as never)])
  const sorted = (counts: typeof before) =>
    [...counts].sort((a, b) => `${a.facet} ${a.value}`.localeCompare(`${b.facet} ${b.value}`))
  expect(sorted(await readRollups(db, [projectId]))).toEqual(sorted(before))
  expect(await db.sql`select count(*)::int as n from facet_deltas`).toEqual([{ n: 0 }])
})

test('rows that a default partition caught move to their month when its partition is made', async () => {
  const now = new Date()
  for (const { name } of await db.sql<
    { name: string }[]
  >`select inhrelid::regclass::text as name from pg_inherits i join pg_partitioned_table p on p.partrelid = i.inhparent where i.inhrelid <> p.partdefid`)
    await db.sql.begin(async (tx) => {
      const [parent] =
        await tx`select inhparent::regclass::text as name from pg_inherits where inhrelid = ${name}::regclass`
      await tx`set local inquest.rebuilding = 'on'`
      await tx.unsafe(`alter table ${parent!.name} detach partition ${name}`)
      await tx.unsafe(`insert into ${parent!.name} select * from ${name}`)
      await tx.unsafe(`drop table ${name}`)
    })
  const count = () =>
    db.sql`select (select count(*)::int from events) as events, (select count(*)::int from received) as received, (select count(*)::int from executions) as executions`
  const before = await count()
  expect(await db.sql`select count(*)::int as n from only events_default`).toEqual([{ n: before[0]!.events }])
  const made = await ensurePartitions(db.sql, now)
  expect(made).toHaveLength(28)
  expect(await count()).toEqual(before)
  expect(await db.sql`select count(*)::int as n from only events_default`).toEqual([{ n: 0 }])
  expect(await ensurePartitions(db.sql, now)).toEqual([])
  await expect(db.sql`delete from events`, 'triggers came with the partition').rejects.toMatchObject({
    code: '23001',
  })
  // Storage of bytes too: a part that is made of one byte must not be compressed away.
  const [storage] =
    await db.sql`select bool_and(attstorage = 'e') as external from pg_attribute where attname = 'bytes' and attrelid in (select inhrelid from pg_inherits where inhparent = 'received'::regclass)`
  expect(storage!.external).toBe(true)
})
