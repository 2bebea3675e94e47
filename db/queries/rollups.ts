import type { Db } from '../client'
import type { RowOf } from '../schema/rows'

/** Facet under which the number of all executions is kept. */
export const ALL = ''

export type FacetCount = RowOf<'facet_counts', 'facet' | 'value'> & { count: number }

/** Counts of every facet value from the rollups, those still to be summed up included; values with nothing left are left out. */
export async function readRollups(db: Db, projectIds: string[]): Promise<FacetCount[]> {
  return db.sql<FacetCount[]>`
    select facet, value, sum(n)::int8 as count from (
      select facet, value, n from facet_counts where project_id = any (${projectIds}::uuid[])
      union all
      select facet, value, n from facet_deltas where project_id = any (${projectIds}::uuid[])
    ) counted group by facet, value having sum(n) > 0`
}
