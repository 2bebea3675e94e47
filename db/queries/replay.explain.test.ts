import { afterAll, beforeAll, expect, test } from 'vitest'
import { CURRENT_POLICY, FORMER_POLICY } from '@/lib/judge/decisions/policies'
import { emptyFilter } from '@/lib/views/executions/filter'
import type { ExecutionFilter } from '@/lib/model/filter-types'
import { seedExecutions } from '../seed/executions'
import { explain, statementsOf } from '../testing/plans'
import { SEEDED_EXECUTIONS, SEEDED_NEWEST, seededDb } from '../testing/seeded-db'
import type { TestDb } from '../testing/test-db'
import { ensureSource } from '../writes/receive/ensure-source'
import { replayPolicies } from './replay'

const COUNT = SEEDED_EXECUTIONS
const DECIDED = 10_000
let db: TestDb
let projectId: string
beforeAll(async () => {
  ;({ db, projectId } = await seededDb())
  const source = await db.sql.begin((tx) => ensureSource(tx, projectId, 'claude-code', 'recorded'))
  // The newest of all: executions are seeded back in time by their numbers, which begin where the others end.
  const days = 3
  const start = SEEDED_NEWEST.getTime() + (1 + days + (days * COUNT) / DECIDED) * 86_400_000
  await seedExecutions(db.sql, {
    projectId,
    sourceId: source.id,
    from: COUNT,
    count: DECIDED,
    days,
    newest: new Date(start),
  })
  // A contract violation that a channel confirmed, in chains of four attempts.
  const verdict = {
    exitCode: 0,
    termination: 'natural_exit',
    channel: 'channel_a',
    subtype: 'success',
    isError: false,
    blank: false,
    exhaustion: null,
    markerSet: true,
    markerInResult: true,
    markerInText: true,
    onlyMarker: false,
    patterns: [{ pattern: 'plan_path', state: 'missing' }],
  }
  const gates = {
    contaminated: null,
    warnings: 0,
    writeCount: 0,
    earlierInARow: null,
    commandIsCut: false,
    maxConsecutiveRetries: 3,
    expectsWrites: false,
  }
  const whatIf = JSON.stringify({ actual: { way: { kind: 'session', recovery: [], verdict }, gates } })
  await db.sql`
    with recorded as (select e.id, e.sort_at, row_number() over (order by e.sort_at) - 1 as n from executions e join sources s on s.id = e.source_id where s.name = 'recorded'),
      linked as (
        insert into execution_chains (project_id, chain_id, execution_id, name, rule, basis, attempt, sort_at)
        select ${projectId}, 'chain-' || n / 4, id, 'chain ' || n / 4, 'named_chain', 'recorded', 1 + n % 4, sort_at from recorded)
    insert into decisions (project_id, execution_id, basis, policy, content_state, outcome, retry_reason, subtype, rule, because, what_if)
    select ${projectId}, id, 'recomputed', 'current', 'contract_violation', 'failed', 'none', 'adjudicated_failure', 'guard:dead_end_terminal:contract_violation', 'seeded',
      ${whatIf}::text::jsonb from recorded`
  // As autovacuum leaves it.
  await db.sql`vacuum (analyze)`
}, 300_000)
afterAll(() => db.close())

const filterOf = (facets: Partial<ExecutionFilter['facets']>): ExecutionFilter => ({
  ...emptyFilter(),
  facets: { ...emptyFilter().facets, ...facets },
})

test.each([
  ['ten thousand with decisions', filterOf({ source: ['recorded'] }), DECIDED],
  ['a part of them', filterOf({ source: ['recorded'], outcome: ['failed'] }), null],
  ['ten thousand without', filterOf({ source: ['default'] }), 0],
  ['the newest of everything', emptyFilter(), DECIDED],
  ['a word that few hold', { ...emptyFilter(), words: ['checkout'] }, 0],
  ['two facets that most have', filterOf({ outcome: ['succeeded'], source: ['default'] }), 0],
])(
  'a replay of %s reads executions, decisions and chains by their keys, whatever the plan is made for',
  async (_name, filter, replayable) => {
    const options = { projectIds: [projectId], filter, from: FORMER_POLICY, to: CURRENT_POLICY }
    const answer = await replayPolicies(db, options)
    expect(answer.total).toBeGreaterThan(400)
    if (answer.total > 9_000) expect(answer).toMatchObject({ total: 10_000, replayable })
    const asked = await statementsOf(db, (over) => replayPolicies(over, options))
    expect(asked.length).toBeGreaterThanOrEqual(3)
    for (const statement of asked)
      for (const mode of ['force_custom_plan', 'force_generic_plan'] as const) {
        const plan = await explain(db, statement, mode)
        const scanned = plan.filter(
          (node) =>
            node['Node Type'] === 'Seq Scan' && (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 0) > 0,
        )
        expect(
          scanned.map((node) => node['Relation Name']),
          `${mode}: ${statement.text}`,
        ).toEqual([])
        // Nor is every row held against every other.
        const inVain = plan.reduce(
          (n, node) => n + (node['Rows Removed by Join Filter'] ?? 0) * (node['Actual Loops'] ?? 1),
          0,
        )
        expect(inVain, `${mode}: ${statement.text}`).toBeLessThan(COUNT)
      }
  },
)
