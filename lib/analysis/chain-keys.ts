import { chainKeyOf, isFindable } from '../formats/ci/ci-run'
import { ciRunWords } from '../words/ci'
import { digestOf } from '../formats/claude/text'
import { withoutSession } from './resumed-sessions'
import type { ExecutionEvidence, SourceVerdict } from '../model/summary'
import type { ChainRule } from '../model/execution'
import type { RunFact } from '../model/run-facts'

/** A piece of work that an execution is an attempt of. */
export interface ChainKey {
  /** Digest of the rule and of what makes the work. */
  id: string
  /** What makes the work, for people. */
  name: string
  rule: ChainRule
  /** `recorded`: the source names the chain; `inferred`: we do. */
  basis: 'recorded' | 'inferred'
  /** Number of the attempt where the source counts, from 1. */
  attempt: number | null
  /** Digest of what the attempt was made from, where the source has one. */
  inputs?: string | null
  /** Whether the work failed in it, where that is known of the work and not only of the execution. */
  failed?: boolean
}

const keyOf = (
  rule: ChainRule,
  name: string,
  basis: ChainKey['basis'],
  attempt: number | null,
  work = name,
): ChainKey => ({
  id: digestOf(`${rule}\n${work}`),
  name,
  rule,
  basis,
  attempt,
})

/** The chain of sessions that continue from one another, by the first of them. */
export const resumeKeyOf = (first: string): ChainKey => keyOf('resumed_session', first, 'recorded', null)

/** The chains that an execution is in, by what was recorded about it; each once; those of resumed sessions hang on other executions too (`resume-chains.ts`). */
export function chainKeysOf({ runs, recorded, tasks = [] }: ExecutionEvidence): ChainKey[] {
  const keys = runs
    .flatMap(({ fact }) => [
      fact.chain && keyOf('named_chain', fact.chain.key, 'recorded', fact.chain.attempt),
      ciWorkOf(fact),
    ])
    .filter((key) => key !== null)
  const work = recorded && workOf(recorded.fact)
  if (work) keys.push(keyOf('same_kitchen_order_step_command', work, 'inferred', null))
  for (const { pipeline, job, task, inputs, failed } of tasks) {
    const key = keyOf(
      'same_pipeline_job_task',
      [pipeline, job, task].join(' · '),
      'inferred',
      null,
      JSON.stringify([pipeline, job, task]),
    )
    keys.push({ ...key, inputs, failed })
  }
  // Several processes of one session are one attempt; the last says which.
  return [...new Map(keys.map((key) => [key.id, key])).values()]
}

/** The index of the source keeps this much of a command; more is too long to be read. */
const COMMAND_CHARS = 100

/** Kitchen, order, step and command, which the source never links: equal ones are attempts of the same step. */
function workOf({ kitchenId, orderId, stepName, skillCommand }: SourceVerdict): string | null {
  if (!kitchenId || !skillCommand) return null
  return [kitchenId, orderId ?? '', stepName ?? '', skillCommand.slice(0, COMMAND_CHARS)].join(' · ')
}

/**
 * What a job of a CI run does, of which a job may do several: distinguished by the name that the caller gives, else by the command. Where
 * the CI counts its attempts it says itself which are attempts of one job; where it does not, equal commands are taken for attempts. Without a job
 * nothing is known: other jobs of the run may do the same.
 */
function ciWorkOf({ ci, chain, command }: RunFact): ChainKey | null {
  if (ci === null || !isFindable(ci) || ci.job === null) return null
  // A number of its own and no name: then the recorder gives that of the job.
  const named = chain !== null && chain.key !== chainKeyOf(ci) ? chain.key : null
  if (ci.attempt === null && chain !== null) return null
  const what = withoutSession(command)
  if (named === null && what.length === 0) return null
  const name = `${ciRunWords({ ...ci, attempt: null })} · ${ci.job} · ${(named ?? what.join(' ')).slice(0, COMMAND_CHARS)}`
  const work = JSON.stringify([ci.provider, ci.path, ci.run, ci.job, named ?? what])
  if (ci.attempt === null) return keyOf('same_ci_job_command', name, 'inferred', null, work)
  return keyOf('ci_run_attempts', name, 'recorded', ci.attempt, work)
}
