import { expect, test } from 'vitest'
import { createAnalysis } from '@/lib/analysis/analyse'
import { emptyFilter } from '@/lib/views/executions/filter'
import type { ExecutionSummary } from '@/lib/model/summary'
import { FAILURE_CLASSES } from '@/lib/model/execution'
import { migrateDb } from '../migrate'
import { Transcript } from '../seed/transcript'
import { testDbBefore } from '../testing/old-schema'
import { testDb } from '../testing/test-db'
import { ingestBody } from '../writes/ingest'
import { ensureProject } from '../projects'
import { executionColumns } from '../writes/derive/summary-row'
import { listExecutions, listFacets } from './executions'
import { readRollups } from './rollups'

/** Text of four bytes a character that no compression makes shorter. */
const dense = (length: number, seed: number): string =>
  Array.from({ length }, (_, i) =>
    String.fromCodePoint(
      0x20000 + (((Math.imul(i + 1, 2654435761) ^ Math.imul(seed, 40503)) >>> 0) % 0xa000),
    ),
  ).join('')

test('labels longer than an index holds are cut, listed and found', async () => {
  const db = await testDb()
  try {
    const projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
    const transcript = new Transcript({
      sessionId: '0d0d0d0d-0000-4000-8000-00000000000a',
      cwd: `/${dense(600, 1)}`,
      branch: dense(600, 2),
    })
      .user('go')
      .says('done')
    await ingestBody(db, {
      projectId,
      source: null,
      kind: 'claude-transcript',
      bytes: Buffer.from(transcript.text),
    })
    // Beside it another as long, every class there is, and as much of a decision as a source can say.
    const known = createAnalysis('x').finish()
    const summary: ExecutionSummary = {
      ...known,
      counts: {
        ...known.counts,
        failedByClass: Object.fromEntries(FAILURE_CLASSES.map((name) => [name, 1])),
      },
      outcomeBasis: 'recomputed',
      advice: {
        runRetry: 'wont_help',
        callRetry: 'wont_help',
        recoveredBy: null,
        afterOtherWork: null,
        because: { id: 'nothing_known', params: {} },
        next: { id: 'read_last_events', params: {} },
      },
      decision: { contentState: dense(300, 7), retryReason: dense(300, 8), differs: true },
    }
    const own = { parentId: null, digest: '', externalId: '', attempts: 9 }
    const marks = executionColumns(summary, { odd: 0, redactions: 0 }, own).marks![0] as string[]
    expect(marks).toHaveLength(FAILURE_CLASSES.length + 6)
    await db.sql`update executions set repository = ${dense(200, 3)}, marks = ${marks}`
    const { facets } = await listFacets(db, { projectIds: [projectId], filter: emptyFilter() })
    const branch = facets.branch[0]!.value
    expect([...branch]).toEqual([...dense(600, 2)].slice(0, 200))
    const filter = {
      ...emptyFilter(),
      facets: { ...emptyFilter().facets, repository: [dense(200, 3)], branch: [branch] },
    }
    expect((await listExecutions(db, { projectIds: [projectId], filter })).items).toHaveLength(1)
  } finally {
    await db.close()
  }
})

test('labels that were stored longer are cut by the migration, and their counts with them', async () => {
  const db = await testDbBefore(5)
  try {
    const projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
    const [start, one, other] = [dense(450, 5), 'a', 'b'] as const
    for (const [i, end] of [one, other].entries())
      await db.sql`
        insert into executions (project_id, id, source_id, external_id, outcome, outcome_basis, outcome_rule, outcome_because, usage, sort_at, repository, branch)
        values (${projectId}, gen_random_uuid(), gen_random_uuid(), ${`x-${i}`}, 'failed', 'inferred', 'r', 'b', '{}', now(), ${start + end}, ${dense(450, 6)})`
    await db.sql`insert into facet_counts (project_id, facet, value, n) values (${projectId}, 'repository', ${start + one}, 1), (${projectId}, 'branch', ${dense(450, 6)}, 1)`
    await db.sql`insert into facet_deltas (project_id, facet, value, n) values (${projectId}, 'repository', ${start + other}, 1), (${projectId}, 'branch', ${dense(450, 6)}, 1)`
    await migrateDb(db.url)
    expect(await db.sql`select repository, branch, count(*)::int as n from executions group by 1, 2`).toEqual(
      [{ repository: dense(200, 5), branch: dense(200, 6), n: 2 }],
    )
    expect((await readRollups(db, [projectId])).sort((a, b) => (a.facet < b.facet ? -1 : 1))).toEqual([
      { facet: 'branch', value: dense(200, 6), count: 2 },
      { facet: 'decided', value: 'inferred', count: 2 },
      { facet: 'repository', value: dense(200, 5), count: 2 },
    ])
  } finally {
    await db.close()
  }
})
