import { afterAll, beforeAll, expect, test } from 'vitest'
import { Transcript } from '../seed/transcript'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBody } from '../writes/ingest'
import { ensureProject } from '../projects'
import { findAnyId } from './find-any-id'

let db: TestDb
let projectId: string
const ids: string[] = []
const SESSIONS = [
  '1a2b3c4d-0000-4000-8000-000000000001',
  '1a2b3c4d-0000-4000-8000-000000000002',
  '5e6f7a8b-0000-4000-8000-000000000003',
]
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
  for (const sessionId of SESSIONS) {
    const bytes = Buffer.from(new Transcript({ sessionId }).user('go').text)
    ids.push(
      (await ingestBody(db, { projectId, source: null, kind: 'claude-transcript', bytes })).executions[0]!.id,
    )
  }
})
afterAll(() => db.close())

const found = async (id: string, projects = [projectId]) =>
  (await findAnyId(db, projects, id)).map(({ executionId }) => executionId)

test('an execution is found by the first characters of its session, and several are told apart', async () => {
  expect(await found('5e6f7a8b')).toEqual([ids[2]])
  expect(await found('5e6f7a8b-0000')).toEqual([ids[2]])
  expect(await found('1a2b3c4d')).toEqual([ids[0], ids[1]])
  expect(await found(SESSIONS[0]!)).toEqual([ids[0]])
})

test('by those of our own id too, and by nothing that is shorter, other or of another project', async () => {
  expect(await found(ids[1]!.slice(0, 30))).toContain(ids[1])
  expect(await found(ids[2]!.slice(0, -1))).toContain(ids[2])
  for (const id of ['5e6f7a8', '5e6f7a8c', '5e6f7a8b_', '%e6f7a8b', '5e6f7a8b-0000-4000-8000-0000000000033'])
    expect(await found(id), id).toEqual([])
  const other = (await ensureProject(db.sql, { slug: 'other', name: 'Other' })).id
  expect(await found('5e6f7a8b', [other])).toEqual([])
})
