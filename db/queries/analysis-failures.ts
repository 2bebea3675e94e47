import type { AnalysisFailureItem } from '@/lib/api/admin-schemas'
import { links } from '@/lib/links'
import { limits } from '@/lib/limits'
import type { Sql } from '../client'
import type { RowOf } from '../schema/rows'

/**
 * Executions whose last analysis failed, the one tried last first.
 *
 * @returns at most `limits.pageRowsMax` of them; `total` counts all
 */
export async function listAnalysisFailures(
  sql: Sql,
  projectIds: string[],
): Promise<{ items: AnalysisFailureItem[]; total: number }> {
  const rows = await sql<
    (RowOf<'executions', 'id' | 'externalId' | 'title'> & {
      project: RowOf<'projects', 'slug'>['slug']
      failure: NonNullable<RowOf<'executions', 'analysisFailure'>['analysisFailure']>
      total: number
    })[]
  >`
    select e.id, e.external_id as "externalId", p.slug as project, e.title, e.analysis_failure as failure, count(*) over ()::int as total
    from executions e join projects p on p.id = e.project_id
    where e.project_id = any (${projectIds}::uuid[]) and e.analysis_failure is not null
    order by e.analysis_failure->>'at' desc, e.id desc limit ${limits.pageRowsMax}`
  return {
    items: rows.map(({ total: _, ...row }) => ({ ...row, url: links.execution(row.id) })),
    total: rows[0]?.total ?? 0,
  }
}

/** How many executions of all projects have an analysis that failed. */
export async function countAnalysisFailures(sql: Sql): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from executions where analysis_failure is not null`
  return row!.n
}
