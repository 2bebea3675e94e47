import type { StartingPoint } from '../../model/messages/next-steps'
import type { TaskFailure } from '../../model/pipeline-facts'
import { noParams } from './no-params'
import { answer, type RunAnswer, type RunRules } from './run-answer'

/** A failed task with its attempts. */
export interface TaskFacts {
  readonly task: string
  /** Null: the record contains no error. */
  readonly failure: TaskFailure | null
  readonly error: string
  /** What makes the task again. */
  readonly command: string
  readonly start: StartingPoint | null
  readonly attempts: number
  /** Attempts whose error is recorded, and how many different errors they had. */
  readonly recordedErrors: number
  readonly differentErrors: number
  readonly sameInput: boolean
}

const failedBy =
  (...failures: TaskFailure[]) =>
  ({ failure }: TaskFacts): boolean =>
    (failures as (string | null)[]).includes(failure)

/** What the error of a failed task says, then what its attempts have in common. */
export const TASK_RULES: RunRules<TaskFacts> = [
  {
    id: 'task_requirement_missing',
    when: failedBy('secret', 'variable', 'tool'),
    verdict: ({ command, error }) =>
      answer('wont_help', { id: 'provide_requirement', params: { command, error } }),
    params: noParams,
  },
  {
    id: 'agent_profile_unknown',
    when: failedBy('agent_profile'),
    verdict: ({ command, error }) =>
      answer('wont_help', { id: 'declare_profile', params: { command, error } }),
    params: noParams,
  },
  {
    id: 'source_not_prepared',
    when: failedBy('prepare'),
    verdict: ({ task }) => answer('unclear', { id: 'fix_source', params: { task } }),
    params: noParams,
  },
  {
    id: 'task_timeout',
    when: failedBy('timeout'),
    verdict: ({ command }) => answer('unclear', { id: 'raise_task_limit', params: { command } }),
    params: noParams,
  },
  {
    id: 'task_failed_alike',
    when: ({ attempts, recordedErrors, differentErrors }) =>
      attempts > 1 && recordedErrors === attempts && differentErrors === 1,
    verdict: ({ command, start }) => answer('wont_help', { id: 'fix_task', params: { command, start } }),
    params: ({ attempts, sameInput }) => ({ attempts, sameInput }),
  },
  {
    id: 'task_failed_differently',
    when: ({ attempts }) => attempts > 1,
    verdict: reproduce,
    params: ({ attempts, recordedErrors }) => ({ attempts, recorded: recordedErrors >= attempts }),
  },
  {
    id: 'task_ran_once',
    when: () => true,
    verdict: reproduce,
    params: noParams,
  },
]

function reproduce({ command, start }: TaskFacts): RunAnswer {
  return answer('unclear', { id: 'reproduce_task', params: { command, start } })
}
