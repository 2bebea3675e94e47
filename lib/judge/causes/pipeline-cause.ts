import { oneLine } from '../../text/visible'
import { isSameInput, NO_INPUT } from '../../model/same-input'
import type { TaskFailure } from '../../model/pipeline-facts'
import type { CauseCategory } from '../../model/cause-categories'
import type { FailedTask } from '../../model/messages/failed-task'
import { taskFailureWords } from '../../words/failed-task'
import { messageText } from '../message-text'
import { blamed, causeBy, type CauseFound, type CauseInput, type CauseTable } from './cause-found'
import { focusOn, type Work } from './focus'
import type { WorkedCall } from '../calls/merge-calls'
import { pointerTo } from '../calls/merge-streams'
import type { Judgement } from '../outcomes/outcome'
import { decisiveText, quoted, some } from './phrases'
import { brokenTask, hasFailed, type PipelineRun, type PipelineTask } from '../outcomes/pipeline-run'
import { withQuote } from '../../words/phrases'
import type { Advice, FailureRead } from '../../model/execution'

/** What a failed task is filed under, by the words of its error (docs/sources/cause.md). */
const CATEGORY: Record<TaskFailure, CauseCategory> = {
  command: 'tool_failure',
  agent_step: 'agent_failure',
  timeout: 'limit',
  tool: 'startup',
  secret: 'startup',
  variable: 'startup',
  agent_profile: 'startup',
  prepare: 'startup',
  other: 'tool_failure',
}

interface PipelineFacts extends CauseInput {
  pipeline: PipelineRun
  /** The first task that stayed failed. */
  broken: PipelineTask | null
}

const recordPointer = ({ pipeline: { record } }: PipelineFacts) =>
  record && pointerTo(record.place, record.fact.span)

/** Causes of a run of a pipeline. */
const PIPELINE_CAUSES: CauseTable<
  PipelineFacts,
  'run_record_open' | 'task_failed' | 'no_failed_task' | 'task_failed_without_record'
> = [
  {
    id: 'run_record_open',
    when: ({ judgement }) => judgement.rule === 'run_record_open',
    verdict: blamed('cut_off'),
    params: ({ broken }) => ({
      failedTask: messageText(broken?.fact.id ?? null),
      error: broken ? messageText(errorOf(broken)) : '',
    }),
    pointer: recordPointer,
  },
  {
    id: 'task_failed',
    when: ({ broken }) => broken !== null,
    verdict: ({ broken, work }) => {
      const { id, error } = broken!.fact
      const call = work.calls.findLast((one) => one.tool === id && one.state === 'failed')
      return blamed(
        error === undefined ? 'unexplained' : CATEGORY[error.failure],
        call ? focusOn(call, work) : null,
      )
    },
    params: ({ broken, pipeline }) => ({
      ...failedTaskOf(broken!),
      otherTasks: pipeline.tasks.filter(hasFailed).length - 1,
    }),
    pointer: ({ broken }) => pointerTo(broken!.place, broken!.fact.error?.span ?? broken!.fact.span),
  },
  {
    id: 'no_failed_task',
    when: ({ judgement }) => judgement.outcome === 'failed',
    verdict: blamed('unexplained'),
    params: () => ({}),
    pointer: recordPointer,
  },
  {
    id: 'task_failed_without_record',
    when: ({ pipeline }) => pipeline.loosePacks.length > 0,
    verdict: blamed('tool_failure'),
    params: ({ pipeline: { loosePacks } }) => ({
      task: messageText(loosePacks[0]!.fact.task),
      error: messageText(oneLine(loosePacks[0]!.fact.error ?? '')),
    }),
    pointer: ({ pipeline: { loosePacks } }) => pointerTo(loosePacks[0]!.place, loosePacks[0]!.fact.span),
  },
]

/** The cause of a run of a pipeline; null: nothing failed. */
export const causeOfPipeline = (pipeline: PipelineRun, input: CauseInput): CauseFound | null =>
  causeBy(PIPELINE_CAUSES, { ...input, pipeline, broken: brokenTask(pipeline) }, input)

/** A failed task as sentences name it. */
export const failedTaskOf = (task: PipelineTask): FailedTask => ({
  task: messageText(task.fact.id),
  failure: task.fact.error?.failure ?? null,
  exitCode: task.fact.error?.exitCode ?? null,
  attempts: task.fact.attempts,
  error: messageText(quoteOf(task)),
})

/** The error of a task as it is known best: cleaned by the tool where ours had nothing to compare it with. */
export function errorOf({ fact, pack }: PipelineTask): string {
  const own = fact.error?.text ?? ''
  return oneLine(own === '' || own.includes('[redacted:not-compared]') ? (pack?.fact.error ?? own) : own)
}

/** What the sentence in front of it says already is not said twice. */
const quoteOf = (task: PipelineTask): string =>
  errorOf(task).replace(
    /^(?:Command failed with exit code -?\d+: |Agent step failed with exit code -?\d+\s*)/,
    '',
  )

const name = (task: string): string => quoted(oneLine(task), 60)

/** What is known of another attempt, and what to do now. */
export function adviseOnPipeline(run: PipelineRun, judgement: Judgement, work: Work): Advice {
  const broken = brokenTask(run)
  if (judgement.rule === 'run_record_open')
    return {
      retry: 'unknown',
      retryBecause: 'The run’s outcome is not recorded.',
      next: 'Import the folder again once the run has ended. If its process is dead, the run crashed: rerun the job.',
    }
  if (broken === null)
    return {
      retry: 'unknown',
      retryBecause: 'The record does not say which task failed.',
      next: 'Read the run’s files in Raw.',
    }
  return adviseOnTask(broken, attemptsOfTask(broken, work))
}

const attemptsOfTask = ({ fact }: PipelineTask, { calls }: Work): WorkedCall[] =>
  calls.filter((one) => one.tool === fact.id && one.state === 'failed')

function adviseOnTask(task: PipelineTask, attempts: readonly WorkedCall[]): Advice {
  const { fact } = task
  const again = `run ${quoted(reproduceOf(task).command, 120)}`
  const advice = (retry: Advice['retry'], retryBecause: string, next: string): Advice => ({
    retry,
    retryBecause,
    next,
  })
  const error = quoted(errorOf(task).replace(/\.$/, ''), 160)
  switch (fact.error?.failure) {
    case 'secret':
    case 'variable':
    case 'tool':
      return advice(
        'cannot-help',
        'The task cannot start until what it needs is there.',
        `Provide what the error names where the pipeline runs, then ${again}: ${error}.`,
      )
    case 'agent_profile':
      return advice(
        'cannot-help',
        'The task cannot start until the pipeline declares the profile.',
        `Declare the profile or use a declared one, then ${again}: ${error}.`,
      )
    case 'prepare':
      return advice(
        'unknown',
        'Preparing the source failed before any task ran. Unclear if that is temporary.',
        `Read the log of ${name(fact.id)}, fix the step that prepares the source, then rerun the job.`,
      )
    case 'timeout':
      return advice(
        'unknown',
        'It timed out. It may have hung or just been slow.',
        `Read the end of its log. Raise the limit or fix what hangs, then ${again}.`,
      )
    default:
  }
  // The log was cleaned by the tool, the error by us.
  const texts = new Set(
    attempts.map((one) => decisiveText(one).replace(/\[redacted:[a-z-]+\]/g, '[redacted]')),
  )
  const told = attempts.filter((one) => one.errorText !== null).length
  const sameInput = attempts.every(
    (one) => one.inputDigest !== NO_INPUT && isSameInput(one.inputDigest, attempts[0]!.inputDigest) === true,
  )
  const start = startingPoint(task)
  if (attempts.length > 1 && told === attempts.length && texts.size === 1)
    return advice(
      'cannot-help',
      `${some(attempts.length, 'attempt')} failed the same way${sameInput ? ' with the same inputs' : ''}.`,
      `Fix what the task checks or the task itself; ${start}then ${again}.`,
    )
  const because =
    attempts.length > 1
      ? `${some(attempts.length, 'attempt')} failed${told < attempts.length ? '; earlier errors were not recorded' : ' with different errors'}.`
      : 'It ran once, and the error does not say if a retry would help.'
  return advice(
    'unknown',
    because,
    `To reproduce, ${again}; ${start === '' ? 'start at the end of its log.' : `${start.replace(/; $/, '')}.`}`,
  )
}

/** What has changed since the task passed last is where to begin. */
function startingPoint({ pack }: PipelineTask): string {
  const diff = pack?.fact.inputDiff
  if (!diff?.baseline) return ''
  const paths = [...diff.changed, ...diff.added, ...diff.removed]
  if (paths.length === 0) return 'inputs are unchanged since it last passed, so check everything else; '
  const shown = paths
    .slice(0, 3)
    .map((path) => quoted(oneLine(path), 60))
    .join(', ')
  return `start with what changed since it last passed: ${shown}${paths.length > 3 || diff.leftOut > 0 ? ' and more' : ''}; `
}

/** How to see a task fail again; `recorded` where its context pack says so. */
export function reproduceOf({ fact, pack }: PipelineTask): { command: string; recorded: boolean } {
  const recorded = pack?.fact.reproduce ?? null
  return recorded !== null && recorded !== ''
    ? { command: recorded, recorded: true }
    : { command: `async-pipeline run-task ${shellWord(fact.id)}`, recorded: false }
}

/** A task is named by whoever wrote the pipeline: nothing of its name may act on a shell. */
const shellWord = (word: string): string =>
  /^[A-Za-z0-9._:@/+][A-Za-z0-9._:@/+-]*$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/** Each task that failed, with its own answer to both questions. */
export function readTaskFailures(
  run: PipelineRun,
  { calls, chains, ...work }: Work,
): Pick<Advice, 'failures' | 'failuresLeftOut'> {
  const failed = run.tasks.filter(hasFailed)
  const listed = failed.slice(0, FAILURES_MAX)
  if (failed.length === 0) return {}
  return {
    failures: listed.map((task): FailureRead => {
      const attempts = attemptsOfTask(task, { calls, chains, ...work })
      const { retry, retryBecause, next } = adviseOnTask(task, attempts)
      return {
        chains: [...new Set(attempts.flatMap((one) => one.chain ?? []))],
        failed: attempts.length,
        what: withQuote(taskFailureWords(failedTaskOf(task)), quoteOf(task), 240),
        ended: 'the task never passed',
        retry,
        retryBecause,
        next,
      }
    }),
    ...(failed.length > listed.length && { failuresLeftOut: failed.length - listed.length }),
  }
}

const FAILURES_MAX = 20
