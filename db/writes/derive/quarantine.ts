import { describeFailure, unanalysedSummary, type AnalysisFailure } from '@/lib/analysis/analysis-failure'
import { storableDeep } from '@/lib/formats/storable'
import { version } from '@/package.json'
import type { Sql, Tx } from '../../client'
import { enqueueAnalysis } from '../../queue/enqueue'
import { notifyChanged } from '../../notify'
import { writeSummary, type Analysed, type ExecutionTarget } from './write-summary'
import { writeTogether } from './write-together'
import type { RowOf } from '../../schema/rows'

/**
 * Notes that the analysis of an execution broke. It keeps what was known of it; one that was never analysed is listed as `unknown`. It is not tried again
 * before something changes: new input, `reingest`, or another version of Inquest (`retryQuarantined`).
 *
 * @param tx holds the lock of the execution
 */
export async function quarantine(
  tx: Tx,
  projectId: string,
  target: ExecutionTarget,
  error: unknown,
): Promise<Analysed> {
  const failure: AnalysisFailure = storableDeep({
    ...describeFailure(error),
    at: new Date().toISOString(),
    version,
    attempts: 1,
  })
  const [known] = await tx<RowOf<'executions', 'outcome'>[]>`
    update executions set dirty = false, digest = '', version = version + 1, updated_at = now(),
      analysis_failure = ${JSON.stringify(failure)}::text::jsonb || jsonb_build_object('attempts', coalesce((analysis_failure->>'attempts')::int, 0) + 1)
    where project_id = ${projectId} and id = ${target.id} returning outcome`
  if (known) {
    await notifyChanged(tx, projectId, [target.id])
    return { id: target.id, externalId: target.externalId, outcome: known.outcome, changed: true, failure }
  }
  const [events] = await tx<{ startedAt: string | null; records: number; odd: number }[]>`
    select min(at) as "startedAt", count(*)::int as records, count(odd_reason)::int as odd from events
    where project_id = ${projectId} and execution_id = ${target.id}`
  const [redactions] = await tx<{ n: number }[]>`
    select coalesce(sum(redactions), 0)::int as n from execution_streams where project_id = ${projectId} and execution_id = ${target.id}`
  const [written] = await writeTogether(tx, projectId, [target], [], (work) =>
    writeSummary(work, target, unanalysedSummary(events!), {
      odd: events!.odd,
      redactions: redactions!.n,
      decision: null,
      isNew: false,
      failure,
    }),
  )
  return { ...written!, failure }
}

/** Makes the analysis due again of all executions that another version of Inquest quarantined. @returns how many */
export const retryQuarantined = (sql: Sql): Promise<number> =>
  sql.begin(async (tx) => {
    const due = await tx`
      update executions set dirty = true where analysis_failure is not null and analysis_failure->>'version' <> ${version} and not dirty returning id`
    if (due.length > 0) await enqueueAnalysis(tx, 'quarantined')
    return due.length
  })
