import { afterAll, beforeEach, expect, test } from 'vitest'
import { forgetEverything } from '../testing/content'
import { testDb } from '../testing/test-db'
import { ensureProject } from '../projects'
import { ingestBody } from './ingest'

const db = await testDb()
const projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
beforeEach(() => forgetEverything(db))
afterAll(() => db.close())

const NAME = 'claude-execution-output.json'
const take = (records: object[]) =>
  ingestBody(db, {
    projectId,
    source: null,
    kind: 'claude-stream',
    fileName: NAME,
    bytes: new TextEncoder().encode(JSON.stringify(records, null, 2)),
  })
const run = (session: string, subtype: string, hour = 8) => {
  const timestamp = `2026-11-02T0${hour}:00:00.000Z`
  return [
    { type: 'system', subtype: 'init', session_id: session, cwd: '/home/runner/work/shop', timestamp },
    {
      type: 'result',
      subtype,
      is_error: subtype !== 'success',
      session_id: session,
      num_turns: 2,
      timestamp,
    },
  ]
}
const stored = async () =>
  (
    await db.sql<{ external_id: string; outcome: string }[]>`
      select external_id, outcome from executions order by external_id`
  ).map((row) => [row.external_id, row.outcome])

test('two steps of a job that write the same file are two executions', async () => {
  await take(run('a', 'success'))
  await take(run('b', 'error_max_turns'))
  expect(await stored()).toEqual([
    ['a', 'succeeded'],
    ['b', 'failed'],
  ])
})

test('a step that goes on with the session of the one before is a later run of that execution', async () => {
  await take(run('a', 'error_max_turns'))
  await take(run('a', 'success', 9))
  expect(await stored()).toEqual([['a', 'succeeded']])
})

test('an empty list is taken, and is no execution: two of them are not one and the same run', async () => {
  for (const _ of [1, 2])
    expect(await take([])).toMatchObject({ accepted: 0, duplicates: 0, oddTotal: 0, executions: [] })
  expect(await stored()).toEqual([])
})
