import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseFilter } from '@/lib/views/executions/filter'
import { recountFacets, seedExecutions } from '../seed/executions'
import { emptyPartitions, explain, indexes, kinds, MODES, statementsOf, touched } from '../testing/plans'
import { testDb, type TestDb } from '../testing/test-db'
import { ensureSource } from '../writes/receive/ensure-source'
import { ensureProject } from '../projects'
import { countExecutions, listExecutions, listFacets } from './executions'

/** Where nearly everything is recorded, what is inferred is the rare value, and the one without a mark. */
const COUNT = 40_000
const RARE = 20
let db: TestDb
let projectId: string
let empty: Set<string>
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
  const source = await db.sql.begin((tx) => ensureSource(tx, projectId, 'claude-code', 'default'))
  await seedExecutions(db.sql, {
    projectId,
    sourceId: source.id,
    count: COUNT,
    newest: new Date('2026-11-15T00:00:00Z'),
  })
  await db.sql`
    with others as (select id from executions where outcome_basis = 'inferred' order by md5(id::text) offset ${RARE}),
    changed as (
      update executions set outcome_basis = 'recorded', marks = array_append(marks, 'decided:recorded') where id in (select id from others)
      returning project_id, id, sort_at)
    insert into execution_marks (project_id, execution_id, mark, sort_at) select project_id, id, 'decided:recorded', sort_at from changed`
  await recountFacets(db.sql, projectId)
  empty = await emptyPartitions(db)
}, 120_000)
afterAll(() => db.close())

const asked = (q: string) => ({ projectIds: [projectId], filter: parseFilter(q).filter })

test.each(['before statistics are made of it', 'with statistics'])(
  'is found by its own index, %s',
  async (when) => {
    if (when === 'with statistics') await db.sql`analyze`
    for (const q of [
      'decided:inferred',
      'decided:inferred outcome:failed',
      'decided:inferred help:cannot-help branch:main',
      'decided:inferred deploy',
    ]) {
      const statements = await statementsOf(db, (over) => listExecutions(over, asked(q)))
      expect(statements, q).toHaveLength(1)
      for (const mode of MODES) {
        const plan = await explain(db, statements[0]!, mode, empty)
        expect(indexes(plan).join(), q).toMatch(/^project_id_sort_at_id_idx1,pkey$/)
        for (const kind of ['Sort', 'Seq Scan', 'Hash Join', 'Merge Join'])
          expect(kinds(plan), q).not.toContain(kind)
        expect(touched(plan), q).toBeLessThan(2 * RARE + 10)
      }
    }
  },
)

test('is listed and counted as it is', async () => {
  const rows = await db.sql<
    { id: string; outcome: string }[]
  >`select id, outcome from executions where outcome_basis = 'inferred' order by sort_at desc, id desc`
  expect(rows).toHaveLength(RARE)
  const list = async (q: string) => (await listExecutions(db, asked(q))).items.map((item) => item.id)
  expect(await list('decided:inferred')).toEqual(rows.map((row) => row.id))
  expect(await list('decided:inferred outcome:failed')).toEqual(
    rows.filter((row) => row.outcome === 'failed').map((row) => row.id),
  )
  const mixed = await db.sql<
    { id: string }[]
  >`select id from executions where outcome_basis in ('inferred', 'recomputed') order by sort_at desc, id desc limit 50`
  expect(await list('decided:inferred decided:recomputed')).toEqual(mixed.map((row) => row.id))
  expect(await countExecutions(db, asked('decided:inferred'))).toEqual({ count: RARE, capped: false })
  const { facets, total } = await listFacets(db, asked('decided:inferred outcome:failed'))
  expect(total).toBe(rows.filter((row) => row.outcome === 'failed').length)
  expect(facets.outcome.reduce((n, { count }) => n + count, 0)).toBe(RARE)
})

test('counts under it read no more than there is of it, whatever a sample of the table happens to say', async () => {
  for (let i = 0; i < 5; i++) {
    await db.sql`analyze`
    for (const q of [
      'decided:inferred outcome:failed repository:acme/shop',
      'decided:inferred help:cannot-help',
      'decided:inferred branch:main deploy',
    ]) {
      const [first] = await statementsOf(db, (over) => listFacets(over, asked(q)))
      const plan = await explain(db, first!, 'force_custom_plan', empty)
      expect(indexes(plan).join(), q).toMatch(/^project_id_sort_at_id_idx1,pkey$/)
      expect(touched(plan), q).toBeLessThanOrEqual(2 * RARE)
    }
  }
})
