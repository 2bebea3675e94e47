import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits } from '@/lib/limits'
import { readParityQuestion, type ParityWords } from '@/lib/judge/parity/parity-question'
import { seedExecutions } from '../seed/executions'
import {
  emptyPartitions,
  explain as explainOn,
  indexes,
  MODES,
  type Mode,
  statementsOf,
  touched,
} from '../testing/plans'
import { SEEDED_EXECUTIONS, SEEDED_NEWEST, seededDb } from '../testing/seeded-db'
import type { TestDb } from '../testing/test-db'
import { ensureSource } from '../writes/receive/ensure-source'
import { ensureProject } from '../projects'
import { BadCursorError } from './cursor'
import type { Statement } from './execution-walk'
import { readParityOverview } from './parity'
import { readNextDue } from './parity-due'
import { listParityExecutions } from './parity-executions'

const COUNT = SEEDED_EXECUTIONS
/** Of 200,000 checked one in ten differs, one in fifty is not known, and one in a hundred was never checked; all are due. */
const DIFFERENT = COUNT / 10
let db: TestDb
let projectId: string
let other: string
let empty: Set<string>
beforeAll(async () => {
  ;({ db, projectId } = await seededDb())
  other = (await ensureProject(db.sql, { slug: 'other', name: 'Other' })).id
  const source = await db.sql.begin((tx) => ensureSource(tx, other, 'claude-code', 'default'))
  await seedExecutions(db.sql, {
    projectId: other,
    sourceId: source.id,
    from: COUNT,
    count: 20,
    newest: SEEDED_NEWEST,
  })
  await db.sql`
    insert into parity_standing (project_id, execution_id, check_id, checked_at, verdict, worst, compared_by, due_at, due_for)
    select project_id, id, case when n % 100 <> 99 then id end, case when n % 100 <> 99 then timestamptz '2026-11-20T00:00:00Z' - n * interval '20 seconds' end,
      case when n % 100 = 99 then null when n % 10 = 0 then 'different' when n % 50 = 1 then 'unknown' else 'equal' end, case when n % 10 = 0 then 'critical' end, '0.1.0+1', now() - n * interval '1 second',
      case when n % 10 = 0 then 'terminal' else 'sweep' end
    from (select project_id, id, substr(external_id, 6)::int as n from executions) e`
  await db.sql`
    insert into parity_places (project_id, execution_id, from_layer, to_layer, path, kind, severity, differences, checked_at)
    select s.project_id, s.execution_id, 'source', case when k % 2 = 0 then 'persisted' else 'api' end, '/events/*/facts/k' || case when k < 2 then k::text else k || '-' || (hashtext(s.execution_id::text || k) & 31) end,
      kind, case when k = 0 then 'critical' else 'medium' end, 3, s.checked_at
    from parity_standing s, generate_series(0, 3) k, unnest(array['missing', 'changed_value']) kind where s.verdict = 'different'`
  await db.sql`
    insert into parity_checks (project_id, execution_id, id, checked_at, trigger, verdict, layers, differences, differences_total, is_whole, changed_parts, failed_controls, millis, compared_by, execution_version)
    select project_id, execution_id, check_id, checked_at, 'sweep', verdict, '[{"layer": "api", "state": "unreadable", "why": "The server is away."}]', '[]', 0, true, '{}', '{}', 1, '0.1.0+1', 1
    from parity_standing where verdict in ('unknown', 'equal') and check_id is not null and hashtext(execution_id::text) % 4 = 0 or verdict = 'unknown'`
  await db.sql`vacuum (analyze)`
  empty = await emptyPartitions(db)
}, 300_000)
afterAll(() => db.close())

const explain = (statement: Statement, mode: Mode) => explainOn(db, statement, mode, empty)
/** Tables that are read through, those of which nothing was left to be read included. */
const scanned = (plan: Awaited<ReturnType<typeof explain>>) =>
  plan
    .filter((node) => node['Node Type'] === 'Seq Scan' && (node['Actual Loops'] ?? 0) > 0)
    .map((node) => node['Relation Name'])
const SINCE = '2026-11-19T00:00:00.000Z'
const ask = (words: ParityWords, since: string | null = null) => ({
  projectIds: [projectId, other],
  question: readParityQuestion(words).question,
  since,
})

test('the rate is that of the executions checked last, and what was never checked is counted apart', async () => {
  const { rate } = await readParityOverview(db, ask({}))
  expect(rate).toMatchObject({
    checked: limits.countMax,
    unknown: expect.any(Number),
    notChecked: COUNT / 100,
    notCheckedCapped: false,
    notTrustworthy: 0,
  })
  expect(rate.equal + rate.different + rate.unknown).toBe(limits.countMax)
  expect(rate.different).toBeGreaterThan(1_000)
})

test('the heat map counts executions, the worst places first, and says what it leaves out', async () => {
  const { heat } = await readParityOverview(db, ask({ window: 'all' }))
  expect(heat).toMatchObject({
    executions: limits.countMax,
    executionsCapped: true,
    transitions: [
      { from: 'source', to: 'api' },
      { from: 'source', to: 'persisted' },
    ],
    moreRows: 0,
  })
  expect(heat.rows[0]).toEqual({
    path: '/events/*/facts/k0',
    executions: limits.countMax,
    worst: 'critical',
    cells: [
      {
        from: 'source',
        to: 'persisted',
        executions: limits.countMax,
        differences: 6 * limits.countMax,
        worst: 'critical',
      },
    ],
  })
  expect(heat.kinds.map(({ count }) => count)).toEqual([limits.countMax, limits.countMax])
  const recent = await readParityOverview(db, ask({ kind: 'missing', severity: 'critical' }, SINCE))
  expect(recent.heat.rows).toHaveLength(1)
  expect(recent.heat.executions).toBeLessThan(500)
  expect(
    recent.heat.severities.map(({ value }) => value).sort(),
    'a facet leaves its own choice out',
  ).toEqual(['critical', 'medium'])
})

describe('what the page asks', () => {
  test.each<[string, ParityWords, string | null, number]>([
    ['the overview of all time', { window: 'all' }, null, 12 * limits.countMax],
    ['the overview of a day', {}, SINCE, 12 * limits.countMax],
    ['the overview of a kind', { window: 'all', kind: 'missing' }, null, 12 * limits.countMax],
  ])('for %s reads no table through', async (_, words, since, most) => {
    const options = ask(words, since)
    for (const statement of await statementsOf(db, (over) => readParityOverview(over, options)))
      for (const mode of MODES) {
        const plan = await explain(statement, mode)
        expect(scanned(plan), `${mode} ${statement.text}`).toEqual([])
        expect(touched(plan), `${mode} ${statement.text}`).toBeLessThan(most)
      }
  })

  test.each<[string, ParityWords, RegExp]>([
    ['a common cell', { path: '/events/*/facts/k0', from: 'source', to: 'persisted' }, /parity_places_path/],
    ['a rare cell', { path: '/events/*/facts/k3-20', from: 'source', to: 'api' }, /parity_places_path/],
    [
      'a cell and a kind',
      { path: '/events/*/facts/k1', from: 'source', to: 'api', kind: 'missing' },
      /parity_places_path/,
    ],
    ['what differs', {}, /parity_standing_verdict/],
    ['what is not known', { show: 'unknown' }, /parity_standing_verdict/],
    ['what differs in a kind', { kind: 'changed_value', severity: 'critical' }, /parity_standing_verdict/],
  ])('for a page of %s walks its index no further than the page', async (_, words, index) => {
    for (const since of [null, SINCE]) {
      const options = ask(words, since)
      const [statement] = (await statementsOf(db, (over) => listParityExecutions(over, options))).filter(
        ({ text }) => text.includes('parity_'),
      )
      for (const mode of MODES) {
        const plan = await explain(statement!, mode)
        expect(scanned(plan), `${mode} ${statement!.text}`).toEqual([])
        expect(
          indexes(plan).some((name) => index.test(name)),
          indexes(plan).join(),
        ).toBe(true)
        expect(touched(plan), mode).toBeLessThan(12 * limits.pageRows)
      }
    }
  })
})

test.each([
  ['ended', 'parity_standing_ended'],
  ['longest', 'parity_standing_due'],
] as const)('what comes next (%s) is found by its index, however much is due', async (lane, index) => {
  const [statement] = await statementsOf(db, (over) => readNextDue(over, lane))
  for (const mode of MODES) {
    // The execution is found by its key in each partition; one that holds next to nothing may be read through.
    const plan = (await explain(statement!, mode)).filter(
      (node) => !/^executions_/.test(node['Relation Name'] ?? ''),
    )
    expect(scanned(plan), mode).toEqual([])
    expect(indexes(plan), mode).toContain(index)
    expect(touched(plan), mode).toBe(1)
  }
})

test('pages of a list tile it, without gap or repeat', async () => {
  for (const words of [{}, { path: '/events/*/facts/k1', from: 'source', to: 'api' }]) {
    const options = ask(words, SINCE)
    const ids: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof listParityExecutions>> = await listParityExecutions(db, {
        ...options,
        cursor,
        limit: 70,
      })
      ids.push(...page.items.map(({ execution }) => execution.id))
      cursor = page.nextCursor
    } while (cursor !== null)
    const whole = await listParityExecutions(db, { ...options, limit: 10_000 })
    expect(ids).toEqual(whole.items.map(({ execution }) => execution.id))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThan(300)
  }
  await expect(listParityExecutions(db, { ...ask({}), cursor: 'bm8' })).rejects.toBeInstanceOf(BadCursorError)
})

test('what differs in number: a row of a cell says how much and of which kinds', async () => {
  const { items } = await listParityExecutions(db, {
    ...ask({ path: '/events/*/facts/k0', from: 'source', to: 'persisted' }),
    limit: 1,
  })
  expect(items[0]).toMatchObject({
    verdict: 'different',
    worst: 'critical',
    differences: 6,
    kinds: ['changed_value', 'missing'],
    execution: { project: expect.any(String) },
  })
})

test('projects see their own alone', async () => {
  const own = { ...ask({}), projectIds: [other] }
  const [overview, page] = await Promise.all([readParityOverview(db, own), listParityExecutions(db, own)])
  expect([overview.rate.checked, overview.rate.different, page.items.length]).toEqual([20, 2, 2])
  expect(DIFFERENT).toBeGreaterThan(overview.rate.different)
})
