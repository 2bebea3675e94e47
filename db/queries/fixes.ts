import type { FixFacet, FixQuestion } from '@/lib/model/fix-question'
import { isNotEnabled } from '@/lib/judge/fixes/proposal'
import { limits } from '@/lib/limits'
import { links } from '@/lib/links'
import { rewordedReading } from '@/lib/words/patches'
import type { Db } from '../client'
import type { RowOf } from '../schema/rows'
import { columnsOf, computed, joinLists, runText, type Selected } from '../statement-text'
import { formatCursor, isUuid, parseCursor } from './cursor'
import type { Page } from '@/lib/model/page'
import type { FixItem } from '@/lib/model/fix'
import { causeTextOf, type CauseTextRow } from './stored-cause'

const LIST = 'fixes'
const FROM_THE_END = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'] as const

/** A fix whose time is over reads as expired from that moment on; the row follows within minutes. */
export const FIX_STATE = `case when s.expires_at <= now() and s.state in ('proposed', 'changes_requested', 'approved') then 'expired' else s.state end`

const FIX = joinLists(
  columnsOf('fixes f', [
    'project_id',
    'id',
    'execution_id',
    'task',
    'ordinal',
    'origin',
    'patch_sha256',
    'proposed_by',
    'proposed_by_name',
    'run_source',
    'run_id',
    'proposal',
    'transcript_sha256',
    'supersedes_id',
    'received_at',
  ]),
  columnsOf('fix_standing s', [
    'version',
    'changed_at',
    'expires_at',
    'superseded_by',
    'evidence',
    'comments',
    'summary',
    'facts',
    'rules',
  ]),
  computed<
    RowOf<'patches', 'size'> &
      RowOf<'projects', 'slug'> &
      RowOf<'executions', 'title'> &
      CauseTextRow & {
        state: string
        /** Null: the execution is not there any more. */
        outcome: RowOf<'executions', 'outcome'>['outcome'] | null
      }
  >(
    `${FIX_STATE} as state, p.size, j.slug, e.title, e.outcome, e.cause_text, e.cause_rule, e.cause_params, e.cause_earlier`,
  ),
)

const FIX_TABLES = `fix_standing s join fixes f on f.project_id = s.project_id and f.id = s.fix_id join patches p on p.project_id = f.project_id and p.sha256 = f.patch_sha256
  join projects j on j.id = f.project_id left join executions e on e.project_id = f.project_id and e.id = f.execution_id`

export type FixRow = Selected<typeof FIX>

export const toFixItem = (row: FixRow): FixItem => ({
  id: row.id,
  project: row.slug,
  executionId: row.execution_id,
  executionTitle: row.title,
  executionOutcome: row.outcome,
  cause: causeTextOf(row),
  task: row.task,
  ordinal: row.ordinal,
  title: row.proposal.title,
  origin: row.origin,
  state: row.state,
  version: row.version,
  sha256: row.patch_sha256,
  size: row.size,
  proposedBy: row.proposed_by_name,
  notEnabled: isNotEnabled(row.proposal),
  agent: row.proposal.agent.name ?? row.proposal.agent.profile,
  model: row.proposal.agent.model,
  verdict: row.evidence,
  reading: rewordedReading(row.summary),
  comments: row.comments,
  supersedes: row.supersedes_id,
  supersededBy: row.superseded_by,
  proposedAt: row.proposal.proposedAt,
  receivedAt: row.received_at,
  changedAt: row.changed_at,
  expiresAt: row.expires_at,
  url: links.fix(row.id),
})

/** Rows of fixes by a condition on `s`, in the order it names. */
export const readFixRows = (
  db: Pick<Db, 'sql'>,
  where: string,
  params: readonly unknown[],
): Promise<FixRow[]> =>
  runText<FixRow>(db, { text: `select ${FIX.text} from ${FIX_TABLES} ${where}`, params })

const NARROWED = `(cardinality($2::text[]) = 0 or ${FIX_STATE} = any ($2)) and (cardinality($3::text[]) = 0 or s.origin = any ($3)) and (cardinality($4::text[]) = 0 or s.safety = any ($4))
  and (cardinality($5::text[]) = 0 or s.evidence = any ($5)) and (cardinality($6::text[]) = 0 or s.signals && $6)`

const narrowedBy = (
  projectIds: readonly string[],
  { states, origins, safety, evidence, signals }: FixQuestion,
): unknown[] => [projectIds, states, origins, safety, evidence, signals]

export interface FixListOptions {
  projectIds: string[]
  question: FixQuestion
  cursor?: string | null
  limit?: number
}

/**
 * One page of fixes, the newest first.
 *
 * @throws BadCursorError for a cursor this list did not write
 */
export async function listFixes(
  db: Pick<Db, 'sql'>,
  { projectIds, question, cursor, limit = limits.pageRows }: FixListOptions,
): Promise<Page<FixItem>> {
  const [at, id] = parseCursor(LIST, ['time', 'uuid'], cursor) ?? FROM_THE_END
  // One row more answers "is there more?" without a count.
  const rows = await readFixRows(
    db,
    `where s.project_id = any ($1::uuid[]) and ${NARROWED} and (s.received_at, s.fix_id) < ($7::timestamptz, $8::uuid) order by s.received_at desc, s.fix_id desc limit $9`,
    [...narrowedBy(projectIds, question), at, id, limit + 1],
  )
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map(toFixItem),
    nextCursor: rows.length > limit && last ? formatCursor(LIST, last.received_at, last.id) : null,
  }
}

/** All fixes that were proposed for an execution, by task and number. */
export async function listExecutionFixes(
  db: Pick<Db, 'sql'>,
  projectIds: string[],
  executionId: string,
): Promise<FixItem[]> {
  if (!isUuid(executionId) || projectIds.length === 0) return []
  const rows = await readFixRows(
    db,
    'where s.project_id = any ($1::uuid[]) and s.execution_id = $2 order by f.task, f.ordinal',
    [projectIds, executionId],
  )
  return rows.map(toFixItem)
}

const FACET_VALUES: Record<FixFacet, { key: keyof FixQuestion; value: string }> = {
  state: { key: 'states', value: FIX_STATE },
  origin: { key: 'origins', value: 's.origin' },
  safety: { key: 'safety', value: 's.safety' },
  evidence: { key: 'evidence', value: 's.evidence' },
  signal: { key: 'signals', value: 'unnest(s.signals)' },
}

/** How many fixes have each value of each facet; a facet counts as if nothing were chosen in it. Counting stops at `limits.countMax` fixes, the newest ones. */
export async function readFixFacets(
  db: Pick<Db, 'sql'>,
  projectIds: string[],
  question: FixQuestion,
): Promise<Record<FixFacet, { value: string; count: number }[]>> {
  const counted = await Promise.all(
    Object.entries(FACET_VALUES).map(async ([facet, { key, value }]) => {
      const rows = await runText<{ value: string; count: number }>(db, {
        text: `select value, count(*)::int as count from (
           select ${value} as value from fix_standing s where s.project_id = any ($1::uuid[]) and ${NARROWED} order by s.received_at desc limit ${limits.countMax}) v
         group by value order by count desc, value`,
        params: narrowedBy(projectIds, { ...question, [key]: [] }),
      })
      return [facet, rows] as const
    }),
  )
  return Object.fromEntries(counted) as unknown as Record<FixFacet, { value: string; count: number }[]>
}
