import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { CURRENT_POLICY, FORMER_POLICY } from '@/lib/judge/decisions/policies'
import { parseCell } from '@/lib/judge/decisions/replay-cell'
import { emptyFilter } from '@/lib/views/executions/filter'
import { DELIVERS, recordedRun, VIOLATES, type RecordedRun } from '@/lib/sample/recorded-run'
import { forgetEverything } from '../testing/content'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBody } from '../writes/ingest'
import { ensureProject } from '../projects'
import { replayPolicies, type ReplayOptions } from './replay'
import { readRuns } from './replay-runs'

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
const take = async (given: RecordedRun, project = projectId): Promise<string> => {
  const { stream, record } = recordedRun(given)
  const bytes = (text: string) => new TextEncoder().encode(text)
  await ingestBody(db, { projectId: project, source: null, kind: 'record', bytes: bytes(record) })
  return (
    await ingestBody(db, { projectId: project, source: null, kind: 'claude-stream', bytes: bytes(stream!) })
  ).executions[0]!.id
}
/** Attempts of one piece of work, a minute apart; the number is that of their session. */
const takeChain = async (
  from: number,
  results: readonly string[],
  project = projectId,
  key = 'plan the shop',
): Promise<string[]> => {
  const ids: string[] = []
  for (const [i, result] of results.entries())
    ids.push(
      await take(
        {
          id: sessionOf(from + i),
          result,
          chain: { key, attempt: i + 1 },
          startedAt: `2026-11-02T08:0${i}:00.000Z`,
        },
        project,
      ),
    )
  return ids
}
const replayed = (options: Partial<ReplayOptions> = {}) =>
  replayPolicies(db, {
    projectIds: [projectId],
    filter: emptyFilter(),
    from: FORMER_POLICY,
    to: CURRENT_POLICY,
    ...options,
  })

test('the contract violation that was once retried until the budget stopped it, and what its attempts cost', async () => {
  const ids = await takeChain(21, Array<string>(4).fill(VIOLATES))
  const all = await replayed()
  expect(all).toMatchObject({
    total: 4,
    replayable: 4,
    totalCapped: false,
    flips: 4,
    cell: null,
    stored: { failed: { failed: 4 } },
    matrix: { retriable: { failed: 3 }, failed: { failed: 1 } },
    otherReason: { failed: 1 },
  })
  // Newest first, as in the list.
  expect(all.listed.items.map(({ id, from }) => [id, from!.retryReason])).toEqual([
    [ids[3], 'budget_exhausted'],
    [ids[2], 'resume'],
    [ids[1], 'resume'],
    [ids[0], 'resume'],
  ])
  const sums = {
    attempts: 3,
    durationMs: 27_000,
    timed: 3,
    inputTokens: 3_600,
    outputTokens: 1_020,
    costUsd: 0.75,
    costed: 3,
  }
  expect(all.needless).toMatchObject({
    ...sums,
    chains: 1,
    items: [{ ...sums, name: 'plan the shop', rule: 'named_chain', basis: 'recorded', size: 4 }],
  })
  expect(all.needless.items[0]!.items.map(({ id, place, unrequested }) => [id, place, unrequested])).toEqual([
    [ids[0], 1, null],
    [ids[1], 2, 'needless'],
    [ids[2], 3, 'needless'],
    [ids[3], 4, 'needless'],
  ])
  expect(all.helped).toMatchObject({ attempts: 0, chains: 0, costUsd: null, items: [] })

  const narrow = await replayed({ filter: { ...emptyFilter(), words: ['000000000024'] } })
  expect(narrow).toMatchObject({
    total: 1,
    flips: 1,
    listed: { items: [{ id: ids[3], from: { retryReason: 'budget_exhausted' } }] },
    needless: { attempts: 1 },
  })
})

test('a retry that helped is no waste', async () => {
  const ids = await takeChain(31, [VIOLATES, DELIVERS])
  expect(await replayed()).toMatchObject({
    needless: { attempts: 0 },
    helped: {
      attempts: 1,
      chains: 1,
      items: [
        {
          items: [
            { id: ids[0], unrequested: null },
            { id: ids[1], unrequested: 'helped' },
          ],
        },
      ],
    },
  })
})

test('a run whose pattern cannot be looked for is told apart from one that came without evidence', async () => {
  await take({ id: sessionOf(51) })
  for (const [n, result] of [
    [52, DELIVERS],
    [53, ''],
  ] as const)
    await take({ id: sessionOf(n), result, expect: ['^(?!draft)plan_path = /.+'] })
  const { record } = recordedRun({ id: sessionOf(54) })
  await ingestBody(db, { projectId, source: null, kind: 'record', bytes: new TextEncoder().encode(record) })
  expect(await replayed()).toMatchObject({ total: 4, replayable: 1, unsearchable: 2 })
})

test('a cell lists what it counts, also what does not flip, and what has no evidence', async () => {
  const [id] = await takeChain(41, [VIOLATES])
  const good = await take({ id: sessionOf(45) })
  const { record } = recordedRun({ id: sessionOf(46) })
  await ingestBody(db, { projectId, source: null, kind: 'record', bytes: new TextEncoder().encode(record) })
  const listedIn = async (cell: string) => (await replayed({ cell: parseCell(cell) })).listed
  expect((await listedIn('policies.retriable.failed')).items.map((item) => item.id)).toEqual([id])
  expect(await listedIn('policies.succeeded.succeeded')).toMatchObject({
    total: 1,
    items: [{ id: good, stored: 'succeeded' }],
  })
  const all = await replayed()
  expect(all).toMatchObject({ total: 3, replayable: 2, flips: 1 })
  const lacking = Object.keys(all.stored).find((outcome) => all.stored[outcome]!.unknown)!
  expect(await listedIn(`stored.${lacking}.unknown`)).toMatchObject({
    total: 1,
    items: [{ from: null, to: null }],
  })
  expect(await listedIn('policies.no.such')).toEqual({ total: 0, items: [] })
})

test('the newest are replayed, with the row of attempts before them, and that there are more is said', async () => {
  const ids = await takeChain(51, Array<string>(4).fill(VIOLATES))
  const newest = await replayed({ limit: 1 })
  expect(newest).toMatchObject({
    total: 1,
    totalCapped: true,
    listed: { items: [{ id: ids[3], from: { retryReason: 'budget_exhausted' } }] },
    needless: { attempts: 1, items: [{ size: 4 }] },
  })
  expect(await replayed({ limit: 4 })).toMatchObject({ total: 4, totalCapped: false })
})

test('chains of one name in two projects are two', async () => {
  await takeChain(61, [VIOLATES, VIOLATES])
  await takeChain(61, [VIOLATES, VIOLATES], otherId)
  const both = await replayed({ projectIds: [projectId, otherId] })
  expect(both).toMatchObject({
    total: 4,
    matrix: { retriable: { failed: 4 } },
    needless: { attempts: 2, chains: 2, items: [{ size: 2 }, { size: 2 }] },
  })
  expect(await replayed({ projectIds: [otherId] })).toMatchObject({ total: 2, needless: { attempts: 1 } })
  expect(await replayed({ projectIds: [] })).toMatchObject({
    total: 0,
    listed: { total: 0 },
    needless: { attempts: 0 },
  })
})

test('of a long chain only the attempts around those of the filter are read, and the first shown is the one before what nobody asked for', async () => {
  const ids = await takeChain(71, Array<string>(3).fill(VIOLATES))
  await db.sql`
    insert into execution_chains (project_id, chain_id, execution_id, name, rule, basis, attempt, sort_at)
    select project_id, chain_id, gen_random_uuid(), name, rule, basis, 100 + n, sort_at from execution_chains, generate_series(1, 300) n where execution_id = ${ids[0]!}`
  const filter = { ...emptyFilter(), words: ['000000000073'] }
  const { runs } = await readRuns(db, { projectIds: [projectId], filter, limit: 10 })
  expect(runs.map(({ chain, asked }) => [chain!.place, asked])).toEqual([
    [3, true],
    [1, false],
    [2, false],
    ...Array.from({ length: 25 }, (_, i) => [4 + i, false]),
  ])
  const [chain] = (await replayed({ filter })).needless.items
  expect(chain).toMatchObject({
    size: 303,
    attempts: 1,
    items: [
      { id: ids[1], unrequested: null },
      { id: ids[2], unrequested: 'needless' },
    ],
  })
})
