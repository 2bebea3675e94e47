import type { StartingPoint } from '../../model/messages/next-steps'
import { isSameInput, NO_INPUT } from '../../model/same-input'
import type { FailureAdvice, FailuresAdvice, RetryAdvice } from '../../model/advice'
import { oneLine } from '../../text/visible'
import { decisiveText } from '../calls/call-ref'
import type { WorkedCall } from '../calls/merge-calls'
import type { Work } from '../causes/work'
import { failedTaskOf, reasonOf, reproduceOf } from '../causes/pipeline-cause'
import type { Judgement } from '../outcomes/outcome'
import { brokenTask, hasFailed, type PipelineRun, type PipelineTask } from '../outcomes/pipeline-run'
import { advise } from './advise'
import { messageText } from '../message-text'

/** Whether starting a run of a pipeline again would help, and what to do now. */
export function adviseOnPipeline(run: PipelineRun, judgement: Judgement, work: Work): RetryAdvice {
  const broken = brokenTask(run)
  if (judgement.rule === 'run_record_open') return advise({ pipeline: { open: true } })
  if (broken === null) return advise({ pipeline: { open: false } })
  return adviseOnTask(broken, attemptsOfTask(broken, work))
}

const attemptsOfTask = ({ fact }: PipelineTask, { calls }: Pick<Work, 'calls'>): WorkedCall[] =>
  calls.filter((one) => one.tool === fact.id && one.state === 'failed')

const adviseOnTask = (task: PipelineTask, attempts: readonly WorkedCall[]): RetryAdvice =>
  advise({
    task: {
      task: messageText(task.fact.id),
      failure: task.fact.error?.failure ?? null,
      error: messageText(reasonOf(task).replace(/\.$/, '')),
      command: messageText(reproduceOf(task).command),
      start: startingPoint(task),
      attempts: attempts.length,
      recordedErrors: attempts.filter((one) => one.errorText !== null).length,
      differentErrors: new Set(attempts.map(comparableError)).size,
      sameInput: attempts.every(
        (one) =>
          one.inputDigest !== NO_INPUT && isSameInput(one.inputDigest, attempts[0]!.inputDigest) === true,
      ),
    },
  })

/** The log was cleaned by the tool, the error by us. */
const comparableError = (attempt: WorkedCall): string =>
  decisiveText(attempt).replace(/\[redacted:[a-z-]+\]/g, '[redacted]')

const PATHS_LISTED = 3

/** What has changed since the task passed last is where to begin. */
function startingPoint({ pack }: PipelineTask): StartingPoint | null {
  const diff = pack?.fact.inputDiff
  if (!diff?.baseline) return null
  const paths = [...diff.changed, ...diff.added, ...diff.removed]
  return {
    paths: paths.slice(0, PATHS_LISTED).map((path) => messageText(oneLine(path))),
    more: paths.length > PATHS_LISTED || (paths.length > 0 && diff.leftOut > 0),
  }
}

const TASKS_MAX = 20

/** Each task that failed, with its own answer to both questions. */
export function readTaskFailures(run: PipelineRun, work: Work): FailuresAdvice {
  const failed = run.tasks.filter(hasFailed)
  if (failed.length === 0) return {}
  const listed = failed.slice(0, TASKS_MAX)
  return {
    failures: listed.map((task): FailureAdvice => {
      const attempts = attemptsOfTask(task, work)
      return {
        chains: [...new Set(attempts.flatMap((one) => one.chain ?? []))],
        failed: attempts.length,
        what: { id: 'task_failed', params: failedTaskOf(task) },
        ended: { id: 'task_never_passed', params: {} },
        ...adviseOnTask(task, attempts),
      }
    }),
    ...(failed.length > listed.length && { failuresLeftOut: failed.length - listed.length }),
  }
}
