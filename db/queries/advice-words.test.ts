import { afterAll, beforeAll, expect, test } from 'vitest'
import { Transcript } from '../seed/transcript'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBody } from '../writes/ingest'
import { ensureProject } from '../projects'
import { readExecution } from './execution'

let db: TestDb
let projectId: string
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
})
afterAll(() => db.close())

test('an advice is in today’s words, and in those of its day where an older version wrote it', async () => {
  const transcript = new Transcript({ sessionId: '0d0d0d0d-0000-4000-8000-00000000000b', cwd: '/r' })
    .user('go')
    .call('Bash', { command: 'make all' }, { fails: 'Exit code 2\nmake: *** No rule to make target all.' })
    .says('hm')
  const { executions } = await ingestBody(db, {
    projectId,
    source: null,
    kind: 'claude-transcript',
    bytes: Buffer.from(transcript.text),
  })
  const { id } = executions[0]!
  const read = async () => (await readExecution(db, [projectId], id))!.advice!
  const written = await read()
  expect(written).toMatchObject({
    runRetry: 'unclear',
    callRetry: 'wont_help',
    because: { id: 'agent_may_differ', params: { because: { id: 'make_target_missing' } } },
    step: { id: 'use_make_target' },
  })

  await db.sql`update executions set advice = advice || '{"next":"as then","retryBecause":"as then"}'`
  expect(await read()).toEqual(written)

  await db.sql`update executions set advice = advice - 'because' - 'step'`
  expect(await read()).toMatchObject({ next: 'as then', retryBecause: 'as then' })
})
