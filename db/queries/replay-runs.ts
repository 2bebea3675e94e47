import type { DecisionFacts } from '@/lib/judge/decisions/decide'
import type { ReplayRun } from '@/lib/judge/decisions/replay'
import { patternOfInput } from '@/lib/judge/decisions/unknowns'
import type { ExecutionFilter } from '@/lib/model/filter-types'
import type { Db } from '../client'
import type { RowOf } from '../schema/rows'
import { runText } from '../statement-text'
import { CHAIN_ORDER, IS_OF_ATTEMPTS } from './chains'
import { readNewest } from './executions'

/** Attempts before and after one of the filter that are read with it: more than any budget counts, and long chains stay small. */
const NEIGHBOURS = 25

type Key = RowOf<'executions', 'project_id' | 'id'>
type Found = Key & RowOf<'executions', 'outcome'>
type Member = Found & RowOf<'execution_chains', 'chain_id'> & { place: number; asked: boolean }

/**
 * The newest matches of a filter, newest first, then whatever else stands near one of them in its chain; each with what its verdict is
 * made of. `more`: the filter has further matches.
 */
export async function readRuns(
  db: Db,
  { projectIds, filter, limit }: { projectIds: string[]; filter: ExecutionFilter; limit: number },
): Promise<{ runs: ReplayRun[]; more: boolean }> {
  const found = await readNewest<Found>(db, {
    projectIds,
    filter,
    limit: limit + 1,
    columns: 'e.project_id, e.id, e.sort_at, e.outcome',
  })
  const asked = found.slice(0, limit)
  const [members, known] = await Promise.all([readMembers(db, asked), readEvidence(db, asked)])
  // An execution may be an attempt of several pieces of work: it is replayed as one of the first.
  const placed = new Map<string, Member>()
  for (const member of members) if (!placed.has(member.id)) placed.set(member.id, member)
  const others = [...placed.values()].filter((member) => !member.asked)
  const evidence = new Map([...known, ...(await readEvidence(db, others))])
  const toRun = ({ id, outcome }: Found, isAsked: boolean): ReplayRun => {
    const member = placed.get(id)
    // Projects may have given the same name to chains of their own.
    const chain = member ? { id: `${member.project_id} ${member.chain_id}`, place: member.place } : null
    return { id, facts: null, ...evidence.get(id), outcome, chain, asked: isAsked }
  }
  return {
    runs: [...asked.map((run) => toRun(run, true)), ...others.map((run) => toRun(run, false))],
    more: found.length > limit,
  }
}

const keys = (rows: readonly Key[]): string[][] => [
  rows.map((row) => row.project_id),
  rows.map((row) => row.id),
]

/** Rows of `m (project_id, id)`; by key, one after another: a join would be free to read whole tables instead. */
const KEYS = 'select * from unnest($1::uuid[], $2::uuid[]) m(project_id, id)'

type Evidence = Pick<ReplayRun, 'facts' | 'unsearchable'>

/** What verdicts are made of, and why of some runs there is nothing; runs that were not recorded are left out. */
async function readEvidence(db: Db, rows: readonly Key[]): Promise<Map<string, Evidence>> {
  if (rows.length === 0) return new Map()
  const found = await runText<
    RowOf<'executions', 'id'> & {
      facts: DecisionFacts | null
      missing: RowOf<'decisions', 'missing'>['missing'] | null
    }
  >(db, {
    text: `select m.id, d.* from (${KEYS}) m cross join lateral (
       select what_if -> 'actual' as facts, case when what_if is null then missing end as missing
       from decisions where project_id = m.project_id and execution_id = m.id and (what_if is not null or missing <> '{}') offset 0) d`,
    params: keys(rows),
  })
  return new Map(
    found.map(({ id, facts, missing }) => [
      id,
      { facts, unsearchable: missing?.every((name) => patternOfInput(name) !== null) ?? false },
    ]),
  )
}

/** The attempts of their chains around these executions, themselves included, by chain. */
async function readMembers(db: Db, rows: readonly Found[]): Promise<Member[]> {
  if (rows.length === 0) return []
  return runText<Member>(db, {
    text: `with m as materialized (${KEYS}),
      chosen as materialized (
        select distinct c.project_id, c.chain_id from m cross join lateral (
          select project_id, chain_id from execution_chains c where c.project_id = m.project_id and c.execution_id = m.id and ${IS_OF_ATTEMPTS} order by ${CHAIN_ORDER} limit 1) c),
      placed as (
        select c.*, row_number() over (partition by c.project_id, c.chain_id order by c.attempt nulls last, c.sort_at, c.id)::int as place,
          (c.project_id, c.id) in (select project_id, id from m) as asked
        from chosen k cross join lateral (
          select project_id, chain_id, execution_id as id, attempt, sort_at from execution_chains where project_id = k.project_id and chain_id = k.chain_id offset 0) c),
      near as (
        select *, bool_or(asked) over (partition by project_id, chain_id order by place rows between ${NEIGHBOURS} preceding and ${NEIGHBOURS} following) as is_near from placed)
    select n.project_id, n.id, n.chain_id, n.place, n.asked, coalesce(e.outcome, '') as outcome
    from near n left join lateral (select outcome from executions where not n.asked and project_id = n.project_id and id = n.id offset 0) e on true
    where n.is_near order by n.chain_id, n.place`,
    params: keys(rows),
  })
}
