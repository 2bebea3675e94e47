import type { ExecutionDetail } from '@/lib/api/schemas'
import { CHAIN_RULES, type Advice } from '@/lib/model/execution'
import { FIX_STATES } from '@/lib/model/fix-states'
import { links } from '@/lib/links'
import { timesNotHelped } from '@/lib/judge/retry/hindsight'
import { didNotHelpWords, storedVerdict } from '@/lib/words/retry'
import type { RetryVerdicts } from '@/lib/model/retry'
import type { Db } from '../client'
import { isUuid } from './cursor'
import { FIX_STATE } from './fixes'
import { CAUSE_COLUMNS, causeOf } from './stored-cause'
import { columnsOf, computed, joinLists, runText, type Selected } from '../statement-text'
import { listRepeatedEffects } from './repeated-effects'
import type { RowOf } from '../schema/rows'
import type { ChainAttempt, ExecutionChain } from '@/lib/views/attempts/chain'

/** What is behind every number of an attempt. */
const ATTEMPT_LAST = 2 ** 31 - 1
/** Attempts of one chain that are listed; the rest is counted. */
const ATTEMPTS_MAX = 200

/** Columns of an attempt; `e` is `executions`, `d` its decision. */
const ATTEMPT = joinLists(
  columnsOf('executions e', [
    'id',
    'external_id',
    'outcome',
    'outcome_basis',
    ...CAUSE_COLUMNS,
    'title',
    'started_at',
    'ended_at',
    'usage',
  ]),
  computed<{
    retry: Advice['retry'] | null
    verdict: string | null
    call_retry: RetryVerdicts['callRetry'] | null
    recovered_by: RetryVerdicts['recoveredBy']
    after_other_work: boolean | null
    content_state: string
    retry_reason: string
  }>(
    `e.advice ->> 'retry' as retry, e.advice ->> 'verdict' as verdict, e.advice ->> 'callRetry' as call_retry, e.advice ->> 'recoveredBy' as recovered_by, (e.advice ->> 'afterOtherWork')::boolean as after_other_work, coalesce(d.content_state, 'unknown') as content_state, coalesce(d.retry_reason, 'unknown') as retry_reason`,
  ),
)

export const ATTEMPT_COLUMNS = ATTEMPT.text
export type AttemptRow = Selected<typeof ATTEMPT>

export const toChainAttempt = (row: AttemptRow, attempt: number | null): ChainAttempt => ({
  id: row.id,
  externalId: row.external_id,
  outcome: row.outcome,
  outcomeBasis: row.outcome_basis,
  cause: causeOf(row),
  title: row.title,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  url: links.execution(row.id),
  attempt,
  contentState: row.content_state,
  retryReason: row.retry_reason,
  costUsd: row.usage.costUsd,
  inputTokens: row.usage.inputTokens + row.usage.cacheReadInputTokens + row.usage.cacheCreationInputTokens,
  outputTokens: row.usage.outputTokens,
  retry: row.retry ?? 'unknown',
  ...verdictOf(row),
})

function verdictOf({ verdict, call_retry, recovered_by, after_other_work }: AttemptRow): {
  verdict?: string
} {
  const words = storedVerdict({
    verdict,
    ...(call_retry && { callRetry: call_retry }),
    recoveredBy: recovered_by,
    afterOtherWork: after_other_work,
  })
  return words === undefined ? {} : { verdict: words }
}

/** Place of a row of `execution_chains` among those of its execution: the chain to go by first. */
export const CHAIN_ORDER = `array_position('{${CHAIN_RULES.join()}}'::text[], c.rule), c.chain_id`

/**
 * Condition on a row `c` of `execution_chains`: its chain is one of attempts. Where one attempt of a CI run did the same work twice (a matrix,
 * a loop), nobody can tell which of them continues from which. Runs of a pipeline that all passed tried nothing again.
 */
export const IS_OF_ATTEMPTS = `(c.rule <> 'ci_run_attempts' or not exists (
  select from execution_chains m where m.project_id = c.project_id and m.chain_id = c.chain_id group by m.attempt having count(*) > 1))
  and (c.rule <> 'same_pipeline_job_task' or exists (select from execution_chains m where m.project_id = c.project_id and m.chain_id = c.chain_id and m.failed))`

/** Fixes of an attempt `e`, by state in the order of their lives; null: none. */
const FIXES_BY_STATE = `(select jsonb_agg(jsonb_build_object('state', state, 'count', count) order by array_position('{${FIX_STATES.join()}}'::text[], state)) from (
  select ${FIX_STATE} as state, count(*)::int as count from fix_standing s where s.project_id = e.project_id and s.execution_id = e.id group by 1) f)`

/** Where it is in the chain to go by; null when its work was tried once. */
export async function readPlaceInChain(
  db: Db,
  projectId: string,
  id: string,
): Promise<ExecutionDetail['placeInChain']> {
  const [found] = await runText<RowOf<'execution_chains', 'attempt'> & { place: number; attempts: number }>(
    db,
    {
      text: `select c.attempt, m.place, m.attempts from execution_chains c, lateral (
      select count(*)::int as attempts,
        count(*) filter (where (coalesce(m.attempt, $1), m.sort_at, m.execution_id) <= (coalesce(c.attempt, $1), c.sort_at, c.execution_id))::int as place
      from execution_chains m where m.project_id = c.project_id and m.chain_id = c.chain_id) m
    where c.project_id = $2 and c.execution_id = $3 and m.attempts > 1 and ${IS_OF_ATTEMPTS}
    order by ${CHAIN_ORDER} limit 1`,
      params: [ATTEMPT_LAST, projectId, id],
    },
  )
  return found ?? null
}

/** Attempts whose retry could have helped by what they did, and did not: their chain says so. */
function withHindsight(attempts: readonly ChainAttempt[]): ChainAttempt[] {
  const times = timesNotHelped(attempts)
  return attempts.map((attempt, i) =>
    times[i] === 0 ? attempt : { ...attempt, retry: 'unknown', verdict: didNotHelpWords(times[i]!) },
  )
}

/**
 * How many other attempts in a row failed like this one, in the chain to go by.
 * Of a chain of more than 200 attempts the first 200 are looked at.
 */
export async function readTimesNotHelped(db: Db, projectId: string, id: string): Promise<number> {
  const rows = await runText<AttemptRow>(db, {
    text: `select ${ATTEMPT_COLUMNS} from (
      select c.project_id, c.chain_id from execution_chains c
      where c.project_id = $1::uuid and c.execution_id = $2::uuid and ${IS_OF_ATTEMPTS} order by ${CHAIN_ORDER} limit 1) k
    join execution_chains m on m.project_id = k.project_id and m.chain_id = k.chain_id
    join executions e on e.project_id = m.project_id and e.id = m.execution_id
    left join decisions d on d.project_id = e.project_id and d.execution_id = e.id
    order by m.attempt nulls last, m.sort_at, m.execution_id limit ${ATTEMPTS_MAX}`,
    params: [projectId, id],
  })
  const at = rows.findIndex((row) => row.id === id)
  return timesNotHelped(rows.map((row) => toChainAttempt(row, null)))[at] ?? 0
}

/** The retry chains of executions that this one is in, each with all its attempts, as the source counts them, else by time; the chain to go by first. */
export async function listExecutionChains(
  db: Db,
  projectIds: string[],
  id: string,
): Promise<ExecutionChain[]> {
  if (!isUuid(id) || projectIds.length === 0) return []
  const chains = await runText<
    RowOf<'execution_chains', 'project_id' | 'chain_id' | 'name' | 'rule' | 'basis'> & { size: number }
  >(db, {
    text: `select c.project_id, c.chain_id, c.name, c.rule, c.basis,
      (select count(*)::int from execution_chains m where m.project_id = c.project_id and m.chain_id = c.chain_id) as size
    from execution_chains c where c.project_id = any ($1::uuid[]) and c.execution_id = $2
      and ${IS_OF_ATTEMPTS} order by ${CHAIN_ORDER}`,
    params: [projectIds, id],
  })
  return Promise.all(
    chains.map(async (chain) => {
      const rows = await runText<
        AttemptRow & {
          attemptNumber: RowOf<'execution_chains', 'attempt'>['attempt']
          fixes: ChainAttempt['fixes'] | null
        } & RowOf<'execution_chains', 'inputs'>
      >(db, {
        text: `select ${ATTEMPT_COLUMNS}, c.attempt as "attemptNumber", c.inputs, ${FIXES_BY_STATE} as fixes from execution_chains c
       join executions e on e.project_id = c.project_id and e.id = c.execution_id
       left join decisions d on d.project_id = e.project_id and d.execution_id = e.id
       where c.project_id = $1::uuid and c.chain_id = $2 order by c.attempt nulls last, c.sort_at, c.execution_id limit ${ATTEMPTS_MAX}`,
        params: [chain.project_id, chain.chain_id],
      })
      const { effects, cut } = await listRepeatedEffects(
        db,
        chain.project_id,
        rows.map(({ id }) => id),
      )
      return {
        id: chain.chain_id,
        name: chain.name,
        rule: chain.rule,
        basis: chain.basis,
        attempts: withHindsight(
          rows.map((row) => ({
            ...toChainAttempt(row, row.attemptNumber),
            ...(row.inputs !== null && { inputs: row.inputs }),
            ...(row.fixes !== null && { fixes: row.fixes }),
          })),
        ),
        attemptsLeftOut: chain.size - rows.length,
        repeatedEffects: effects,
        effectsCut: cut,
      }
    }),
  )
}
