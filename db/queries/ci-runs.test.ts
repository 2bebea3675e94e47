import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { recordedRun, type RecordedRun } from '@/lib/sample/recorded-run'
import { forgetEverything } from '../testing/content'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBody } from '../writes/ingest'
import { ensureProject } from '../projects'
import { type CiExecutions, hasCiProvider, listCiExecutions } from './ci-runs'
import { readExecution } from './execution'

let db: TestDb
let projectId: string
let other: string
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
  other = (await ensureProject(db.sql, { slug: 'other', name: 'Other' })).id
})
afterEach(() => forgetEverything(db))
afterAll(() => db.close())

const CI = {
  provider: 'github',
  path: 'acme/shop',
  run: '77',
  attempt: 1,
  job: 'agent',
  url: 'https://ci.example/77',
  commit: 'abcdef0',
}
const ALL = { provider: 'github', path: 'acme/shop', run: '77', attempt: null }

type Options = Partial<RecordedRun>

async function take(options: Options = {}, project = projectId): Promise<string> {
  const { stream, record } = recordedRun({ id: randomUUID(), ci: CI, ...options })
  let id = ''
  for (const [kind, text] of [
    ['claude-stream', stream],
    ['record', record],
  ] as const)
    if (text !== null)
      id = (
        await ingestBody(db, {
          projectId: project,
          source: null,
          kind,
          bytes: new TextEncoder().encode(text),
        })
      ).executions[0]!.id
  return id
}

const fails: Options = { result: null, exitCode: 3, stderr: 'the stove is cold\n' }
const at = (minute: number): string => `2026-11-02T08:${String(minute).padStart(2, '0')}:00.000Z`
const ids = ({ items }: CiExecutions): string[] => items.map(({ id }) => id)

test('what failed stands first, then the newest attempt, then the order of time', async () => {
  const succeeded = await take({ startedAt: at(1) })
  const late = await take({ ...fails, startedAt: at(9) })
  const early = await take({ ...fails, startedAt: at(2) })
  const again = await take({ ...fails, startedAt: at(20), ci: { ...CI, attempt: 2 } })
  const passes = await take({ startedAt: at(21), ci: { ...CI, attempt: 2 } })
  const unnumbered = await take({ ...fails, startedAt: at(3), ci: { ...CI, attempt: null } })
  const found = await listCiExecutions(db, [projectId], ALL)
  expect(ids(found)).toEqual([again, early, late, unnumbered, passes, succeeded])
  expect(found.leftOut).toBe(0)
  expect(found.items[0]).toMatchObject({
    outcome: 'failed',
    ciAttempt: 2,
    job: 'agent',
    runUrl: 'https://ci.example/77',
    commit: 'abcdef0',
  })
  // What names no attempt must not be lost between them.
  expect(ids(await listCiExecutions(db, [projectId], { ...ALL, attempt: 2 }))).toEqual([
    again,
    unnumbered,
    passes,
  ])
})

test('of another run, another path, another provider or no run at all nothing is listed', async () => {
  await take(fails)
  for (const key of [
    { run: '78' },
    { path: 'acme' },
    { path: 'ACME/shop' },
    { provider: 'gitlab' },
    { run: '' },
    { path: 'a\0b' },
    { run: "7' or '1'='1" },
  ])
    expect(await listCiExecutions(db, [projectId], { ...ALL, ...key }), JSON.stringify(key)).toEqual({
      items: [],
      leftOut: 0,
    })
})

test('only what stands in the projects of the reader is listed', async () => {
  const mine = await take(fails)
  const theirs = await take(fails, other)
  expect(ids(await listCiExecutions(db, [projectId], ALL))).toEqual([mine])
  expect(ids(await listCiExecutions(db, [other], ALL))).toEqual([theirs])
  expect(ids(await listCiExecutions(db, [projectId, other], ALL)).toSorted()).toEqual(
    [mine, theirs].toSorted(),
  )
  expect(await listCiExecutions(db, [], ALL)).toEqual({ items: [], leftOut: 0 })
})

test('what is too much for one answer is counted', async () => {
  const one = await take()
  await db.sql`
    insert into executions select (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid(), 'external_id', 'copy-' || n))).*
    from executions e, generate_series(1, 520) n where e.id = ${one}`
  await db.sql`
    insert into ci_runs (project_id, provider, path, run, execution_id, attempt)
    select project_id, 'github', 'acme/shop', '77', id, 1 from executions where external_id like 'copy-%'`
  const failure = await take({ ...fails, startedAt: at(59) })
  const { items, leftOut } = await listCiExecutions(db, [projectId], ALL)
  expect([items.length, leftOut, items[0]!.id]).toEqual([500, 22, failure])
})

test('an execution names the CI runs that it was part of', async () => {
  const id = await take({ ...fails, ci: { ...CI, job: null } })
  expect((await readExecution(db, [projectId], id))!.ciRuns).toEqual([{ ...CI, job: null }])
  expect((await readExecution(db, [projectId], await take({ ci: null })))!.ciRuns).toEqual([])
})

test('the answer to whether a retry could help has the words of the execution', async () => {
  const id = await take(fails)
  await db.sql`update executions set advice = jsonb_build_object('retry', 'helped', 'verdict', 'Same input: no') where id = ${id}`
  expect((await listCiExecutions(db, [projectId], ALL)).items[0]).toMatchObject({
    retry: 'helped',
    verdict: 'Same input: no',
  })
})

test('a provider is known of which anything has arrived where the reader may look', async () => {
  await take({ ci: { ...CI, provider: 'nightly' } })
  const known = (provider: string, projects = [projectId]): Promise<boolean> =>
    hasCiProvider(db, projects, provider)
  expect([
    await known('nightly'),
    await known('githb'),
    await known('nightly', [other]),
    await known('nightly', []),
    await known('a\0b'),
  ]).toEqual([true, false, false, false, false])
})

test('a file that was sent after the run is of the run as well, whichever of both came first', async () => {
  const sessions = [randomUUID(), randomUUID()]
  const bodies = (session: string) => [
    {
      kind: 'claude-stream' as const,
      text: JSON.stringify([
        { type: 'system', subtype: 'init', session_id: session, tools: [] },
        { type: 'result', subtype: 'error_max_turns', is_error: true, errors: ['over'], session_id: session },
      ]),
    },
    {
      kind: 'record' as const,
      text: `${JSON.stringify({ type: 'record.ci', version: 1, executionKey: session, ci: CI })}\n`,
    },
  ]
  const send = async ({ kind, text }: ReturnType<typeof bodies>[number]) =>
    ingestBody(db, { projectId, source: null, kind, bytes: new TextEncoder().encode(text) })
  const [first, second] = sessions.map(bodies)
  for (const body of [...first!, ...second!.reverse(), ...first!]) await send(body)
  const { items } = await listCiExecutions(db, [projectId], ALL)
  expect(
    items.map(({ externalId, outcome, job, ciAttempt }) => [externalId, outcome, job, ciAttempt]).sort(),
  ).toEqual(sessions.map((session) => [session, 'failed', 'agent', 1]).sort())
  expect((await readExecution(db, [projectId], items[0]!.id))!.ciRuns).toMatchObject([
    { run: '77', job: 'agent' },
  ])
})

test('a step that failed without any records of its agent is a failure of the run', async () => {
  const line = { type: 'record.ci', version: 1, executionKey: 'ci:a', ci: CI, conclusion: 'failure' }
  const bytes = new TextEncoder().encode(`${JSON.stringify(line)}\n`)
  for (const _ of [1, 2]) await ingestBody(db, { projectId, source: null, kind: 'record', bytes })
  const { items } = await listCiExecutions(db, [projectId], ALL)
  expect(items.map(({ outcome, job, cause }) => [outcome, job, cause?.rule])).toEqual([
    ['failed', 'agent', 'ci_step_failed'],
  ])
})
