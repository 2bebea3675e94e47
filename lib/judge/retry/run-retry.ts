import type { RunRetryReasons } from '../../model/messages/run-retry'
import { predict, type Rule } from '../rule-table'
import type { DecidedFacts } from './decided-facts'
import { DECIDED_RULES } from './decided-rules'
import { ENDING_RULES, type EndingFacts } from './ending-rules'
import { FAILURE_RULES, type FailureFacts } from './failure-rules'
import { noParams } from './no-params'
import { answer, type RunAnswer, type RunRules, type RunVerdict } from './run-answer'
import { TASK_RULES, type TaskFacts } from './task-rules'

/** What is known of a run or of a failure in it; each part is asked only where it is known. */
export interface RunFacts {
  /** The recorder of its process stopped before the process did. */
  readonly recorderStopped?: true
  /** What a decision says of the end. */
  readonly decided?: DecidedFacts
  /** The record of a run of a pipeline names no failed task; `open`: because it names no end. */
  readonly pipeline?: { readonly open: boolean }
  readonly task?: TaskFacts
  /** Failed requests to the model along the way, and whether the run went on after the last one. */
  readonly requests?: { readonly wentOn: boolean }
  /** How the run ended, as its own records say. */
  readonly ending?: EndingFacts
  /** The failed piece of work. */
  readonly failure?: FailureFacts
}

/** Rules that ask one part of what is known, among those of the whole table. */
function asking<Part>(
  partOf: (facts: RunFacts) => Part | undefined,
  rules: RunRules<Part>,
): RunRules<RunFacts> {
  return rules.map((rule) => {
    const { when, verdict, params, ...rest } = rule as Rule<Part, RunAnswer, RunRetryReasons>
    return {
      ...rest,
      when: (facts: RunFacts) => {
        const part = partOf(facts)
        return part !== undefined && when(part)
      },
      verdict: (facts: RunFacts) => (typeof verdict === 'function' ? verdict(partOf(facts)!) : verdict),
      params: (facts: RunFacts) => params(partOf(facts)!),
    } as Rule<RunFacts, RunAnswer, RunRetryReasons>
  })
}

/**
 * Would starting the job again help? What was decided about the run first, then what its own records say of its end,
 * then what became of the failure it is about.
 *
 * @see docs/sources/cause.md#advice
 */
export const RUN_RETRY: RunRules<RunFacts> = [
  {
    id: 'recorder_stopped',
    when: ({ recorderStopped }) => recorderStopped === true,
    verdict: answer('unclear', { id: 'check_output_and_effects', params: {} }),
    params: noParams,
  },
  ...asking(({ decided }) => decided, DECIDED_RULES),
  {
    id: 'pipeline_open',
    when: ({ pipeline }) => pipeline?.open === true,
    verdict: answer('unclear', { id: 'import_again', params: {} }),
    params: noParams,
  },
  {
    id: 'failed_task_unknown',
    when: ({ pipeline }) => pipeline !== undefined,
    verdict: answer('unclear', { id: 'read_pipeline_files', params: {} }),
    params: noParams,
  },
  ...asking(({ task }) => task, TASK_RULES),
  {
    id: 'requests_recovered',
    when: ({ requests }) => requests?.wentOn === true,
    verdict: answer('helped', { id: 'no_action_requests', params: {} }),
    params: noParams,
  },
  {
    id: 'requests_ended_run',
    when: ({ requests }) => requests !== undefined,
    verdict: answer('would_help', { id: 'resume_same_prompt', params: {} }),
    params: noParams,
  },
  ...asking(({ ending }) => ending, ENDING_RULES),
  ...asking(({ failure }) => failure, FAILURE_RULES),
  {
    id: 'nothing_known',
    when: () => true,
    verdict: answer('unclear', { id: 'read_last_events', params: {} }),
    params: noParams,
  },
]

/** The last rule holds always. */
export const judgeRunRetry = (facts: RunFacts): RunVerdict => predict(RUN_RETRY, facts)!
