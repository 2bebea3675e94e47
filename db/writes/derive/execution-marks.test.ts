import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { parseFilter } from '@/lib/views/executions/filter'
import { listExecutions, listFacets } from '../../queries/executions'
import { Transcript } from '../../seed/transcript'
import { storedContent } from '../../testing/content'
import { testDb, type TestDb } from '../../testing/test-db'
import { analyseExecutions } from './analyse'
import { lockNames } from '../../locks'
import { setAttempts } from './execution-marks'
import { ingestBody } from '../ingest'
import { ensureProject } from '../../projects'
import { reingest } from '../../rebuild/reingest'

let db: TestDb
let projectId: string
const ids: string[] = []
const session = (n: number) => `0e0e0e0e-0000-4000-8000-00000000000${n}`
const transcript = (n: number) =>
  new Transcript({ sessionId: session(n) })
    .user('go')
    .call('Bash', { command: 'make' }, { fails: 'Exit code 1' })
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
  for (const n of [0, 1, 2])
    ids.push(
      (
        await ingestBody(db, {
          projectId,
          source: null,
          kind: 'claude-transcript',
          bytes: Buffer.from(transcript(n).text),
        })
      ).executions[0]!.id,
    )
})
afterAll(() => db.close())

const set = (...attempts: number[]) =>
  db.sql.begin((tx) =>
    setAttempts(
      tx,
      projectId,
      attempts.map((n, i) => ({ id: ids[i]!, attempts: n })),
    ),
  )
const rows = () =>
  db.sql<
    { marks: string[]; version: number; digest: string }[]
  >`select marks, version, digest from executions order by external_id`
const find = async (q: string) =>
  (await listExecutions(db, { projectIds: [projectId], filter: parseFilter(q).filter })).items
    .map((item) => item.externalId)
    .sort()
const facets = async (q = '') =>
  (await listFacets(db, { projectIds: [projectId], filter: parseFilter(q).filter })).facets

test('the number of attempts is noted, found, counted, changed and taken back, and nothing else is touched', async () => {
  const before = await rows()
  const marks = before[0]!.marks
  expect(marks).toEqual(['attention:yes', 'exit_code', expect.stringMatching(/^help:/)])
  const stored = await storedContent(db)

  expect((await set(2, 7, 1)).sort()).toEqual([ids[0], ids[1]].sort())
  expect(await rows()).toEqual([
    { ...before[0], marks: ['attempts:2', ...marks], version: before[0]!.version + 1 },
    { ...before[1], marks: ['attempts:5+', ...marks], version: before[1]!.version + 1 },
    before[2],
  ])
  expect(await find('attempts:>1')).toEqual([session(0), session(1)])
  expect(await find('attempts:>2')).toEqual([session(1)])
  expect(await find('attempts:2 class:exit_code')).toEqual([session(0)])
  expect((await facets()).attempts).toEqual([
    { value: '2', count: 1 },
    { value: '5+', count: 1 },
  ])
  expect((await facets('class:exit_code attempts:2')).attempts).toEqual([
    { value: '2', count: 1 },
    { value: '5+', count: 1 },
  ])

  expect(await set(2, 7)).toEqual([])
  expect(await set(3, 6)).toEqual([ids[0]])
  expect((await facets()).attempts).toEqual([
    { value: '3', count: 1 },
    { value: '5+', count: 1 },
  ])
  expect((await set(1, 1)).length).toBe(2)
  expect(await storedContent(db)).toEqual(stored)
  expect((await rows()).map(({ digest }) => digest)).toEqual(before.map(({ digest }) => digest))
})

test('an analysis keeps the number that was noted', async () => {
  await set(4, 1, 9)
  const more = transcript(0).call(
    'Read',
    { file_path: '/x' },
    { fails: '<tool_use_error>File does not exist.</tool_use_error>' },
  )
  await ingestBody(db, { projectId, source: null, kind: 'claude-transcript', bytes: Buffer.from(more.text) })
  await db.sql`update executions set digest = ''`
  await analyseExecutions(db, ids)
  await reingest(db)
  expect((await rows()).map(({ marks }) => marks.filter((mark) => /^attempts|exit|file/.test(mark)))).toEqual(
    [['attempts:4', 'exit_code', 'file_missing'], ['exit_code'], ['attempts:5+', 'exit_code']],
  )
  expect(await find('attempts:>3')).toEqual([session(0), session(2)])
  expect((await facets()).attempts).toEqual([
    { value: '4', count: 1 },
    { value: '5+', count: 1 },
  ])
})

test('an execution that is gone, or of another project, is left out', async () => {
  const none = '00000000-0000-7000-8000-000000000000'
  const before = await storedContent(db)
  expect(await db.sql.begin((tx) => setAttempts(tx, projectId, [{ id: none, attempts: 3 }]))).toEqual([])
  expect(await db.sql.begin((tx) => setAttempts(tx, none, [{ id: ids[1]!, attempts: 3 }]))).toEqual([])
  expect(await db.sql.begin((tx) => setAttempts(tx, projectId, []))).toEqual([])
  expect(await storedContent(db)).toEqual(before)
})

test('what is known of an execution is marked and counted as it is taken in', async () => {
  const counted = await facets()
  const stored =
    await db.sql`select advice->>'retry' as value, count(*)::int as count from executions where advice is not null group by 1 order by 2 desc, 1`
  expect(counted.help).toEqual([...stored])
  expect(counted.decided).toEqual([{ value: 'inferred', count: 3 }])
  expect(counted.state).toEqual([])
})

test('a chain that grows while one of its attempts is analysed is counted once', async () => {
  const record = (n: number) =>
    [
      {
        type: 'record.start',
        version: 1,
        recordId: `r${n}`,
        executionKey: session(n),
        command: ['claude'],
        cwd: '/',
        startedAt: `2026-11-02T08:0${n}:00.000Z`,
        labels: {},
        contract: { marker: '', expect: [] },
        ci: null,
        chain: { key: 'one work', attempt: n },
      },
      {
        type: 'record.end',
        endedAt: '2026-11-02T08:59:00.000Z',
        exitCode: n,
        signal: null,
        termination: 'natural_exit',
        channelConfirmation: 'channel_a',
        killReason: 'natural_exit',
        stdoutBytes: 0,
        stdoutSha256: '',
        stderrBytes: 0,
        stdoutKind: null,
        sessionId: session(n),
      },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('')
  const ours: string[] = []
  for (const n of [6, 7])
    ours.push(
      (await ingestBody(db, { projectId, source: null, kind: 'record', bytes: Buffer.from(record(n)) }))
        .executions[0]!.id,
    )
  expect(await find('attempts:2')).toEqual([session(6), session(7)])
  const before = (await facets()).attempts

  await db.sql`update executions set digest = '' where id = ${ours[1]!}`
  const [{ chain_id }] = (await db.sql`select distinct chain_id from execution_chains`) as unknown as [
    { chain_id: string },
  ]
  let analysing: Promise<unknown> | undefined
  await db.sql.begin(async (tx) => {
    // As a third attempt does it that is taken in at the same time.
    await lockNames(tx, [`chain ${projectId} ${chain_id}`])
    analysing = analyseExecutions(db, [ours[1]!])
    await vi.waitFor(
      async () =>
        expect(await db.sql`select 1 from pg_locks where locktype = 'advisory' and not granted`).toHaveLength(
          1,
        ),
      { timeout: 5_000, interval: 20 },
    )
    await setAttempts(
      tx,
      projectId,
      ours.map((id) => ({ id, attempts: 3 })),
    )
  })
  await analysing
  // There is no third attempt: the analysis counts those of its chain anew.
  expect(await find('attempts:2')).toEqual([session(6), session(7)])
  expect((await facets()).attempts).toEqual(before)
})
