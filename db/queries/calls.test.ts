import { afterAll, beforeAll, expect, test } from 'vitest'
import { Transcript } from '../seed/transcript'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBody } from '../writes/ingest'
import { ensureProject } from '../projects'
import { listCalls } from './calls'

let db: TestDb
let projectId: string
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
})
afterAll(() => db.close())

test('the rule of a link is read with its words of today, and as its text where an older version wrote it', async () => {
  const { text } = new Transcript({ sessionId: 'c1', cwd: '/srv/shop' })
    .user('mend it')
    .call('Bash', { command: 'npm test' }, { fails: 'Exit code 1\n1 failed' })
    .call('Bash', { command: 'npm test' }, { ok: 'ok' })
  const bytes = new TextEncoder().encode(text)
  const taken = await ingestBody(db, { projectId, source: null, kind: 'claude-transcript', bytes })
  const linked = async () => {
    const { items } = await listCalls(db, { projectIds: [projectId], id: taken.executions[0]!.id })
    return items.map(({ linkRule, link }) => [linkRule, link])
  }
  expect(await linked()).toEqual([
    [null, null],
    ['same tool, same target', { rule: 'same_tool_same_target', params: {} }],
  ])
  await db.sql`update calls set link_rule = 'counted', link_params = '{"attempt":2,"max":3}' where link_rule is not null`
  expect((await linked())[1]).toEqual(['attempt 2 of 3', { rule: 'counted', params: { attempt: 2, max: 3 } }])
  await db.sql`update calls set link_rule = 'same tool, same target', link_params = null where link_rule is not null`
  expect((await linked())[1]).toEqual(['same tool, same target', null])
})
