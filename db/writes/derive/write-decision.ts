import type { Decision } from '@/lib/judge/decisions/decision'
import type { ChainKey } from '@/lib/analysis/chain-keys'
import { isFindable } from '@/lib/formats/ci/ci-run'
import { storable } from '@/lib/formats/storable'
import { decisionReasonText } from '@/lib/words/decision'
import type { Tx } from '../../client'
import { setAttempts } from './execution-marks'
import { jsonText } from '../../json-text'
import type { RowOf } from '../../schema/rows'
import type { CiRun } from '@/lib/model/ci-run'

const text = (value: string): string => storable(value)
const json = (value: unknown): string | null =>
  value === null || value === undefined ? null : jsonText(value)

/** Writes what was decided about an execution in place of what was there. Sent at once. */
export async function writeDecision(
  tx: Tx,
  projectId: string,
  executionId: string,
  d: Decision,
): Promise<void> {
  await tx`
    insert into decisions (project_id, execution_id, basis, policy, content_state, outcome, retry_reason, subtype, rule, because, because_rule, because_params, missing, differs,
      recorded, recomputed, trace, evidence, what_if, input_redacted, recorder)
    values (${projectId}, ${executionId}, ${d.basis}, ${d.policy}, ${text(d.contentState)}, ${text(d.outcome)}, ${text(d.retryReason)}, ${text(d.subtype)},
      ${text(d.rule)}, ${text(decisionReasonText(d.reason))}, ${d.reason.id}, ${json(d.reason.params)}::text::jsonb, ${d.missing.map(text)}::text[], ${d.differs}::text[], ${json(d.recorded)}::text::jsonb,
      ${json(d.recomputed)}::text::jsonb, ${json(d.trace)}::text::jsonb, ${json(d.evidence)}::text::jsonb, ${json(d.whatIf)}::text::jsonb, ${d.inputRedacted}, ${json(d.recorder)}::text::jsonb)
    on conflict (project_id, execution_id) do update set basis = excluded.basis, policy = excluded.policy, content_state = excluded.content_state,
      outcome = excluded.outcome, retry_reason = excluded.retry_reason, subtype = excluded.subtype, rule = excluded.rule, because = excluded.because,
      because_rule = excluded.because_rule, because_params = excluded.because_params,
      missing = excluded.missing, differs = excluded.differs, recorded = excluded.recorded, recomputed = excluded.recomputed, trace = excluded.trace,
      evidence = excluded.evidence, what_if = excluded.what_if, input_redacted = excluded.input_redacted, recorder = excluded.recorder, decided_at = now()`.execute()
}

/**
 * Puts an execution into the chains that it is an attempt of, and takes it out of those that it no longer is; chains of resumed sessions
 * are linked by themselves (`link-resumed.ts`). @returns all chains touched, and whether it left one
 */
export async function writeChains(
  tx: Tx,
  projectId: string,
  executionId: string,
  keys: readonly ChainKey[],
  sortAt: string,
): Promise<{ chains: string[]; left: boolean }> {
  const gone = await tx<RowOf<'execution_chains', 'chain_id'>[]>`
    delete from execution_chains where project_id = ${projectId} and execution_id = ${executionId} and rule <> 'resumed_session'
      and chain_id <> all (${keys.map((key) => key.id)}::text[])
    returning chain_id`
  if (keys.length > 0) {
    await tx`
      insert into execution_chains as c (project_id, chain_id, execution_id, name, rule, basis, attempt, sort_at, inputs, failed)
      select ${projectId}, k.id, ${executionId}, k.name, k.rule, k.basis, k.attempt, ${sortAt}::timestamptz, k.inputs, k.failed
      from unnest(${keys.map((key) => key.id)}::text[], ${keys.map((key) => text(key.name))}::text[], ${keys.map((key) => key.rule)}::text[],
        ${keys.map((key) => key.basis)}::text[], ${keys.map((key) => key.attempt)}::int[], ${keys.map((key) => key.inputs ?? null)}::text[],
        ${keys.map((key) => (key.failed === undefined ? null : String(key.failed)))}::text[]::bool[]) k(id, name, rule, basis, attempt, inputs, failed)
      on conflict (project_id, chain_id, execution_id) do update set attempt = excluded.attempt, sort_at = excluded.sort_at, inputs = excluded.inputs, failed = excluded.failed`
  }
  return { chains: [...gone.map((row) => row.chain_id), ...keys.map((key) => key.id)], left: gone.length > 0 }
}

/**
 * Notes with each execution of the chains how many attempts its largest chain has.
 *
 * @param left executions that were taken out of chains, and may be in none
 * @returns executions that a reader would see changed
 */
export async function noteChainSizes(
  tx: Tx,
  projectId: string,
  chainIds: readonly string[],
  left: readonly string[],
): Promise<string[]> {
  if (chainIds.length === 0 && left.length === 0) return []
  // Before anything is counted: a member may be in a second chain, which another transaction is adding to.
  // Whoever comes second waits here and then counts what the first has added.
  await tx`
    select e.id from executions e where e.project_id = ${projectId} and (e.id = any (${[...left]}::uuid[]) or e.id in (
      select execution_id from execution_chains where project_id = ${projectId} and chain_id = any (${[...chainIds]}::text[])))
    order by e.id for update`
  const sizes = await tx<(RowOf<'executions', 'id'> & { attempts: number })[]>`
    with attempts as (
      select execution_id as id from execution_chains where project_id = ${projectId} and chain_id = any (${[...chainIds]}::text[])
      union select unnest(${[...left]}::uuid[])),
    stands as (select t.id, c.chain_id from attempts t join execution_chains c on c.project_id = ${projectId} and c.execution_id = t.id),
    chains as (
      select k.chain_id, s.size from (select distinct chain_id from stands) k cross join lateral (
        select case when min(c.rule) = 'ci_run_attempts' and count(distinct c.attempt) < count(*) then 1
          when min(c.rule) = 'same_pipeline_job_task' and not coalesce(bool_or(c.failed), false) then 1 else count(*) end as size
        from execution_chains c where c.project_id = ${projectId} and c.chain_id = k.chain_id) s)
    select t.id, coalesce(max(c.size), 1)::int as attempts from attempts t left join stands s on s.id = t.id left join chains c on c.chain_id = s.chain_id group by t.id`
  return setAttempts(tx, projectId, sizes)
}

/** Notes the CI runs that an execution was part of. */
export async function writeCiRuns(
  tx: Tx,
  projectId: string,
  executionId: string,
  runs: readonly CiRun[],
): Promise<void> {
  const found = runs.filter(isFindable)
  await tx`delete from ci_runs where project_id = ${projectId} and execution_id = ${executionId}`
  for (const run of found) {
    await tx`
      insert into ci_runs (project_id, provider, path, run, execution_id, attempt, job, url, commit_sha)
      values (${projectId}, ${text(run.provider)}, ${text(run.path)}, ${text(run.run)}, ${executionId}, ${run.attempt}, ${run.job}, ${run.url}, ${run.commit})
      on conflict (project_id, provider, path, run, execution_id) do update set attempt = excluded.attempt, job = excluded.job, url = excluded.url, commit_sha = excluded.commit_sha`
  }
}
