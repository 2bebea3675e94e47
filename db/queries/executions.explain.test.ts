import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyFilter } from '@/lib/views/executions/filter'
import type { ExecutionFilter, Facet } from '@/lib/model/filter-types'
import type { ExecutionItem } from '@/lib/api/schemas'
import { SEEDED } from '../seed/executions'
import {
  emptyPartitions,
  explain as explainOn,
  indexes,
  kinds,
  MODES,
  sorted,
  statementsOf as statementsOn,
  touched,
  type Mode,
} from '../testing/plans'
import { SEEDED_EXECUTIONS, SEEDED_SOURCES, seededDb } from '../testing/seeded-db'
import type { TestDb } from '../testing/test-db'
import { BadCursorError } from './cursor'
import { ITEM_COLUMNS } from './execution-rows'
import { hitStatement, readyFilter, walkStatement, type Statement } from './execution-walk'
import {
  countExecutions,
  listExecutions,
  listFacets,
  listNeighbours,
  LOOK_ROWS,
  WALK_ROWS,
} from './executions'
import { findAnyId } from './find-any-id'
import { readExecution } from './execution'
import { listSources } from './sources'

const COUNT = SEEDED_EXECUTIONS
const { other: OTHER, small: SMALL } = SEEDED_SOURCES
let db: TestDb
let projectId: string
let empty: Set<string>
beforeAll(async () => {
  ;({ db, projectId } = await seededDb())
  empty = await emptyPartitions(db)
}, 300_000)
afterAll(() => db.close())

const explain = (statement: Statement, mode: Mode = 'force_generic_plan') =>
  explainOn(db, statement, mode, empty)
const statementsOf = (work: (db: TestDb) => Promise<unknown>) => statementsOn(db, work)
const filterOf = (facets: Partial<Record<Facet, string[]>>, words: string[] = []): ExecutionFilter => ({
  facets: { ...emptyFilter().facets, ...facets },
  words,
})
const ready = async (filter: ExecutionFilter) => readyFilter(filter, await listSources(db, [projectId]))!
const PAGE = 51
const FREQUENCIES = ['common', 'middling', 'rare'] as const
const DIRECTIONS = ['older', 'newer'] as const

describe('a page of the list', () => {
  const cases: [string, Partial<Record<Facet, string[]>>, Facet | null, RegExp][] = [
    ['without a filter', {}, null, /project_id_sort_at_id/],
    ...(['outcome', 'repository', 'branch'] as const).flatMap((facet) =>
      FREQUENCIES.map((how): [string, Partial<Record<Facet, string[]>>, Facet, RegExp] => [
        `of ${facet}:${SEEDED[facet][how]}`,
        { [facet]: [SEEDED[facet][how]] },
        facet,
        new RegExp(`project_id_${facet}_sort_at_id`),
      ]),
    ),
    ['of decided:inferred', { decided: ['inferred'] }, 'decided', /project_id_sort_at_id/],
    ['of decided:recorded', { decided: ['recorded'] }, 'decided', /project_id_mark_sort_at_execution/],
    ...['default', 'other', 'small'].map(
      (name): [string, Partial<Record<Facet, string[]>>, Facet, RegExp] => [
        `of source:${name}`,
        { source: [name] },
        'source',
        /project_id_source_id_sort_at_id/,
      ],
    ),
    ...(['class', 'state', 'help'] as const).flatMap((facet) =>
      FREQUENCIES.map((how): [string, Partial<Record<Facet, string[]>>, Facet, RegExp] => [
        `of ${facet}:${SEEDED[facet][how]}`,
        { [facet]: [SEEDED[facet][how]] },
        facet,
        /project_id_mark_sort_at_execution/,
      ]),
    ),
  ]

  test.each(cases)(
    '%s walks its index, without a sort and no further than the page, in either direction, whatever the plan is made for',
    async (_name, facets, driver, index) => {
      const walk = {
        projectIds: [projectId],
        filter: await ready(filterOf(facets)),
        driver,
        limit: PAGE,
        columns: ITEM_COLUMNS,
        within: WALK_ROWS,
      }
      for (const from of [
        null,
        { sortAt: '2026-10-20T00:00:00.000Z', id: '019a0000-0000-7000-8000-000000000000' },
      ])
        for (const direction of DIRECTIONS)
          for (const mode of MODES) {
            const plan = await explain(walkStatement({ ...walk, from, direction }), mode)
            expect(kinds(plan)).not.toContain('Sort')
            expect(kinds(plan)).not.toContain('Incremental Sort')
            expect(kinds(plan)).not.toContain('Seq Scan')
            expect(
              indexes(plan).some((name) => index.test(name)),
              indexes(plan).join(),
            ).toBe(true)
            // One row more of each partition, and for a mark each row by its key.
            expect(touched(plan)).toBeLessThan(2 * PAGE + 10)
          }
    },
  )

  const paired = ['outcome', 'source', 'class', 'repository', 'branch', 'state', 'help'] as const
  type Paired = (typeof paired)[number]
  const valueAt = (facet: Paired, how: (typeof FREQUENCIES)[number]): string =>
    facet === 'source' ? { common: 'default', middling: 'other', rare: 'small' }[how] : SEEDED[facet][how]
  const pairs = paired.flatMap((a, i) => paired.slice(i + 1).map((b): [Paired, Paired] => [a, b]))

  test.each(pairs)(
    'of %s and %s looks at no more than the rarer of both holds, and never sorts or joins whole tables',
    async (a, b) => {
      for (const howA of FREQUENCIES)
        for (const howB of FREQUENCIES) {
          const filter = filterOf({ [a]: [valueAt(a, howA)], [b]: [valueAt(b, howB)] })
          const sizes = await Promise.all(
            [a, b].map(
              async (facet) =>
                (
                  await countExecutions(db, {
                    projectIds: [projectId],
                    filter: filterOf({ [facet]: filter.facets[facet] }),
                  })
                ).count,
            ),
          )
          const asked = await statementsOf((over) =>
            listExecutions(over, { projectIds: [projectId], filter }),
          )
          const name = `${valueAt(a, howA)} + ${valueAt(b, howB)}`
          const plans = await Promise.all(MODES.map((mode) => explain(asked[0]!, mode)))
          for (const plan of plans) {
            expect(kinds(plan), name).not.toContain('Seq Scan')
            expect(kinds(plan), name).not.toContain('Sort')
            expect(kinds(plan), name).not.toContain('Hash Join')
            expect(kinds(plan), name).not.toContain('Merge Join')
          }
          // A mark that is four times as frequent may lead no longer: each of its rows is found by key.
          const most = Math.min(4 * Math.min(...sizes), 2 * LOOK_ROWS)
          expect(Math.max(...plans.map(touched)), name).toBeLessThanOrEqual(most + 3 * PAGE)
          if (Math.min(...sizes) * 8 <= LOOK_ROWS) expect(asked.length, name).toBe(1)
        }
    },
  )

  test('of several values merges their walks', async () => {
    const filter = await ready(filterOf({ outcome: ['failed', 'cancelled', 'interrupted'] }))
    for (const mode of MODES) {
      const plan = await explain(
        walkStatement({
          projectIds: [projectId],
          filter,
          driver: 'outcome',
          from: null,
          limit: PAGE,
          columns: ITEM_COLUMNS,
          within: WALK_ROWS,
        }),
        mode,
      )
      expect(kinds(plan)).not.toContain('Seq Scan')
      expect(touched(plan)).toBeLessThan(3 * PAGE + 10)
    }
  })

  test('of what makes no mark beside other facets is one statement, which looks no further than it says', async () => {
    const asked = async (facets: Partial<Record<Facet, string[]>>) => {
      const statements = await statementsOf((over) =>
        listExecutions(over, { projectIds: [projectId], filter: filterOf(facets) }),
      )
      return { statements, plans: await Promise.all(MODES.map((mode) => explain(statements[0]!, mode))) }
    }
    for (const facets of [
      { decided: ['inferred', 'recorded'] },
      { decided: ['inferred', 'recorded', 'recomputed'] },
      { decided: ['inferred'], outcome: ['failed'] },
      { decided: ['inferred', 'recorded'], outcome: ['failed'] },
      { decided: ['inferred'], help: ['could-help'] },
    ]) {
      const { statements, plans } = await asked(facets)
      expect(statements, JSON.stringify(facets)).toHaveLength(1)
      for (const plan of plans) {
        // Only the pages of the walks are sorted into each other.
        expect(sorted(plan), JSON.stringify(facets)).toBeLessThanOrEqual(3 * PAGE)
        for (const kind of ['Seq Scan', 'Hash Join', 'Merge Join'])
          expect(kinds(plan), JSON.stringify(facets)).not.toContain(kind)
        expect(touched(plan)).toBeLessThan(2 * LOOK_ROWS + 3 * PAGE)
      }
    }
  })

  test('with words looks along the list no further than it says, and then asks the text index', async () => {
    const walk = { projectIds: [projectId], from: null, limit: PAGE, columns: ITEM_COLUMNS }
    for (const mode of MODES) {
      const common = await explain(
        walkStatement({
          ...walk,
          filter: await ready(filterOf({}, [SEEDED.word.common])),
          driver: null,
          within: 1_000,
        }),
        mode,
      )
      expect(kinds(common)).not.toContain('Sort')
      expect(kinds(common)).not.toContain('Seq Scan')
      expect(touched(common)).toBeLessThan(1_000 + 2 * PAGE)
      for (const word of [SEEDED.word.middling, SEEDED.word.rare]) {
        const plan = await explain(hitStatement({ ...walk, filter: await ready(filterOf({}, [word])) }), mode)
        expect(kinds(plan)).toContain('Bitmap Index Scan')
        expect(kinds(plan)).not.toContain('Seq Scan')
      }
    }
  })

  test('with a rare word walks a little and no more', async () => {
    for (const [word, statements] of [
      [SEEDED.word.common, 1],
      [SEEDED.word.rare, 2],
    ] as const)
      expect(
        await statementsOf((over) =>
          listExecutions(over, { projectIds: [projectId], filter: filterOf({}, [word]) }),
        ),
      ).toHaveLength(statements)
  })
})

describe('deep links', () => {
  const wanted: [string, string, string][] = [
    ['external id', 'seed-4711', 'session'],
    ['tool call', 'call-2', 'call'],
    ['record', 'event-199999-0', 'event'],
  ]
  test.each(wanted)('an id of the kind %s is found', async (_name, id, kind) => {
    const [call] = await db.sql`select call_id from calls limit 1`
    const found = await findAnyId(db, [projectId], kind === 'call' ? call!.call_id : id)
    expect(found).toEqual([expect.objectContaining({ kind })])
    expect(await findAnyId(db, [], id)).toEqual([])
    expect(await findAnyId(db, ['00000000-0000-7000-8000-000000000000'], id)).toEqual([])
  })

  test('our own id, the digest of the bytes and an unknown id are answered', async () => {
    const [one] = await db.sql`select id from executions limit 1`
    expect(await findAnyId(db, [projectId], one!.id)).toEqual([
      expect.objectContaining({ kind: 'execution', executionId: one!.id }),
    ])
    const [part] = await db.sql`select sha256 from received`
    expect((await findAnyId(db, [projectId], part!.sha256))[0]).toMatchObject({ kind: 'received' })
    for (const id of [
      'nothing',
      '',
      '../etc',
      'a\0b',
      'x'.repeat(1000),
      '00000000-0000-7000-8000-000000000000',
    ])
      expect(await findAnyId(db, [projectId], id)).toEqual([])
  })

  test('none of the statements reads a table from end to end', async () => {
    const statements: Statement[] = [
      {
        text: `select execution_id from execution_keys where project_id = any ($1::uuid[]) and external_id = $2`,
        params: [[projectId], 'seed-1'],
      },
      {
        text: `select execution_id from execution_keys where project_id = any ($1::uuid[]) and external_id > $2 and external_id < $3 order by external_id limit 20`,
        params: [[projectId], 'a/', 'a0'],
      },
      {
        text: `select execution_id from calls a where a.project_id = any ($1::uuid[]) and a.call_id = $2 order by a.execution_id limit 20`,
        params: [[projectId], 'call-1'],
      },
      {
        text: `select execution_id from events v where v.project_id = any ($1::uuid[]) and v.identity = $2`,
        params: [[projectId], 'event-1-0'],
      },
      {
        text: `select 1 from executions e where e.project_id = any ($1::uuid[]) and e.id = $2::uuid`,
        params: [[projectId], '019a0000-0000-7000-8000-000000000000'],
      },
    ]
    for (const statement of statements) {
      const plan = await explain(statement)
      expect(kinds(plan), statement.text).not.toContain('Seq Scan')
      expect(touched(plan)).toBeLessThan(100)
    }
  })
})

describe('the list as it is read', () => {
  const all = async (filter: ExecutionFilter, limit: number, max = 500): Promise<ExecutionItem[]> => {
    const items: ExecutionItem[] = []
    let cursor: string | null = null
    do {
      const page = await listExecutions(db, { projectIds: [projectId], filter, cursor, limit })
      items.push(...page.items)
      cursor = page.nextCursor
    } while (cursor !== null && items.length < max)
    return items
  }
  const filters: [string, ExecutionFilter, (e: ExecutionItem) => boolean][] = [
    ['nothing', filterOf({}), () => true],
    ['an outcome', filterOf({ outcome: ['failed'] }), (e) => e.outcome === 'failed'],
    [
      'two outcomes',
      filterOf({ outcome: ['failed', 'interrupted'] }),
      (e) => ['failed', 'interrupted'].includes(e.outcome),
    ],
    ['a class', filterOf({ class: ['not_read_first'] }), () => true],
    ['a content state', filterOf({ state: ['complete'] }), () => true],
    [
      'all answers to whether a retry could help',
      filterOf({ help: ['cannot-help', 'could-help', 'helped'] }),
      () => true,
    ],
    ['what was inferred', filterOf({ decided: ['inferred'] }), (e) => e.outcomeBasis === 'inferred'],
    ['two classes, which may both hold', filterOf({ class: ['exit_code', 'not_read_first'] }), () => true],
    [
      'two facets',
      filterOf({ outcome: ['failed'], repository: ['acme/shop'] }),
      (e) => e.outcome === 'failed' && e.labels.repository === 'acme/shop',
    ],
    ['a common word', filterOf({}, ['deploy']), (e) => e.title!.startsWith('deploy')],
    [
      'a rarer word and a facet',
      filterOf({ outcome: ['succeeded'] }, ['check']),
      (e) => e.title!.includes('checkout') && e.outcome === 'succeeded',
    ],
    [
      'more values than are walked apart',
      filterOf({ repository: Array.from({ length: 40 }, (_, i) => `acme/repo-${i}`) }),
      (e) => /^acme\/repo-[123]?\d$/.test(e.labels.repository!),
    ],
  ]

  test.each(filters)(
    'pages of %s tile it: the same whatever the size of a page, in order, each once',
    async (_name, filter, holds) => {
      const large = (await all(filter, 200)).slice(0, 400)
      const small = (await all(filter, 37)).slice(0, 400)
      expect(large.length).toBeGreaterThan(100)
      expect(small.map((e) => e.id)).toEqual(large.map((e) => e.id))
      expect(new Set(large.map((e) => e.id)).size).toBe(large.length)
      expect(large.filter((e) => !holds(e))).toEqual([])
      const times = large.map((e) => e.startedAt!)
      expect([...times].sort().reverse()).toEqual(times)
    },
  )

  test.each([
    [
      'two facets to their end',
      filterOf({ source: ['other'], outcome: ['interrupted'] }),
      `e.source_id = (select id from sources where name = 'other') and outcome = 'interrupted'`,
    ],
    [
      'two facets that never meet',
      filterOf({ outcome: ['failed'], class: ['not_read_first'] }),
      `outcome = 'failed' and 'not_read_first' = any (marks)`,
    ],
    [
      'a facet without a word',
      filterOf({ source: ['other'] }, ['zanzibar']),
      `e.source_id = (select id from sources where name = 'other') and search @@ 'zanzibar'`,
    ],
    [
      'a rare class',
      filterOf({ class: ['task_output'], branch: ['main'] }),
      `'task_output' = any (marks) and branch = 'main'`,
    ],
    [
      'a content state and a branch',
      filterOf({ state: ['contract_violation', 'session_error'], branch: ['main'] }),
      `marks && '{state:contract_violation,state:session_error}' and branch = 'main'`,
    ],
    [
      'marks of three facets',
      filterOf({ class: ['exit_code'], help: ['cannot-help'], state: ['complete'] }),
      `marks @> '{exit_code,help:cannot-help,state:complete}'`,
    ],
    [
      'one fact by two facets',
      filterOf({ reason: ['contract_recovery'], attempts: ['2', '3', '5+'] }),
      `marks && '{reason:contract_recovery}' and marks && '{attempts:2,attempts:3,attempts:5+}'`,
    ],
    [
      'what was not recomputed and failed',
      filterOf({ decided: ['inferred', 'recorded'], outcome: ['failed'], branch: ['feature/17'] }),
      `outcome_basis <> 'recomputed' and outcome = 'failed' and branch = 'feature/17'`,
    ],
    [
      'what is inferred and hardly ever there',
      filterOf({ decided: ['inferred'], state: ['complete', 'session_error'] }),
      'false',
    ],
    [
      'every way to decide',
      filterOf({ decided: ['inferred', 'recorded', 'recomputed'], class: ['task_output'] }),
      `'task_output' = any (marks)`,
    ],
    [
      'two values and a facet',
      filterOf({ repository: ['acme/repo-42', 'acme/repo-43'], outcome: ['failed'] }),
      `repository in ('acme/repo-42', 'acme/repo-43') and outcome = 'failed'`,
    ],
    [
      'a word in between',
      filterOf({ outcome: ['failed', 'interrupted'] }, ['checkout']),
      `outcome in ('failed', 'interrupted') and search @@ 'checkout'`,
    ],
  ])('pages of %s are the rows of a plain query, and their neighbours too', async (_name, filter, where) => {
    const rows = await db.sql.unsafe<{ id: string }[]>(
      `select id from executions e where ${where} order by sort_at desc, id desc`,
    )
    const items = await all(filter, 50, 100_000)
    expect(items.map((e) => e.id)).toEqual(rows.map((row) => row.id))
    for (const i of [0, Math.floor(rows.length / 2), rows.length - 1].filter(
      (place) => place >= 0 && rows.length > 0,
    ))
      expect(await listNeighbours(db, { projectIds: [projectId], filter, id: rows[i]!.id })).toEqual({
        previous: rows[i - 1]?.id ?? null,
        next: rows[i + 1]?.id ?? null,
      })
  })

  test('readers of more projects than are walked apart see every match', async () => {
    const projectIds = [...Array.from({ length: 30 }, () => randomUUID()), projectId]
    for (const filter of [
      filterOf({ outcome: ['cancelled'] }),
      filterOf({ class: ['task_output'] }),
      filterOf({ source: ['small'], outcome: ['failed'] }),
      filterOf({}, ['zanzibar']),
    ]) {
      const alone = await listExecutions(db, { projectIds: [projectId], filter })
      expect(alone.items.length).toBeGreaterThan(2)
      expect((await listExecutions(db, { projectIds, filter })).items.map((e) => e.id)).toEqual(
        alone.items.map((e) => e.id),
      )
    }
  })

  test('neighbours are the rows before and after, also of one that the filter leaves out', async () => {
    const filter = filterOf({ outcome: ['failed'] })
    const { items } = await listExecutions(db, { projectIds: [projectId], filter, limit: 5 })
    expect(await listNeighbours(db, { projectIds: [projectId], filter, id: items[2]!.id })).toEqual({
      previous: items[1]!.id,
      next: items[3]!.id,
    })
    expect(await listNeighbours(db, { projectIds: [projectId], filter, id: items[0]!.id })).toEqual({
      previous: null,
      next: items[1]!.id,
    })
    const outside = (
      await listExecutions(db, {
        projectIds: [projectId],
        filter: filterOf({ outcome: ['succeeded'] }),
        limit: 1,
      })
    ).items[0]!
    expect((await listNeighbours(db, { projectIds: [projectId], filter, id: outside.id })).next).toMatch(/-/)
    expect(await listNeighbours(db, { projectIds: [projectId], filter, id: 'none' })).toEqual({
      previous: null,
      next: null,
    })
  })

  test('counts agree with the rows, and stop where they say', async () => {
    const count = (filter: ExecutionFilter) => countExecutions(db, { projectIds: [projectId], filter })
    const exact = async (where: string) =>
      Number((await db.sql.unsafe(`select count(*)::int as n from executions where ${where}`))[0]!.n)
    expect(await count(filterOf({}))).toEqual({ count: COUNT, capped: false })
    expect(await count(filterOf({ outcome: ['failed'] }))).toEqual({
      count: await exact(`outcome = 'failed'`),
      capped: false,
    })
    expect(await count(filterOf({ class: ['exit_code', 'not_read_first'] }))).toEqual({
      count: 10_000,
      capped: true,
    })
    expect(await count(filterOf({ repository: ['acme/repo-42'], outcome: ['failed'] }))).toEqual({
      count: await exact(`outcome = 'failed' and repository = 'acme/repo-42'`),
      capped: false,
    })
    expect(await count(filterOf({ decided: ['inferred'] }))).toEqual({
      count: await exact(`outcome_basis = 'inferred'`),
      capped: false,
    })
    expect(await count(filterOf({ decided: ['recorded', 'recomputed'] }))).toEqual({
      count: await exact(`outcome_basis <> 'inferred'`),
      capped: false,
    })
    expect(await count(filterOf({ decided: ['inferred', 'recorded', 'recomputed'] }))).toEqual({
      count: COUNT,
      capped: false,
    })
    expect(await count(filterOf({ help: ['cannot-help', 'helped'] }))).toEqual({
      count: await exact(`advice->>'retry' in ('cannot-help', 'helped')`),
      capped: false,
    })
    expect(await count(filterOf({ decided: ['inferred'], branch: ['feature/17'] }))).toEqual({
      count: await exact(`outcome_basis = 'inferred' and branch = 'feature/17'`),
      capped: false,
    })
    expect(await count(filterOf({}, ['checkout']))).toEqual({
      count: await exact(`title like '%checkout%'`),
      capped: false,
    })
    expect(await count(filterOf({}, ['deploy']))).toEqual({ count: 10_000, capped: true })
    expect(await count(filterOf({ source: ['nobody'] }))).toEqual({ count: 0, capped: false })
  })

  test('each facet is counted without its own values', async () => {
    const plain = await listFacets(db, { projectIds: [projectId], filter: filterOf({}) })
    expect(plain).toMatchObject({ total: COUNT, totalCapped: false })
    expect(plain.facets.source).toEqual([
      { value: 'default', count: COUNT - OTHER - SMALL },
      { value: 'other', count: OTHER },
      { value: 'small', count: SMALL },
    ])
    expect(plain.facets.outcome.reduce((n, { count }) => n + count, 0)).toBe(COUNT)
    expect(plain.facets.decided.map(({ value }) => value)).toEqual(['inferred', 'recomputed', 'recorded'])
    expect(plain.facets.decided.reduce((n, { count }) => n + count, 0)).toBe(COUNT)
    const one = await listFacets(db, {
      projectIds: [projectId],
      filter: filterOf({ outcome: ['cancelled'] }),
    })
    expect(one.total).toBe(4)
    expect(one.facets.outcome).toEqual(plain.facets.outcome)
    expect(one.facets.branch.reduce((n, { count }) => n + count, 0)).toBe(4)
  })

  test('the counts of facets are those of the rows that match without their own values', async () => {
    const exact = async (column: string, where: string) => [
      ...(await db.sql.unsafe<{ value: string; count: number }[]>(
        `select ${column} as value, count(*)::int as count from executions e where ${where} group by 1 order by 2 desc, 1 limit 100`,
      )),
    ]
    const filter = filterOf({ outcome: ['failed'], repository: ['acme/repo-42'] })
    const { total, facets } = await listFacets(db, { projectIds: [projectId], filter })
    expect(total).toBe((await exact(`''`, `outcome = 'failed' and repository = 'acme/repo-42'`))[0]!.count)
    expect(facets.outcome).toEqual(await exact('outcome', `repository = 'acme/repo-42'`))
    expect(facets.branch).toEqual(await exact('branch', `outcome = 'failed' and repository = 'acme/repo-42'`))
    expect(facets.class).toEqual([
      ...(await db.sql`select c as value, count(*)::int as count from executions, unnest(marks) c where outcome = 'failed' and repository = 'acme/repo-42' and c not like '%:%' group by 1 order by 2 desc, 1`),
    ])
    for (const facet of ['state', 'reason', 'help', 'differs', 'attempts', 'silence'] as const)
      expect(facets[facet], facet).toEqual([
        ...(await db.sql`select split_part(m, ':', 2) as value, count(*)::int as count from executions, unnest(marks) m
          where outcome = 'failed' and repository = 'acme/repo-42' and m like ${`${facet}:%`} group by 1 order by 2 desc, 1`),
      ])
    expect(facets.decided).toEqual(
      await exact('outcome_basis', `outcome = 'failed' and repository = 'acme/repo-42'`),
    )
    const two = (
      await listFacets(db, {
        projectIds: [projectId],
        filter: filterOf({ decided: ['inferred'], state: ['absent'], branch: ['main'] }),
      })
    ).facets
    expect(two.decided).toEqual(
      await exact('outcome_basis', `'state:absent' = any (marks) and branch = 'main'`),
    )
    expect(two.state).toEqual([])
    // Under a filter with more matches than are counted the numbers are of a sample.
    expect(facets.repository.reduce((n, { count }) => n + count, 0)).toBeLessThanOrEqual(10_000)
    const rare = await listFacets(db, {
      projectIds: [projectId],
      filter: filterOf({ class: ['task_output'], branch: ['main'] }),
    })
    expect(rare.facets.outcome.reduce((n, { count }) => n + count, 0)).toBe(rare.total)
    expect(rare.total).toBeGreaterThan(0)
    expect(rare.total).toBe(
      (await exact(`''`, `'task_output' = any (marks) and branch = 'main'`))[0]?.count ?? 0,
    )
  })

  test('counts under facets are read from indexes alone once the tables are vacuumed', async () => {
    await db.sql`vacuum (analyze) executions`
    for (const facets of [
      { outcome: ['failed'] },
      { outcome: ['failed'], repository: ['acme/repo-42'] },
      { outcome: ['failed'], repository: ['acme/shop'] },
      { outcome: ['failed'], branch: ['feature/17'] },
      { outcome: ['failed'], repository: ['acme/repo-42'], decided: ['inferred'] },
    ]) {
      const asked = await statementsOf((over) =>
        listFacets(over, { projectIds: [projectId], filter: filterOf(facets) }),
      )
      expect(asked.length).toBeGreaterThan(0)
      for (const statement of asked) {
        const plan = await explain(statement, 'force_custom_plan')
        const scans = plan.filter((node) => node['Relation Name'] !== undefined)
        expect([...new Set(scans.map((node) => node['Node Type']))], JSON.stringify(facets)).toEqual([
          'Index Only Scan',
        ])
      }
    }
  })

  test('one execution is read by its id, and only within its projects', async () => {
    const { items } = await listExecutions(db, {
      projectIds: [projectId],
      filter: filterOf({ outcome: ['failed'] }),
      limit: 1,
    })
    expect(await readExecution(db, [projectId], items[0]!.id)).toMatchObject({ ...items[0], children: [] })
    expect(await readExecution(db, ['00000000-0000-7000-8000-000000000000'], items[0]!.id)).toBeNull()
    expect(await readExecution(db, [projectId], 'no-uuid')).toBeNull()
  })

  test('a cursor that is not one of this list is refused', async () => {
    const bad = [
      'x',
      'W10',
      Buffer.from('["2026-01-01","x"]').toString('base64url'),
      Buffer.from(`["infinity","${projectId}"]`).toString('base64url'),
    ]
    for (const cursor of bad)
      await expect(
        listExecutions(db, { projectIds: [projectId], filter: filterOf({}), cursor }),
      ).rejects.toThrow(BadCursorError)
  })
})
