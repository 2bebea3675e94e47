import { afterAll, expect, test, vi } from 'vitest'
import { Transcript } from '../../seed/transcript'
import { testDb } from '../../testing/test-db'
import { analyseDirty } from './analyse'
import { lockNames } from '../../locks'
import { ingestBody } from '../ingest'
import { ensureProject } from '../../projects'

const db = await testDb()
const projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
afterAll(() => db.close())

test('what somebody else analyses in the meantime is not analysed again', async () => {
  const session = new Transcript({ sessionId: '0c0c0c0c-0000-4000-8000-000000000002' })
    .user('go')
    .call('Bash', { command: 'true' }, { ok: 'ok' })
  await ingestBody(db, {
    projectId,
    source: null,
    kind: 'claude-transcript',
    bytes: Buffer.from(session.text),
  })
  await db.sql`update executions set dirty = true`
  let analysed: Promise<number> | undefined
  await db.sql.begin(async (tx) => {
    // As the last piece does it: the lock first, and the mark goes with the end of its transaction.
    await lockNames(tx, [`execution ${projectId} 0c0c0c0c-0000-4000-8000-000000000002`])
    await tx`update executions set dirty = false`
    analysed = analyseDirty(db, { quietMs: 0 })
    await vi.waitFor(
      async () =>
        expect(await db.sql`select 1 from pg_locks where locktype = 'advisory' and not granted`).toHaveLength(
          1,
        ),
      { timeout: 5_000, interval: 20 },
    )
  })
  expect(await analysed).toBe(0)
  await db.sql`update executions set dirty = true`
  expect(await analyseDirty(db, { quietMs: 0 })).toBe(1)
})

test('a piece that comes during an analysis waits for its end, so that its mark stays', async () => {
  const session = '0c0c0c0c-0000-4000-8000-000000000003'
  const [first, second, third] = new Transcript({ sessionId: session })
    .user('go')
    .call('Bash', { command: 'true' }, { ok: 'ok' })
    .lines.map((line) => Buffer.from(`${line}\n`))
  const piece = { projectId, source: null, kind: 'claude-transcript', more: true } as const
  const { streamId } = await ingestBody(db, { ...piece, bytes: first! })
  await ingestBody(db, { ...piece, bytes: second!, offset: first!.length, streamId })
  let arriving: Promise<unknown> | undefined
  await db.sql.begin(async (tx) => {
    // As an analysis does it, from before it reads until its end.
    await lockNames(tx, [`execution ${projectId} ${session}`])
    arriving = ingestBody(db, { ...piece, bytes: third!, offset: first!.length + second!.length, streamId })
    await vi.waitFor(
      async () =>
        expect(await db.sql`select 1 from pg_locks where locktype = 'advisory' and not granted`).toHaveLength(
          1,
        ),
      { timeout: 5_000, interval: 20 },
    )
    await tx`update executions set dirty = false where external_id = ${session}`
  })
  await arriving
  expect(await db.sql`select dirty from executions where external_id = ${session}`).toEqual([{ dirty: true }])
})
