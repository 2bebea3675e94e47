import { SEVERITIES } from '@/lib/model/parity'
import type { ParityExecution } from '@/lib/api/parity-schemas'
import { limits } from '@/lib/limits'
import { layerWhy } from '@/lib/words/parity'
import type { Db } from '../client'
import type { RowOf } from '../schema/rows'
import { runText } from '../statement-text'
import { formatCursor, parseCursor } from './cursor'
import { ITEM_COLUMNS, toItem, type ItemRow } from './execution-rows'
import type { ParityOptions } from './parity'
import { mapSources } from './sources'
import type { Page } from '@/lib/model/page'

const LIST = 'parity'
const FROM_THE_END = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'] as const
const RANK = `array_position('{${SEVERITIES.join(',')}}'::text[], severity)`

/** Executions with a difference in one cell: the index holds them in the order of the list, those of one execution beside each other. */
const IN_CELL = `
  select execution_id, project_id, checked_at, 'different' as verdict, min(${RANK}) as rank, sum(differences)::int as differences, array_agg(distinct kind order by kind) as kinds
  from parity_places where project_id = p.id and path = $7 and from_layer = $8 and to_layer = $9 and checked_at >= $2::timestamptz
    and (checked_at, execution_id) < ($3::timestamptz, $4::uuid) and (cardinality($5::text[]) = 0 or kind = any ($5)) and (cardinality($6::text[]) = 0 or severity = any ($6))
  group by project_id, checked_at, execution_id order by checked_at desc, execution_id desc limit $10`

/** Executions with one verdict. Facets ask for a place that fits, which only those have that differ: looked up for each, by key. */
const withVerdict = (isFaceted: boolean): string => `
  select s.execution_id, s.project_id, s.checked_at, s.verdict, array_position('{${SEVERITIES.join(',')}}'::text[], s.worst) as rank, null::int as differences, null::text[] as kinds
  from parity_standing s where s.project_id = p.id and s.verdict = $7 and s.checked_at is not null and s.checked_at >= $2::timestamptz
    and (s.checked_at, s.execution_id) < ($3::timestamptz, $4::uuid) and ${isFaceted ? FITS : 'cardinality($5::text[]) + cardinality($6::text[]) = 0'}
  order by s.checked_at desc, s.execution_id desc limit $8`

const FITS = `(select true from parity_places x where x.project_id = s.project_id and x.execution_id = s.execution_id
  and (cardinality($5::text[]) = 0 or x.kind = any ($5)) and (cardinality($6::text[]) = 0 or x.severity = any ($6)) limit 1)`

/** Why the result is unknown: the reason of the first of its layers. Only of those that this is asked of, each by its key. */
const WHY = `case when s.verdict in ('in_doubt', 'unknown') then (
    select l from parity_standing n join parity_checks c on c.project_id = n.project_id and c.execution_id = n.execution_id and c.id = n.check_id,
      jsonb_array_elements(c.layers) l where n.project_id = s.project_id and n.execution_id = s.execution_id and l->>'why' is not null limit 1) end`

const paged = (inner: string, limit: string): string => `
  with s as materialized (
    select s.* from unnest($1::uuid[]) p(id) cross join lateral (${inner}) s order by s.checked_at desc, s.execution_id desc limit ${limit})
  select ${ITEM_COLUMNS}, s.checked_at, s.verdict, s.rank, s.differences, s.kinds, ${WHY} as why from s
  join executions e on e.project_id = s.project_id and e.id = s.execution_id order by s.checked_at desc, s.execution_id desc`

type Row = ItemRow & {
  checked_at: NonNullable<RowOf<'parity_standing', 'checked_at'>['checked_at']>
  verdict: NonNullable<RowOf<'parity_standing', 'verdict'>['verdict']>
  rank: number | null
  differences: number | null
  kinds: string[] | null
  why: Parameters<typeof layerWhy>[0] | null
}

/**
 * One page of executions by their newest check, the one checked last first: those with a difference in a cell of the heat map, else those with a verdict.
 *
 * @throws BadCursorError for a cursor this list did not write
 */
export async function listParityExecutions(
  db: Db,
  {
    projectIds,
    question: { kinds, severities, show, cell },
    since,
    cursor,
    limit = limits.pageRows,
  }: ParityOptions & { cursor?: string | null; limit?: number },
): Promise<Page<ParityExecution>> {
  const [at, id] = parseCursor(LIST, ['time', 'uuid'], cursor) ?? FROM_THE_END
  // One row more answers "is there more?" without a count.
  const shared = [projectIds, since ?? '-infinity', at, id, kinds, severities]
  const statement = cell
    ? { text: paged(IN_CELL, '$10'), params: [...shared, cell.path, cell.from, cell.to, limit + 1] }
    : {
        text: paged(withVerdict(kinds.length + severities.length > 0), '$8'),
        params: [...shared, show, limit + 1],
      }
  const [sources, rows] = await Promise.all([mapSources(db, projectIds), runText<Row>(db, statement)])
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map((row) => ({
      checkedAt: row.checked_at,
      verdict: row.verdict,
      worst: row.rank === null ? null : SEVERITIES[row.rank - 1]!,
      differences: row.differences,
      kinds: row.kinds,
      why: row.why && layerWhy(row.why),
      execution: toItem(row, sources),
    })),
    nextCursor: rows.length > limit && last ? formatCursor(LIST, last.checked_at, last.id) : null,
  }
}
