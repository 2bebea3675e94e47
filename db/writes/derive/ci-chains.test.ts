import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { CURRENT_POLICY, FORMER_POLICY } from '@/lib/judge/decisions/policies'
import { emptyFilter, parseFilter } from '@/lib/views/executions/filter'
import { listExecutionChains } from '../../queries/chains'
import { listExecutions, listFacets } from '../../queries/executions'
import { readExecution } from '../../queries/execution'
import { readRuns } from '../../queries/replay-runs'
import { replayPolicies } from '../../queries/replay'
import { recordedRun, VIOLATES, type RecordedRun } from '@/lib/sample/recorded-run'
import { forgetEverything } from '../../testing/content'
import { testDb, type TestDb } from '../../testing/test-db'
import { ingestBody } from '../ingest'
import { ensureProject } from '../../projects'

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

const sessionOf = (n: number): string => `0b0b0b0b-0000-4000-8000-${String(n).padStart(12, '0')}`
const GITHUB = {
  provider: 'github',
  path: 'acme/shop',
  run: '77',
  job: 'agent',
  branch: 'main',
  commit: null,
  url: null,
  repository: 'acme/shop',
}
const take = async (
  n: number,
  attempt: number | null,
  more: Partial<RecordedRun> = {},
  project = projectId,
): Promise<string> => {
  const { stream, record } = recordedRun({
    id: sessionOf(n),
    result: VIOLATES,
    ci: { ...GITHUB, attempt },
    startedAt: `2026-11-02T08:${String(n).padStart(2, '0')}:00.000Z`,
    ...more,
  })
  const source = (kind: 'record' | 'claude-stream', text: string) => ({
    projectId: project,
    source: null,
    kind,
    bytes: new TextEncoder().encode(text),
  })
  if (stream !== null) await ingestBody(db, source('claude-stream', stream))
  return (await ingestBody(db, source('record', record))).executions[0]!.id
}
const chainsOf = async (id: string) =>
  (await listExecutionChains(db, [projectId, otherId], id)).map(({ rule, attempts }) => [
    rule,
    attempts.map((one) => [one.attempt, one.id]),
  ])
const placeOf = async (id: string) => (await readExecution(db, [projectId, otherId], id))!.placeInChain
const found = async (q: string): Promise<number> =>
  (await listExecutions(db, { projectIds: [projectId], filter: parseFilter(q).filter })).items.length
const counted = async () =>
  (await listFacets(db, { projectIds: [projectId], filter: emptyFilter() })).facets.attempts
const REVIEW = { command: ['claude', '-p', 'Review the shop'] }

test('the attempts of a run are a chain for each thing that the job does, whichever came first', async () => {
  const [plan3, plan1, review1, plan2, review2] = [
    await take(1, 3),
    await take(2, 1),
    await take(3, 1, REVIEW),
    await take(4, 2),
    await take(5, 2, REVIEW),
  ]
  expect(await chainsOf(plan1)).toEqual([
    [
      'ci_run_attempts',
      [
        [1, plan1],
        [2, plan2],
        [3, plan3],
      ],
    ],
  ])
  expect(await chainsOf(review2)).toEqual([
    [
      'ci_run_attempts',
      [
        [1, review1],
        [2, review2],
      ],
    ],
  ])
  expect([await found('attempts:3'), await found('attempts:2')]).toEqual([3, 2])
  expect(await placeOf(plan2)).toEqual({ attempt: 2, place: 2, attempts: 3 })
  expect(await placeOf(plan3)).toEqual({ attempt: 3, place: 3, attempts: 3 })
})

test('of two projects are never joined', async () => {
  const [here, there] = [await take(1, 1), await take(2, 2, {}, otherId)]
  expect(await chainsOf(here)).toEqual([['ci_run_attempts', [[1, here]]]])
  expect(await placeOf(here)).toBe(null)
  expect(await chainsOf(there)).toEqual([['ci_run_attempts', [[2, there]]]])
})

test('where one attempt did the same twice, nobody can tell which goes on from which: it is no chain, and is counted as none', async () => {
  const [first] = [await take(1, 1), await take(2, 2)]
  expect(await counted()).toEqual([{ value: '2', count: 2 }])
  const leg = await take(3, 1)
  expect(await chainsOf(leg)).toEqual([])
  expect(await chainsOf(first)).toEqual([])
  expect(await placeOf(first)).toBe(null)
  expect(await counted()).toEqual([])
  const replay = await replayPolicies(db, {
    projectIds: [projectId],
    filter: emptyFilter(),
    from: FORMER_POLICY,
    to: CURRENT_POLICY,
  })
  expect(replay.needless).toMatchObject({ attempts: 0, chains: 0 })
})

test('the chain that the caller names stands before that of the CI, and is the one that is replayed', async () => {
  const named = (attempt: number): Partial<RecordedRun> => ({ chain: { key: 'plan the shop', attempt } })
  // Two attempts in the first attempt of the run, one in the second.
  const ids = [await take(1, 1, named(1)), await take(2, 1, named(2)), await take(3, 2, named(3))]
  expect(await chainsOf(ids[2]!)).toEqual([['named_chain', ids.map((id, i) => [i + 1, id])]])
  expect(await found('attempts:3')).toBe(3)
  // Of another run each: the CI has one attempt, the caller all.
  await forgetEverything(db)
  for (const n of [1, 2, 3]) await take(n, 1, { ...named(n), ci: { ...GITHUB, run: String(n), attempt: 1 } })
  const { runs } = await readRuns(db, { projectIds: [projectId], filter: emptyFilter(), limit: 10 })
  expect(runs.map(({ chain }) => chain!.place)).toEqual([3, 2, 1])
})

test('where the CI does not count, equal commands of a job are attempts by time, and that is inferred', async () => {
  const gitlab = { ci: { ...GITHUB, provider: 'gitlab', attempt: null } }
  const [later, earlier] = [await take(2, null, gitlab), await take(1, null, gitlab)]
  await take(3, null, { ...gitlab, ...REVIEW })
  const [chain, ...others] = await listExecutionChains(db, [projectId], later)
  expect(chain).toMatchObject({ rule: 'same_ci_job_command', basis: 'inferred' })
  expect(chain!.attempts.map(({ id, attempt }) => [id, attempt])).toEqual([
    [earlier, null],
    [later, null],
  ])
  expect(others).toEqual([])
})
