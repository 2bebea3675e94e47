import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqlState } from './sql-state'
import { testDb, type TestDb } from './testing/test-db'
import { recordAudit, verifyAuditLog } from './audit'
import { ensureProject } from './projects'

let db: TestDb
let projectId: string
beforeAll(async () => {
  db = await testDb({ max: 8 })
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
})
afterAll(() => db.close())

const record = (subject: string, detail: Record<string, unknown> = {}) =>
  db.sql.begin((tx) =>
    recordAudit(tx, { projectId, actor: 'person:1', action: 'test.done', subject, detail }),
  )

test('entries written at once form one chain without gaps, whatever their detail holds', async () => {
  await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      record(`s${i}`, { i, text: 'a\u0000b\ud800', when: undefined, nested: { z: 1.5, a: [null, -0] } }),
    ),
  )
  expect(await verifyAuditLog(db.sql, projectId)).toMatchObject({ valid: true, entries: 12 })
})

test('an entry of a transaction that is rolled back leaves no gap', async () => {
  await db.sql
    .begin(async (tx) => {
      await recordAudit(tx, { projectId, actor: 'person:1', action: 'test.undone', subject: 'x' })
      throw new Error('undo')
    })
    .catch(() => {})
  await record('after')
  expect(await verifyAuditLog(db.sql, projectId)).toMatchObject({ valid: true, entries: 13 })
})

test('the log refuses change, removal and truncation, also while derived rows are rebuilt', async () => {
  for (const statement of [
    'update audit_log set actor = $$someone$$',
    'delete from audit_log',
    'truncate audit_log',
  ]) {
    const refused = db.sql.begin(async (tx) => {
      await tx`set local inquest.rebuilding = 'on'`
      await tx.unsafe(statement)
    })
    expect(await refused.then(() => null, sqlState), statement).toBe('23001')
  }
})

test('a change made behind the trigger is found', async () => {
  await db.sql`alter table audit_log disable trigger user`
  await db.sql`update audit_log set subject = 'forged' where seq = 5`
  await db.sql`alter table audit_log enable trigger user`
  expect(await verifyAuditLog(db.sql, projectId)).toEqual({ valid: false, seq: 5, why: 'changed' })
})
