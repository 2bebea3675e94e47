import type { RunOutput } from '@/lib/model/run-output'
import { readRunOutput } from '@/lib/views/executions/run-output'
import type { Db } from '../client'
import type { RowOf } from '../schema/rows'

/** Streams of an execution that are looked at for its process and its result. */
const STREAMS_READ = 20

/** The end of what the recorded process of an execution wrote; null where none was recorded, or it wrote nothing. */
export async function readOutput(
  db: Db,
  { project_id, id }: RowOf<'executions', 'project_id' | 'id'>,
): Promise<RunOutput | null> {
  const lasts = await db.sql<Pick<RowOf<'events', 'facts'>['facts'], 'run' | 'runResult'>[]>`
    select v.facts->'run' as run, v.facts->'runResult' as "runResult"
    from (select stream_id from execution_streams where project_id = ${project_id} and execution_id = ${id} limit ${STREAMS_READ}) s
    cross join lateral (
      select facts from events
      where project_id = ${project_id} and execution_id = ${id} and stream_id = s.stream_id
      order by byte_offset desc limit 1
    ) v where v.facts ?| array['run', 'runResult']`
  const run = lasts.find((last) => last.run)?.run
  if (!run) return null
  const [decision] = await db.sql<RowOf<'decisions', 'contentState' | 'trace' | 'evidence' | 'whatIf'>[]>`
    select content_state as "contentState", trace, evidence, what_if as "whatIf" from decisions
    where project_id = ${project_id} and execution_id = ${id} and content_state in ('absent', 'contract_violation')`
  return readRunOutput(run, decision ?? null, lasts.find((last) => last.runResult)?.runResult ?? null)
}
