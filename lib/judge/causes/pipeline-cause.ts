import { isErrorLike } from '../../text/decisive-line'
import { oneLine } from '../../text/visible'
import { lineOf } from '../calls/call-ref'
import type { TaskFailure } from '../../model/pipeline-facts'
import type { CauseCategory } from '../../model/cause-categories'
import type { FailedTask } from '../../model/messages/failed-task'
import { messageText } from '../message-text'
import { blamed, causeBy, type CauseFound, type CauseInput, type CauseTable } from './cause-found'
import { focusOn } from './focus'
import { pointerTo } from '../calls/merge-streams'
import { brokenTask, hasFailed, type PipelineRun, type PipelineTask } from '../outcomes/pipeline-run'

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
      error: broken ? messageText(reasonOf(broken)) : '',
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

/** Lines by which the tool structures the log of a task: its own words, not the program's. */
const LOG_FRAME = /^\[[a-z][a-z -]*(?: \d+)?\]/
/** Failures whose error names the command, and whose log says why it failed. */
const SAYS_WHY_IN_LOG: ReadonlySet<TaskFailure | undefined> = new Set(['command', 'agent_step', 'other'])

/** The line of the log that says why the task failed; empty where none looks like it. */
function decisiveLogLine({ fact, pack }: PipelineTask): string {
  if (!SAYS_WHY_IN_LOG.has(fact.error?.failure)) return ''
  const log = (pack?.fact.logTail ?? '').split('\n').filter((line) => !LOG_FRAME.test(line))
  const line = lineOf(log.join('\n'))
  return isErrorLike(line) ? line : ''
}

/** The error of a task as it is known best: cleaned by the tool where ours had nothing to compare it with. */
function errorOf({ fact, pack }: PipelineTask): string {
  const own = fact.error?.text ?? ''
  return oneLine(own === '' || own.includes('[redacted:not-compared]') ? (pack?.fact.error ?? own) : own)
}

/** Why a task failed: by its log where a line there says it, else by its error. */
export const reasonOf = (task: PipelineTask): string => decisiveLogLine(task) || errorOf(task)

/** What the sentence in front of it says already is not said twice. */
const quoteOf = (task: PipelineTask): string =>
  reasonOf(task).replace(
    /^(?:Command failed with exit code -?\d+: |Agent step failed with exit code -?\d+\s*)/,
    '',
  )

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
