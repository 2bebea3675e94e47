import type { PolicyReplay, ReplayedChain, UnrequestedAttempts } from '@/lib/api/replay-schemas'
import {
  comparePolicies,
  flips,
  isIn,
  type Comparison,
  type Pair,
  type Unasked,
} from '@/lib/judge/decisions/compare-policies'
import type { Policy } from '@/lib/judge/decisions/policies'
import type { Cell } from '@/lib/judge/decisions/replay-cell'
import { sumAttempts, type Spent } from '@/lib/judge/decisions/sum-attempts'
import type { ExecutionFilter } from '@/lib/model/filter-types'
import { limits } from '@/lib/limits'
import type { Db } from '../client'
import type { RowOf } from '../schema/rows'
import { runText } from '../statement-text'
import { ATTEMPT_COLUMNS, toChainAttempt, type AttemptRow } from './chains'
import { readRuns } from './replay-runs'
import type { ChainAttempt } from '@/lib/views/attempts/chain'

export interface ReplayOptions {
  projectIds: string[]
  filter: ExecutionFilter
  from: Policy
  to: Policy
  /** List what is in this cell instead of what flips. */
  cell?: Cell | null
  /** Executions that are replayed, the newest first; `limits.countMax` by default. */
  limit?: number
}

/** What is named of executions, of chains and of the attempts of one; the rest is counted. */
const LISTED_MAX = 100
const CHAINS_MAX = 20
const ATTEMPTS_MAX = 20

/** Replays the newest executions of a filter, with the attempts around them in their chains, under two policies. */
export async function replayPolicies(
  db: Db,
  { projectIds, filter, from, to, cell = null, limit = limits.countMax }: ReplayOptions,
): Promise<PolicyReplay> {
  const { runs, more } = await readRuns(db, { projectIds, filter, limit })
  const compared = comparePolicies(runs, from, to)
  const listed = compared.pairs.filter((pair) => (cell === null ? flips(pair) : isIn(cell, pair)))
  return {
    from: from.name,
    to: to.name,
    total: compared.pairs.length,
    totalCapped: more,
    replayable: compared.replayable,
    unsearchable: compared.unsearchable,
    stored: compared.stored,
    matrix: compared.matrix,
    otherReason: compared.otherReason,
    flips: compared.pairs.filter(flips).length,
    cell,
    ...(await describe(db, projectIds, listed, compared)),
  }
}

async function describe(
  db: Db,
  projectIds: string[],
  listed: Pair[],
  compared: Comparison,
): Promise<Pick<PolicyReplay, 'listed' | 'needless' | 'helped'>> {
  const unrequested = compared.chains.flatMap(({ attempts }) =>
    attempts.filter((one) => one.unrequested !== null),
  )
  const spent = await readSpent(
    db,
    projectIds,
    unrequested.map(({ id }) => id),
  )
  const kindOf = (kind: Unasked) => {
    const { sum, chains } = sumAttempts(compared, kind, spent)
    return { sum, chains: chains.length, worst: chains.slice(0, CHAINS_MAX) }
  }
  const [needless, helped] = [kindOf('needless'), kindOf('helped')]
  const worst = [...needless.worst, ...helped.worst].map(({ chain }) => chain)
  const shown = listed.slice(0, LISTED_MAX)
  const [items, names] = await Promise.all([
    readItems(
      db,
      projectIds,
      [...shown, ...worst.flatMap(({ attempts }) => attempts)].map(({ id }) => id),
    ),
    readNames(
      db,
      worst.map(({ id }) => id),
    ),
  ])
  const withExecution = <Entry extends { id: string }>(
    entries: readonly Entry[],
  ): (Entry & { execution: ChainAttempt })[] =>
    entries.flatMap((entry) => {
      const execution = items.get(entry.id)
      return execution ? [{ ...entry, execution }] : []
    })
  const countsOf = ({ sum, chains, worst }: ReturnType<typeof kindOf>): UnrequestedAttempts => ({
    ...sum,
    chains,
    items: worst.flatMap(({ chain, ...sumOfChain }): ReplayedChain[] => {
      const name = names.get(chain.id)
      const first = Math.max(0, chain.attempts.findIndex(({ unrequested }) => unrequested !== null) - 1)
      return name
        ? [
            {
              ...name,
              ...sumOfChain,
              items: withExecution(chain.attempts.slice(first, first + ATTEMPTS_MAX)),
            },
          ]
        : []
    }),
  })
  return {
    listed: { total: listed.length, items: withExecution(shown) },
    needless: countsOf(needless),
    helped: countsOf(helped),
  }
}

async function readSpent(db: Db, projectIds: string[], ids: string[]): Promise<Map<string, Spent>> {
  if (ids.length === 0) return new Map()
  const rows = await runText<RowOf<'executions', 'id'> & Spent>(db, {
    text: `select m.id, s.* from unnest($2::uuid[]) m(id) cross join lateral (
       select greatest(0, extract(epoch from ended_at - started_at)::float8 * 1000) as "durationMs", coalesce((usage ->> 'inputTokens')::float8, 0) as "inputTokens",
         coalesce((usage ->> 'outputTokens')::float8, 0) as "outputTokens", (usage ->> 'costUsd')::float8 as "costUsd"
       from executions where project_id = any ($1::uuid[]) and id = m.id offset 0) s`,
    params: [projectIds, ids],
  })
  return new Map(rows.map(({ id, ...spent }) => [id, spent]))
}

async function readItems(db: Db, projectIds: string[], ids: string[]): Promise<Map<string, ChainAttempt>> {
  if (ids.length === 0) return new Map()
  const rows = await runText<AttemptRow>(db, {
    text: `select ${ATTEMPT_COLUMNS} from executions e left join decisions d on d.project_id = e.project_id and d.execution_id = e.id
     where e.project_id = any ($1::uuid[]) and e.id = any ($2::uuid[])`,
    params: [projectIds, [...new Set(ids)]],
  })
  return new Map(rows.map((row) => [row.id, toChainAttempt(row, null)]))
}

/** Names of chains, by the key that their runs carry; `size` counts all their attempts. */
async function readNames(
  db: Db,
  keys: readonly string[],
): Promise<Map<string, Pick<ReplayedChain, 'id' | 'name' | 'rule' | 'basis' | 'size'>>> {
  if (keys.length === 0) return new Map()
  const parts = keys.map((key) => key.split(' '))
  const rows = await runText<
    RowOf<'execution_chains', 'name' | 'rule' | 'basis'> & {
      key: string
      id: RowOf<'execution_chains', 'chain_id'>['chain_id']
      size: number
    }
  >(db, {
    text: `select k.project_id || ' ' || k.chain_id as key, k.chain_id as id, c.name, c.rule, c.basis, s.size
     from unnest($1::uuid[], $2::text[]) k(project_id, chain_id)
     cross join lateral (select name, rule, basis from execution_chains where project_id = k.project_id and chain_id = k.chain_id limit 1) c
     cross join lateral (select count(*)::int as size from execution_chains where project_id = k.project_id and chain_id = k.chain_id) s`,
    params: [parts.map(([project]) => project), parts.map(([, chain]) => chain)],
  })
  return new Map(rows.map(({ key, ...name }) => [key, name]))
}
