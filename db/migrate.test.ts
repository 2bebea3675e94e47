import { expect, test } from 'vitest'
import { emptyFilter, parseFilter } from '@/lib/views/executions/filter'
import { migrateDb } from './migrate'
import { listExecutions, listFacets } from './queries/executions'
import { testDbBefore } from './testing/old-schema'
import { ensureProject } from './projects'

const NOW = new Date('2026-11-15T00:00:00Z')

test('failure classes become marks under their new names, and what else is known of an execution joins them', async () => {
  const db = await testDbBefore(7)
  try {
    const projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
    await db.sql.unsafe(`create table execution_classes_2026_11 partition of execution_classes
      for values from ('019a3cee-e800-0000-0000-000000000000') to ('019ad76d-0c00-0000-0000-000000000000')`)
    const rows = [
      ['plain', '019a3cee-e800-7000-8000-000000000001', 'inferred', null, []],
      ['classes', '019a3cee-e800-7000-8000-000000000002', 'inferred', 'unknown', ['exit_code', 'hook']],
      ['recorded', '019a3cee-e800-7000-8000-000000000003', 'recorded', 'cannot-help', ['exit_code']],
      ['helped', 'ff9a3cee-e800-7000-8000-000000000004', 'inferred', 'helped', []],
    ] as const
    for (const [name, id, basis, retry, classes] of rows) {
      await db.sql`
        insert into executions (project_id, id, source_id, external_id, outcome, outcome_basis, outcome_rule, outcome_because, usage, sort_at, failed_classes, advice)
        values (${projectId}, ${id}, gen_random_uuid(), ${name}, 'failed', ${basis}, 'r', 'b', '{}', ${NOW.toISOString()}, ${[...classes]}, ${retry === null ? null : JSON.stringify({ retry })}::text::jsonb)`
      await db.sql`insert into execution_classes (project_id, execution_id, class, sort_at) select ${projectId}, ${id}, *, ${NOW.toISOString()} from unnest(${[...classes]}::text[])`
    }
    await db.sql`insert into facet_counts (project_id, facet, value, n) values (${projectId}, '', '', 4), (${projectId}, 'class', 'exit_code', 2), (${projectId}, 'class', 'hook', 1)`

    await migrateDb(db.url, NOW)
    await migrateDb(db.url, NOW)

    const wanted = [
      ['classes', ['exit_code', 'help:unknown', 'hook']],
      ['helped', ['help:helped']],
      ['plain', []],
      ['recorded', ['decided:recorded', 'exit_code', 'help:cannot-help']],
    ] as const
    expect(await db.sql`select external_id, marks from executions order by 1`).toEqual(
      wanted.map(([external_id, marks]) => ({ external_id, marks })),
    )
    expect(
      await db.sql`select e.external_id, m.mark, m.sort_at = e.sort_at as placed from execution_marks m join executions e on e.id = m.execution_id order by 1, 2`,
    ).toEqual(
      wanted.flatMap(([external_id, marks]) => marks.map((mark) => ({ external_id, mark, placed: true }))),
    )
    const { facets, total } = await listFacets(db, { projectIds: [projectId], filter: emptyFilter() })
    expect(facets).toMatchObject({
      class: [
        { value: 'exit_code', count: 2 },
        { value: 'hook', count: 1 },
      ],
      decided: [
        { value: 'inferred', count: 3 },
        { value: 'recorded', count: 1 },
      ],
      help: [
        { value: 'cannot-help', count: 1 },
        { value: 'helped', count: 1 },
        { value: 'unknown', count: 1 },
      ],
    })
    expect(total).toBe(4)
    const found = await listExecutions(db, {
      projectIds: [projectId],
      filter: parseFilter('help:helped').filter,
    })
    expect(found.items.map((item) => item.externalId)).toEqual(['helped'])

    const names = await db.sql<
      { relname: string }[]
    >`select relname from pg_class where relname like 'execution\\_%class%' or relname like 'execution\\_marks\\_2026%idx'`
    // Those that were there and those of partitions made since are called alike.
    expect(names.map(({ relname }) => relname.replace(/(_id)?_+idx$/, ''))).toEqual(
      names.map(() => expect.stringMatching(/^execution_marks_2026_\d\d_project_id_mark_sort_at_executi/)),
    )
    expect(names.length).toBeGreaterThan(2)
  } finally {
    await db.close()
  }
})
