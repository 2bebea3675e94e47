import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyFilter, parseFilter } from '@/lib/views/executions/filter'
import { Transcript } from '../seed/transcript'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBody } from '../writes/ingest'
import { ensureProject } from '../projects'
import { listExecutions, listNeighbours } from './executions'

const session = (n: number): string => `0e0e0e0e-0000-4000-8000-00000000000${n}`
let db: TestDb
let projectIds: string[]
const ids = new Map<string, string>()

const fails = (n: number, startedAt: string): Transcript =>
  new Transcript({ sessionId: session(n), startedAt })
    .user(`task ${n}`)
    .call('Bash', { command: 'make' }, { fails: 'Exit code 1' })
const withoutTimes = (transcript: Transcript): string =>
  transcript.lines
    .map((line) => `${JSON.stringify({ ...JSON.parse(line), timestamp: undefined })}\n`)
    .join('')
const take = async (n: number, text: string): Promise<void> => {
  const answer = await ingestBody(db, {
    projectId: projectIds[0]!,
    source: null,
    kind: 'claude-transcript',
    bytes: Buffer.from(text),
  })
  ids.set(session(n), answer.executions[0]!.id)
}

beforeAll(async () => {
  db = await testDb()
  projectIds = [(await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id]
  await take(1, fails(1, '2026-01-01T08:00:00.000Z').text)
  // These arrive later than the first and before the last, and nothing in them says when they were.
  for (const n of [2, 3]) await take(n, withoutTimes(fails(n, '2026-05-01T08:00:00.000Z')))
  await take(4, fails(4, '2026-03-01T08:00:00.000Z').text)
})
afterAll(() => db.close())

const order = [4, 1, 3, 2].map(session)

const filters = [
  '',
  'outcome:failed',
  'class:exit_code',
  'task',
  'outcome:failed class:exit_code',
  'class:exit_code task',
]

test.each(filters)('executions without any time end the list of "%s", on pages of every size', async (q) => {
  const { filter } = parseFilter(q)
  for (const limit of [1, 2, 3, 10]) {
    const found: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof listExecutions>> = await listExecutions(db, {
        projectIds,
        filter,
        cursor,
        limit,
      })
      found.push(...page.items.map((item) => item.externalId))
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(found, String(limit)).toEqual(order)
  }
})

test('they are neighbours in the same order', async () => {
  const of = (n: number) =>
    listNeighbours(db, { projectIds, filter: emptyFilter(), id: ids.get(session(n))! })
  expect(await of(1)).toEqual({ previous: ids.get(session(4)), next: ids.get(session(3)) })
  expect(await of(2)).toEqual({ previous: ids.get(session(3)), next: null })
})
