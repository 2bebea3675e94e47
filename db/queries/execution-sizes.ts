import { FACETS, type ExecutionFilter, type Facet } from '@/lib/model/filter-types'
import type { Db } from '../client'
import { ALL, type FacetCount } from './rollups'
import type { RowOf } from '../schema/rows'

/** How many executions there are, and how many hold one of the filter's values of each facet (a class may count one several times). */
export type Sizes = Record<Facet | typeof ALL, number>

/** Sizes by the rollups, those still to be summed up included. One statement, which reads the counts of the filter's values only. */
export async function readSizes(db: Db, projectIds: string[], filter: ExecutionFilter): Promise<Sizes> {
  const wanted = FACETS.filter((facet) => facet !== 'source').flatMap((facet) =>
    (filter.facets[facet] ?? []).map((value) => ({ facet, value })),
  )
  const rows = await db.sql<(RowOf<'facet_counts', 'facet'> & { n: number })[]>`
    with wanted as (
      select ${ALL} as facet, '' as value
      union select * from unnest(${wanted.map((w) => w.facet)}::text[], ${wanted.map((w) => w.value)}::text[])
      union select 'source', id::text from sources where project_id = any (${projectIds}::uuid[]) and name = any (${filter.facets.source ?? []}::text[]))
    select facet, sum(n)::int8 as n from (
      select c.facet, c.n from wanted join facet_counts c using (facet, value) where c.project_id = any (${projectIds}::uuid[])
      union all
      select d.facet, d.n from wanted join facet_deltas d using (facet, value) where d.project_id = any (${projectIds}::uuid[])) counted
    group by facet`
  const sizes = Object.fromEntries([ALL, ...FACETS].map((facet) => [facet, 0])) as Sizes
  for (const { facet, n } of rows) sizes[facet] = n
  return sizes
}

/**
 * The largest counts of each facet asked for. Sources come all: they are shown by name, and several may have the same.
 *
 * @param max values of a facet
 */
export async function readLargest(
  db: Db,
  projectIds: string[],
  facets: readonly Facet[],
  max: number,
): Promise<FacetCount[]> {
  if (facets.length === 0) return []
  return db.sql<FacetCount[]>`
    select facet, value, count from (
      select *, row_number() over (partition by facet order by count desc, value collate "C") as place from (
        select facet, value, sum(n)::int8 as count from (
          select facet, value, n from facet_counts where project_id = any (${projectIds}::uuid[]) and facet = any (${[...facets]}::text[])
          union all
          select facet, value, n from facet_deltas where project_id = any (${projectIds}::uuid[]) and facet = any (${[...facets]}::text[])
        ) parts group by facet, value having sum(n) > 0) summed) placed
    where place <= ${max} or facet = 'source'`
}
