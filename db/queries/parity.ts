import { type CheckVerdict, SEVERITIES } from '@/lib/model/parity'
import type { ParityOverview } from '@/lib/api/parity-schemas'
import { limits } from '@/lib/limits'
import { sortLayers } from '@/lib/judge/parity/layer-order'
import type { ParityQuestion } from '@/lib/judge/parity/parity-question'
import type { Db } from '../client'
import { runText } from '../statement-text'
import type { RowOf } from '../schema/rows'

export interface ParityOptions {
  projectIds: string[]
  question: ParityQuestion
  /** From when on checks count for the heat map. */
  since: string | null
}

const NO_TIME = '-infinity'

/** Each project's newest rows, then the newest of all: an index for each of them, and nothing beyond the limit is read. */
const newest = (columns: string, where: string, limit: number): string => `
  select ${columns} from unnest($1::uuid[]) p(id) cross join lateral (
    select s.project_id, s.execution_id, s.verdict, s.checked_at from parity_standing s
    where s.project_id = p.id and s.checked_at is not null ${where} order by s.checked_at desc, s.execution_id desc limit ${limit}) s
  order by s.checked_at desc, s.execution_id desc limit ${limit}`

const RATE = `
  with last as (${newest('s.verdict, s.checked_at', '', limits.countMax)})
  select verdict, count(*)::int as n, min(checked_at) as oldest from last group by verdict`

const UNCHECKED = `
  select count(*)::int as n from (select 1 from parity_standing where project_id = any ($1::uuid[]) and checked_at is null limit ${limits.countMax + 1}) s`

const RANK = `array_position('{${SEVERITIES.join(',')}}'::text[], severity)`

/** Places of the newest executions that differ, counted by cell, by row, and by facet with the facet's own choice left out. */
const HEAT = `
  with d as materialized (${newest('s.project_id, s.execution_id', `and s.verdict = 'different' and s.checked_at >= $2::timestamptz`, limits.countMax + 1)}),
  p as materialized (
    select x.execution_id, x.path, x.from_layer, x.to_layer, x.kind, x.severity, ${RANK} as rank, x.differences
    from (select * from d limit ${limits.countMax}) d cross join lateral (
      -- By key for each: read through, the table costs more the more there are that are not asked for.
      select * from parity_places x where x.project_id = d.project_id and x.execution_id = d.execution_id offset 0) x),
  f as not materialized (select * from p where (cardinality($3::text[]) = 0 or kind = any ($3)) and (cardinality($4::text[]) = 0 or severity = any ($4))),
  top as materialized (select path, count(distinct execution_id)::int as n, min(rank) as rank from f group by path order by rank, n desc, path limit ${limits.parityHeatRows})
  select 'all' as what, null::text as path, null::text as a, null::text as b, (select count(*)::int from d) as n, (select count(distinct path)::int from f) as m, null::int as rank
  union all select 'found', null, null, null, count(distinct execution_id)::int, 0, null from f
  union all select 'row', path, null, null, n, 0, rank from top
  union all select 'cell', path, from_layer, to_layer, count(distinct execution_id)::int, sum(differences)::int, min(f.rank) from f join top using (path) group by path, from_layer, to_layer
  union all select 'kind', kind, null, null, count(distinct execution_id)::int, 0, null from p where cardinality($4::text[]) = 0 or severity = any ($4) group by kind
  union all select 'severity', severity, null, null, count(distinct execution_id)::int, 0, null from p where cardinality($3::text[]) = 0 or kind = any ($3) group by severity`

interface HeatRow {
  what: 'all' | 'found' | 'row' | 'cell' | 'kind' | 'severity'
  path: string
  a: string
  b: string
  n: number
  m: number
  rank: number
}

/** How the newest checks came out, and where those within a time found differences. Checks whose controls failed are counted apart and drawn nowhere. */
export async function readParityOverview(
  db: Db,
  { projectIds, question, since }: ParityOptions,
): Promise<Omit<ParityOverview, 'failedControls'>> {
  const [counts, [unchecked], heat] = await Promise.all([
    runText<{
      verdict: NonNullable<RowOf<'parity_standing', 'verdict'>['verdict']>
      n: number
      oldest: string
    }>(db, { text: RATE, params: [projectIds] }),
    runText<{ n: number }>(db, { text: UNCHECKED, params: [projectIds] }),
    runText<HeatRow>(db, {
      text: HEAT,
      params: [projectIds, since ?? NO_TIME, question.kinds, question.severities],
    }),
  ])
  const of = (verdict: CheckVerdict): number => counts.find((row) => row.verdict === verdict)?.n ?? 0
  return {
    window: question.window,
    rate: {
      checked: counts.reduce((sum, { n }) => sum + n, 0),
      equal: of('equal'),
      different: of('different'),
      inDoubt: of('in_doubt'),
      unknown: of('unknown'),
      notTrustworthy: of('not_trustworthy'),
      oldest: counts.map(({ oldest }) => oldest).sort()[0] ?? null,
      notChecked: Math.min(unchecked!.n, limits.countMax),
      notCheckedCapped: unchecked!.n > limits.countMax,
    },
    heat: toHeat(heat),
  }
}

function toHeat(rows: readonly HeatRow[]): ParityOverview['heat'] {
  const of = (what: HeatRow['what']): HeatRow[] => rows.filter((row) => row.what === what)
  const severity = (row: HeatRow) => SEVERITIES[row.rank - 1]!
  const [all, found] = [of('all')[0]!, of('found')[0]!]
  const cells = of('cell')
  const drawn = of('row')
  return {
    executions: found.n,
    executionsCapped: all.n > limits.countMax,
    transitions: sortLayers(cells.map(({ a, b }) => ({ from: a, to: b }))),
    rows: drawn.map((row) => ({
      path: row.path,
      executions: row.n,
      worst: severity(row),
      cells: cells
        .filter(({ path }) => path === row.path)
        .map((cell) => ({
          from: cell.a,
          to: cell.b,
          executions: cell.n,
          differences: cell.m,
          worst: severity(cell),
        })),
    })),
    moreRows: all.m - drawn.length,
    kinds: facet(of('kind')),
    severities: facet(of('severity')),
  }
}

const facet = (rows: readonly HeatRow[]): { value: string; count: number }[] =>
  rows
    .map(({ path, n }) => ({ value: path, count: n }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
