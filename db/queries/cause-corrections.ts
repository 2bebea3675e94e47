import { limits } from '@/lib/limits'
import { links } from '@/lib/links'
import type { CauseCorrection, CorrectionState, RuleCorrections } from '@/lib/model/cause-correction'
import type { Page } from '@/lib/model/page'
import type { Db, Sql, Tx } from '../client'
import type { RowOf } from '../schema/rows'
import { columnsOf, computed, joinLists, runText, type Selected } from '../statement-text'
import { formatCursor, parseCursor } from './cursor'

const LIST = 'cause-corrections'
const FROM_THE_END = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Id of the call that the cause of the execution `e` is about; null: it is about none. */
export const CAUSE_CALL = `(select m.call_id from calls m where m.project_id = e.project_id and m.execution_id = e.id
  and m.ordinal + 1 = coalesce(e.cause_params #>> '{call,number}', e.cause_params #>> '{when,call,number}')::int)`

const CORRECTION = joinLists(
  columnsOf('cause_corrections k', [
    'project_id',
    'id',
    'execution_id',
    'cause_rule',
    'cause_text',
    'cause_pointer',
    'cause_call_id',
    'call_id',
    'reason',
    'actor_name',
    'at',
    'undone_by_name',
    'undone_at',
  ]),
  // What is there no more is null.
  computed<
    RowOf<'projects', 'slug'> &
      RowOf<'executions', 'title'> & {
        tool: RowOf<'calls', 'tool'>['tool'] | null
        target: RowOf<'calls', 'target'>['target']
        ordinal: RowOf<'calls', 'ordinal'>['ordinal'] | null
        rule_today: RowOf<'executions', 'cause_rule'>['cause_rule']
        call_today: RowOf<'calls', 'call_id'>['call_id'] | null
        needed_today: boolean | null
      }
  >(
    `j.slug, e.title, c.tool, c.target, c.ordinal, e.cause_rule as rule_today, ${CAUSE_CALL} as call_today, (e.attention -> 'needed')::boolean as needed_today`,
  ),
)
const TABLES = `cause_corrections k join projects j on j.id = k.project_id
  left join executions e on e.project_id = k.project_id and e.id = k.execution_id
  left join lateral (
    select a.tool, a.target, a.ordinal from calls a
    where a.project_id = k.project_id and a.execution_id = k.execution_id and a.call_id = k.call_id order by a.ordinal limit 1) c on true`

type CorrectionRow = Selected<typeof CORRECTION>

const toCorrection = (row: CorrectionRow): CauseCorrection => ({
  id: row.id,
  executionId: row.execution_id,
  executionTitle: row.title,
  project: row.slug,
  judged: {
    rule: row.cause_rule,
    text: row.cause_text,
    pointer: row.cause_pointer,
    callId: row.cause_call_id,
  },
  call:
    row.call_id === null
      ? null
      : {
          id: row.call_id,
          tool: row.tool,
          target: row.target,
          number: row.ordinal === null ? null : row.ordinal + 1,
        },
  reason: row.reason,
  by: row.actor_name,
  at: row.at,
  undone: row.undone_at === null ? null : { by: row.undone_by_name ?? '', at: row.undone_at },
  today: todayOf(row),
  url: links.execution(row.execution_id),
})

function todayOf(row: CorrectionRow): CauseCorrection['today'] {
  if (row.cause_rule === row.rule_today && row.cause_call_id === row.call_today) return 'same'
  const agrees =
    row.call_id === null
      ? row.needed_today === false
      : row.needed_today !== false && row.call_id === row.call_today
  return agrees ? 'agrees' : 'other'
}

const readRows = (
  db: { sql: Sql | Tx },
  where: string,
  params: readonly unknown[],
): Promise<CorrectionRow[]> =>
  runText<CorrectionRow>(db, { text: `select ${CORRECTION.text} from ${TABLES} where ${where}`, params })

/** One correction by its id, or the one of an execution that stands; null when there is none in the project. */
export async function readCorrection(
  db: { sql: Sql | Tx },
  projectId: string,
  of: { id: string } | { executionId: string },
): Promise<CauseCorrection | null> {
  const [row] =
    'id' in of
      ? await readRows(db, 'k.project_id = $1 and k.id = $2', [projectId, of.id])
      : await readRows(db, 'k.project_id = $1 and k.execution_id = $2 and k.undone_at is null', [
          projectId,
          of.executionId,
        ])
  return row ? toCorrection(row) : null
}

export interface CorrectionQuestion {
  projectIds: string[]
  rule?: string | null
  /** Null: both. */
  state?: CorrectionState | null
  cursor?: string | null
  limit?: number
}

/**
 * One page of corrections, the newest first.
 *
 * @throws BadCursorError for a cursor this list did not write
 */
export async function listCorrections(
  db: Pick<Db, 'sql'>,
  { projectIds, rule = null, state = null, cursor, limit = limits.pageRows }: CorrectionQuestion,
): Promise<Page<CauseCorrection>> {
  const [before] = parseCursor(LIST, ['uuid'], cursor) ?? [FROM_THE_END]
  if (projectIds.length === 0) return { items: [], nextCursor: null }
  const rows = await readRows(
    db,
    `k.project_id = any ($1::uuid[]) and k.id < $2::uuid and ($3::text is null or k.cause_rule = $3)
      and ($4::text is null or (k.undone_at is null) = ($4 = 'active')) order by k.id desc limit $5`,
    [projectIds, before, rule, state, limit + 1],
  )
  const items = rows.slice(0, limit).map(toCorrection)
  return { items, nextCursor: rows.length > limit ? formatCursor(LIST, items.at(-1)!.id) : null }
}

/** How often each rule gave a cause and was corrected, those with most corrections first. Counting stops behind `limits.countMax`. */
export const countCorrections = async (
  db: Pick<Db, 'sql'>,
  projectIds: string[],
): Promise<RuleCorrections[]> => [
  ...(await db.sql<
    {
      rule: RowOf<'cause_corrections', 'cause_rule'>['cause_rule']
      corrected: number
      nothing: number
      shown: number
    }[]
  >`
    with recursive rules as (
      -- Each rule once, by a step of the index for each and not by all executions.
      select p.id as project_id, (select min(e.cause_rule) from executions e where e.project_id = p.id and e.cause_rule is not null) as rule
      from unnest(${projectIds}::uuid[]) p(id)
      union all
      select r.project_id, (select min(e.cause_rule) from executions e where e.project_id = r.project_id and e.cause_rule is not null and e.cause_rule > r.rule)
      from rules r where r.rule is not null),
    shown as (
      select r.rule, sum(n.n) as n from rules r cross join lateral (
        select count(*) as n from (
          select from executions e where e.project_id = r.project_id and e.cause_rule = r.rule limit ${limits.countMax + 1}) counted) n
      where r.rule is not null group by r.rule),
    corrected as (
      select cause_rule as rule, count(*) as n, count(*) filter (where call_id is null) as nothing from cause_corrections
      where project_id = any (${projectIds}::uuid[]) and undone_at is null group by cause_rule)
    select coalesce(s.rule, c.rule) as rule, coalesce(c.n, 0)::int as corrected, coalesce(c.nothing, 0)::int as nothing,
      least(coalesce(s.n, 0), ${limits.countMax + 1})::int as shown
    from shown s full join corrected c on c.rule = s.rule
    order by corrected desc, shown desc, rule`),
]

/** Id of the active correction of an execution `e`, as a column. */
export const STANDING_CORRECTION = computed<{ correction_id: RowOf<'cause_corrections', 'id'>['id'] | null }>(
  '(select k.id from cause_corrections k where k.project_id = e.project_id and k.execution_id = e.id and k.undone_at is null) as correction_id',
)
