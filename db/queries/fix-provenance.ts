import { reworded } from '@/lib/words/flags'
import type { PipelineDetail } from '@/lib/model/pipeline'
import { provenanceLinks, type ProvenanceFacts } from '@/lib/views/fixes/provenance'
import type { ProvenanceLink } from '@/lib/model/provenance-facts'
import type { Pointer } from '@/lib/model/execution'
import type { Db } from '../client'
import { listExecutionChains, readPlaceInChain } from './chains'
import { documents } from './fix'
import { receivedPieces } from './received'
import type { RowOf } from '../schema/rows'
import type { FixDetail, FixFile, StoredFlag } from '@/lib/model/fix'
import { causeTextOf, type CauseTextRow } from './stored-cause'

const LF = 10
/** Rows that are read at once. */
const ROWS = 1_000

/** Every link of the provenance of a fix, with all its findings. */
export async function readProvenance(db: Db, projectId: string, fix: FixDetail): Promise<ProvenanceLink[]> {
  const { sql } = db
  const [[row], [stored], place, chains, transcriptLines, flags] = await Promise.all([
    sql<
      (RowOf<'executions', 'externalId' | 'title' | 'outcome' | 'startedAt' | 'endedAt' | 'pipeline'> & {
        source: RowOf<'sources', 'name'>['name']
        sourceKind: RowOf<'sources', 'kind'>['kind']
        pointer: RowOf<'executions', 'cause_pointer'>['cause_pointer']
      } & CauseTextRow &
        Pick<ExecutionRow, 'ciJob'>)[]
    >`
      select s.name as source, s.kind as "sourceKind", e.external_id as "externalId", e.title, e.outcome, e.started_at as "startedAt", e.ended_at as "endedAt", e.cause_text, e.cause_rule, e.cause_params, e.cause_earlier, e.cause_pointer as pointer, e.pipeline,
        (select c.job from ci_runs c where c.project_id = e.project_id and c.execution_id = e.id order by c.attempt desc nulls last limit 1) as "ciJob"
      from executions e join sources s on s.project_id = e.project_id and s.id = e.source_id where e.project_id = ${projectId} and e.id = ${fix.executionId}`,
    sql<(RowOf<'fixes', 'proposedBy'> & RowOf<'fix_fits', 'applied'>)[]>`
      select f.proposed_by as "proposedBy", c.applied from fixes f left join fix_fits c on c.project_id = f.project_id and c.fix_id = f.id where f.project_id = ${projectId} and f.id = ${fix.id}`,
    readPlaceInChain(db, projectId, fix.executionId),
    listExecutionChains(db, [projectId], fix.executionId),
    fix.transcript === null ? null : countLines(db, projectId, fix.transcript.sha256),
    allDocuments<StoredFlag>(db, 'fix_flags', projectId, fix.id),
  ])
  const task = row?.pipeline?.tasks.find(({ id }) => id === fix.task)
  const [chain] = chains
  const later = chain?.attempts.slice(chain.attempts.findIndex(({ id }) => id === fix.executionId) + 1) ?? []
  return provenanceLinks({
    fix,
    flags: reworded(flags),
    transcriptLines,
    applied: stored!.applied,
    proposedBy: stored!.proposedBy,
    execution: row ? { ...row, job: row.pipeline?.job ?? row.ciJob, mode: row.pipeline?.mode ?? null } : null,
    failure: {
      attempts: task?.attempts ?? null,
      place: place && { place: place.place, attempts: place.attempts },
      error: task?.error ?? (row ? causeTextOf(row) : null),
      exitCode: task?.exitCode ?? null,
      received: task?.error ? task.pointer.received : (row?.pointer?.received ?? null),
      packReceived: task?.context?.pointer.received ?? null,
    },
    followUps: later.map(({ id, externalId, outcome, startedAt }) => ({
      id,
      externalId,
      outcome,
      startedAt,
      rule: chain!.rule,
      basis: chain!.basis,
    })),
  })
}

type ExecutionRow = Omit<NonNullable<ProvenanceFacts['execution']>, 'job' | 'mode'> & {
  cause: string | null
  pointer: Pointer | null
  pipeline: PipelineDetail | null
  ciJob: string | null
}

/** All files of a fix, so many at once, in the order of the patch. */
export async function* eachFixFile(
  db: Pick<Db, 'sql'>,
  projectId: string,
  fixId: string,
): AsyncGenerator<FixFile[]> {
  yield* eachPage<FixFile>(db, 'fix_files', projectId, fixId)
}

async function allDocuments<Document>(
  db: Pick<Db, 'sql'>,
  table: 'fix_files' | 'fix_flags',
  projectId: string,
  fixId: string,
): Promise<Document[]> {
  const all: Document[] = []
  for await (const page of eachPage<Document>(db, table, projectId, fixId)) all.push(...page)
  return all
}

async function* eachPage<Document>(
  db: Pick<Db, 'sql'>,
  table: 'fix_files' | 'fix_flags',
  projectId: string,
  fixId: string,
): AsyncGenerator<Document[]> {
  // Ordinals count without a gap.
  for (let after = -1; ; after += ROWS) {
    const page = await documents<Document>(db, table, projectId, fixId, after, ROWS)
    if (page.length > 0) yield page
    if (page.length < ROWS) return
  }
}

/** Lines of kept bytes; what follows the last line feed is one, too. Null: they are not kept any more. */
async function countLines(db: Pick<Db, 'sql'>, projectId: string, sha256: string): Promise<number | null> {
  const part = await receivedPieces(db, [projectId], sha256)
  if (part === null) return null
  let lines = 0
  let last = LF
  for await (const piece of part.pieces) {
    for (let found = piece.indexOf(LF); found !== -1; found = piece.indexOf(LF, found + 1)) lines++
    last = piece.at(-1)!
  }
  return last === LF ? lines : lines + 1
}
