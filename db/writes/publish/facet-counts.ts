import { markedValues } from '@/lib/analysis/marks'
import type { Tx } from '../../client'
import { ALL } from '../../queries/rollups'

export interface FacetValues {
  outcome: string
  source_id: string
  repository: string | null
  branch: string | null
  marks: string[]
}

/** Each facet value that an execution counts for. */
export const facetValues = (e: FacetValues): [facet: string, value: string][] => [
  [ALL, ''],
  ['outcome', e.outcome],
  ['source', e.source_id],
  ...(e.repository === null ? [] : [['repository', e.repository] as [string, string]]),
  ...(e.branch === null ? [] : [['branch', e.branch] as [string, string]]),
  ...markedValues(e.marks),
]

/** Notes the difference that a change of one execution makes to the counts; added, never summed up in place, so writers do not wait. */
export async function facetDelta(
  tx: Tx,
  projectId: string,
  before: [string, string][],
  after: [string, string][],
): Promise<void> {
  const sums = new Map<string, { facet: string; value: string; n: number }>()
  const add = (entries: [string, string][], by: number) => {
    for (const [facet, value] of entries) {
      const key = `${facet}\0${value}`
      const sum = sums.get(key) ?? { facet, value, n: 0 }
      sum.n += by
      sums.set(key, sum)
    }
  }
  add(before, -1)
  add(after, 1)
  const changed = [...sums.values()].filter((sum) => sum.n !== 0)
  if (changed.length === 0) return
  await tx`
    insert into facet_deltas (project_id, facet, value, n)
    select ${projectId}, * from unnest(${changed.map((c) => c.facet)}::text[], ${changed.map((c) => c.value)}::text[], ${changed.map((c) => c.n)}::int[])`
}

/** Sums up deltas into the counts. One folds at a time; others leave it to that one. @returns deltas folded */
export async function foldRollups(sql: {
  begin: (work: (tx: Tx) => Promise<number>) => Promise<unknown>
}): Promise<number> {
  return (await sql.begin(async (tx) => {
    const [lock] = await tx`select pg_try_advisory_xact_lock(hashtextextended('inquest rollups', 0)) as mine`
    if (!lock!.mine) return 0
    const [folded] = await tx<{ n: number }[]>`
      with gone as (delete from facet_deltas returning project_id, facet, value, n),
      summed as (select project_id, facet, value, sum(n) as n from gone group by 1, 2, 3),
      kept as (
        insert into facet_counts as c (project_id, facet, value, n) select project_id, facet, value, n from summed
        on conflict (project_id, facet, value) do update set n = c.n + excluded.n returning 1)
      select (select count(*) from gone)::int as n, (select count(*) from kept)`
    await tx`delete from facet_counts where n = 0`
    return folded!.n
  })) as number
}
