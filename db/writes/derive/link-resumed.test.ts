import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { emptyFilter, parseFilter } from '@/lib/views/executions/filter'
import { listExecutionChains } from '../../queries/chains'
import { listExecutions, listFacets } from '../../queries/executions'
import { recordedRun, type RecordedRun } from '@/lib/sample/recorded-run'
import { Transcript } from '../../seed/transcript'
import { forgetEverything, storedContent } from '../../testing/content'
import { testDb, type TestDb } from '../../testing/test-db'
import { analyseExecutions } from './analyse'
import { lockNames } from '../../locks'
import { ingestBodies, ingestBody } from '../ingest'
import { ensureProject } from '../../projects'
import { reingest } from '../../rebuild/reingest'

let db: TestDb
let projectId: string
let otherId: string
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
  otherId = (await ensureProject(db.sql, { slug: 'other', name: 'Other' })).id
})
afterEach(() => forgetEverything(db))
afterAll(() => db.close())

const sessionOf = (n: number): string => `0a0a0a0a-0000-4000-8000-${String(n).padStart(12, '0')}`
const [X, S1, S2, S3] = [1, 2, 3, 4].map(sessionOf) as [string, string, string, string]
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const body = (kind: 'record' | 'claude-transcript', text: string, project = projectId) => ({
  projectId: project,
  source: null,
  kind,
  bytes: bytes(text),
})

/** A process that was asked to continue another session. */
const take = async (
  id: string,
  resumes: string | null,
  more: Partial<RecordedRun> = {},
  project = projectId,
): Promise<string> => {
  const { record } = recordedRun({
    id,
    command: ['claude', '-p', 'go on', ...(resumes === null ? [] : ['--resume', resumes, '--fork-session'])],
    ...more,
  })
  return (await ingestBody(db, body('record', record, project))).executions[0]!.id
}
const transcript = (sessionId: string): Transcript => new Transcript({ sessionId }).user('go').says('Done.')
/** A copy of what came before, as old as that, with what was said since. */
const forked = (sessionId: string, from: string): string =>
  transcript(sessionId)
    .lines.map(
      (line) =>
        `${JSON.stringify({ ...JSON.parse(line), forkedFrom: { sessionId: from, messageUuid: 'u' } })}\n`,
    )
    .join('')
const takeFile = async (text: string, project = projectId): Promise<string> =>
  (await ingestBody(db, body('claude-transcript', text, project))).executions[0]!.id

const chains = async () =>
  await db.sql<{ name: string; session: string; rule: string; basis: string }[]>`
  select c.name, e.external_id as session, c.rule, c.basis from execution_chains c join executions e on e.id = c.execution_id order by c.name, c.sort_at, e.external_id`
const chain = (...sessions: string[]) =>
  sessions.map((session) => ({ name: sessions[0]!, session, rule: 'resumed_session', basis: 'recorded' }))
const found = async (attempts: number): Promise<string[]> =>
  (
    await listExecutions(db, { projectIds: [projectId], filter: parseFilter(`attempts:${attempts}`).filter })
  ).items
    .map((item) => item.externalId)
    .sort()
const counted = async () =>
  (await listFacets(db, { projectIds: [projectId], filter: emptyFilter() })).facets.attempts

const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
]
const THREE: [string, string | null][] = [
  [X, null],
  [S1, X],
  [S2, S1],
]
const startedAt = (i: number): string => `2026-11-02T08:0${i}:00.000Z`

describe('sessions that go on from one another', () => {
  test.each(ORDERS)('are one chain, recorded, whichever came first (%j %j %j)', async (...order) => {
    for (const i of order) await take(...THREE[i]!, { startedAt: startedAt(i) })
    expect(await chains()).toEqual(chain(X, S1, S2))
    expect(await found(3)).toEqual([X, S1, S2])
    expect(await counted()).toEqual([{ value: '3', count: 3 }])
  })

  test.each(ORDERS)(
    'are so by what their transcripts say, in the order in which they were forked (%j %j %j)',
    async (...order) => {
      const texts = [transcript(X).text, forked(S1, X), forked(S2, S1)]
      for (const i of order) await takeFile(texts[i]!)
      expect(await chains()).toEqual(chain(X, S1, S2))
      expect(await found(3)).toEqual([X, S1, S2])
    },
  )

  test.each(ORDERS)('are so when they come in one transaction (%j %j %j)', async (...order) => {
    const texts = [transcript(X).text, forked(S1, X), forked(S2, S1)]
    const outcomes = await ingestBodies(
      db,
      order.map((i) => body('claude-transcript', texts[i]!)),
    )
    expect(outcomes.every((one) => 'answer' in one)).toBe(true)
    expect(await chains()).toEqual(chain(X, S1, S2))
    expect(await found(3)).toEqual([X, S1, S2])
  })

  test('are one chain when all come at once, again and again', async () => {
    for (let round = 0; round < 6; round++) {
      const all = [...THREE, [S3, S2] as [string, string]]
      await Promise.all(
        all.map(([session, resumes], i) => take(session, resumes, { startedAt: startedAt(i) })),
      )
      expect(await chains()).toEqual(chain(X, S1, S2, S3))
      expect(await found(4)).toEqual([X, S1, S2, S3])
      expect(await counted()).toEqual([{ value: '4', count: 4 }])
      await forgetEverything(db)
    }
  })

  test('two of a session are both its attempts, and the strip names each with the first', async () => {
    const ids = [
      await take(X, null, { startedAt: startedAt(0) }),
      await take(S1, X, { startedAt: startedAt(1) }),
      await take(S2, X, { startedAt: startedAt(2) }),
    ]
    const listed = await listExecutionChains(db, [projectId], ids[2]!)
    expect(listed).toMatchObject([
      { name: X, rule: 'resumed_session', basis: 'recorded', attemptsLeftOut: 0 },
    ])
    expect(listed[0]!.attempts.map(({ id, attempt }) => [id, attempt])).toEqual(ids.map((id) => [id, null]))
  })

  test('a session that never came leaves a chain of those that go on from it', async () => {
    await take(S1, X, { startedAt: startedAt(1) })
    expect(await found(2)).toEqual([])
    await take(S2, X, { startedAt: startedAt(2) })
    expect((await chains()).map(({ name, session }) => [name, session])).toEqual([
      [X, S1],
      [X, S2],
    ])
    expect(await found(2)).toEqual([S1, S2])
  })

  test('one that was resumed under its own id is one execution and no chain', async () => {
    await take(X, null)
    await take(X, X, { startedAt: startedAt(5) })
    expect(await chains()).toEqual([])
    expect(await db.sql`select from executions`).toHaveLength(1)
  })

  test('of two projects are never joined', async () => {
    await take(X, null, {}, otherId)
    await take(S1, X, { startedAt: startedAt(1) })
    await take(S2, S1, { startedAt: startedAt(2) }, otherId)
    expect((await chains()).map(({ name, session }) => [name, session])).toEqual([
      [X, S1],
      [S1, S2],
    ])
    expect(await found(2)).toEqual([])
  })
})

/** Waits until someone waits for an advisory lock. */
const someoneWaits = () =>
  vi.waitFor(
    async () =>
      expect(await db.sql`select from pg_locks where locktype = 'advisory' and not granted`).toHaveLength(1),
    { timeout: 5_000, interval: 20 },
  )

test('one that goes on from a session that is being taken in waits for it, and for no other', async () => {
  let taking: Promise<unknown> | undefined
  await db.sql.begin(async (tx) => {
    await lockNames(tx, [`execution ${projectId} ${X}`])
    await take(S3, S2)
    await take(S3, X, {}, otherId)
    taking = take(S1, X, { startedAt: startedAt(1) })
    await someoneWaits()
  })
  await taking
  expect(await found(2)).toEqual([])
})

describe('what is known already', () => {
  test('stays as it is when everything comes again, and is the same when it is derived again', async () => {
    for (const [i, [session, resumes]] of THREE.entries())
      await take(session, resumes, { startedAt: startedAt(i) })
    const stored = await storedContent(db)
    for (const [i, [session, resumes]] of THREE.entries())
      await take(session, resumes, { startedAt: startedAt(i) })
    expect(await storedContent(db)).toEqual(stored)
    await reingest(db)
    expect(await storedContent(db)).toEqual(stored)
    await db.sql`truncate session_resumes, execution_chains`
    await db.sql`update executions set digest = ''`
    await reingest(db)
    expect(await storedContent(db)).toEqual(stored)
  })

  test('is taken apart when the session between two is gone, and noted with all', async () => {
    const ids: string[] = []
    for (const [i, [session, resumes]] of THREE.entries())
      ids.push(await take(session, resumes, { startedAt: startedAt(i) }))
    // As if nothing of it had come but a torn line that belongs elsewhere.
    await db.sql.begin(async (tx) => {
      await tx`set local inquest.rebuilding = 'on'`
      await tx`delete from events where execution_id = ${ids[1]!}`
    })
    await analyseExecutions(db, [ids[1]!])
    expect((await chains()).map(({ name, session }) => [name, session])).toEqual([[S1, S2]])
    expect(await found(3)).toEqual([])
    expect(await counted()).toEqual([])
    expect(await db.sql`select from session_resumes`).toHaveLength(1)
  })

  test('an analysis of the first that is under way when a third comes leaves the new number', async () => {
    const ids: string[] = []
    for (const [i, [session, resumes]] of THREE.slice(0, 2).entries())
      ids.push(await take(session, resumes, { startedAt: startedAt(i) }))
    await db.sql`update executions set digest = '' where id = ${ids[0]!}`
    let analysing: Promise<unknown> | undefined
    await db.sql.begin(async (tx) => {
      await lockNames(tx, [`resumes ${projectId}`])
      analysing = analyseExecutions(db, [ids[0]!])
      await someoneWaits()
      // As the third attempt does it.
      await tx`update executions set marks = array['attempts:3'] where id = ${ids[0]!}`
    })
    await analysing
    expect((await db.sql`select marks from executions where id = ${ids[0]!}`)[0]!.marks).toContain(
      'attempts:3',
    )
  })

  test('of a session that turns out to have begun earlier, the order is noted anew', async () => {
    await take(X, null, { startedAt: startedAt(9) })
    await take(S1, X, { startedAt: startedAt(1) })
    const sortAt = async () =>
      (await db.sql<{ sort_at: string }[]>`select sort_at from execution_chains order by sort_at`).map(
        (row) => row.sort_at,
      )
    expect(await sortAt()).toEqual([startedAt(9), '2026-11-02T08:09:00.001Z'])
    await takeFile(new Transcript({ sessionId: X, startedAt: '2026-11-02T07:59:58.000Z' }).user('go').text)
    expect(await sortAt()).toEqual([startedAt(0), startedAt(1)])
  })
})
