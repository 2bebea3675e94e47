import { NO_INPUT } from '../../model/same-input'
import { capText } from '../../text/cap-text'
import type { TaskFact } from '../../model/pipeline-facts'
import type { FailureSign } from '../../model/failure-signs'
import type { HeldCall, HeldResult } from '../calls/merge-calls'
import type { HeldStream, Place } from '../calls/merge-streams'
import { hasFailed, type PipelineRun, type PipelineTask } from './pipeline-run'
import type { ResultFact } from '../../model/event-facts'
import type { Span } from '../../model/span'

/** Of so many attempts of one task the first ones are listed one by one. */
const ATTEMPTS_MAX = 100

/**
 * The tasks of a run as calls: one for each attempt. That a task with three attempts failed twice before the last is what its number says; what an attempt
 * said is known as far as the log separates them. A hit of the cache is one call without an attempt.
 */
export function pipelineCalls({ tasks }: PipelineRun): { calls: HeldCall[]; results: HeldResult[] } {
  const calls: HeldCall[] = []
  const results: HeldResult[] = []
  const stream: HeldStream | null = tasks[0]
    ? { ...tasks[0].place.stream, id: 'tasks', identities: new Map() }
    : null
  let offset = 0
  for (const task of inTime(tasks)) {
    const { fact } = task
    const attempts = Math.max(fact.attempts ?? 1, 1)
    const told = Math.min(attempts, ATTEMPTS_MAX)
    for (let i = 1; i <= told; i++) {
      const number = i === told ? attempts : i
      const isLast = i === told
      const callId = attempts === 1 ? fact.id : `${fact.id} · attempt ${number}`
      const place: Place = {
        ...task.place,
        stream: stream!,
        offset: offset++,
        at: i === 1 ? fact.startedAt : null,
      }
      calls.push({
        place,
        call: {
          callId,
          tool: fact.id,
          target: null,
          inputDigest: fact.cacheKey ?? NO_INPUT,
          span: whole(task.place),
        },
        ...((fact.attempts ?? 0) > 1 && { counted: { number, max: null, asserted: true } }),
      })
      const result = isLast ? lastResult(task, callId) : earlierResult(task, callId, number)
      if (result)
        results.push({
          place: { ...result.place, stream: stream!, offset: offset++, at: isLast ? fact.finishedAt : null },
          result: result.result,
        })
    }
  }
  return { calls, results }
}

/** The order of the record is that of the graph; calls are in the order in which they were made. */
const inTime = (tasks: readonly PipelineTask[]): PipelineTask[] =>
  tasks.toSorted((a, b) => {
    const [left, right] = [a.fact.startedAt ?? '~', b.fact.startedAt ?? '~']
    return left === right ? a.fact.ordinal - b.fact.ordinal : left < right ? -1 : 1
  })

const whole = ({ keptStart, keptEnd }: Place): Span => ({ start: 0, end: keptEnd - keptStart })

interface ReadResult {
  place: Place
  result: ResultFact
}

function lastResult(task: PipelineTask, callId: string): ReadResult | null {
  const { fact, place, pack } = task
  if (!hasFailed(task)) {
    const ended = fact.status === 'passed' || fact.status === 'cached' || fact.status === 'skipped'
    return ended ? { place, result: { callId, failed: false, span: fact.span, ...timeOf(fact) } } : null
  }
  const error = fact.error
  // Where the command could not be compared the context pack has it as the tool cleaned it.
  const text =
    (error?.text.includes('[redacted:not-compared]') ? pack?.fact.error : null) ??
    error?.text ??
    pack?.fact.error ??
    undefined
  const span = error?.span ?? fact.span
  return {
    place,
    result: {
      callId,
      failed: true,
      ...signOf(task),
      span,
      ...(text !== undefined && { text, decisive: { text: capText(text.split('\n', 1)[0]!, 500), span } }),
      ...(error?.exitCode != null && { exitCode: error.exitCode }),
      ...timeOf(fact),
    },
  }
}

/** Time of all attempts together is that of none where there were several. */
const timeOf = ({ attempts, durationMs }: TaskFact): { durationMs?: number } =>
  (attempts ?? 1) <= 1 && durationMs !== null ? { durationMs } : {}

/** An attempt that was followed by another one has failed. */
function earlierResult(task: PipelineTask, callId: string, number: number): ReadResult {
  const found = task.log?.fact.attempts.find((one) => one.number === number)
  if (!found || !task.log)
    return {
      place: task.place,
      result: { callId, failed: true, span: task.fact.span },
    }
  const { text, span } = found
  const exitCode = /exit code (-?\d{1,9})\b/.exec(text)?.[1]
  return {
    place: task.log.place,
    result: {
      callId,
      failed: true,
      ...signOf(task),
      text,
      decisive: { text: capText(text, 500), span },
      span,
      ...(exitCode !== undefined && { exitCode: Number(exitCode) }),
    },
  }
}

/** How the record says that the task failed. */
const signOf = ({ fact }: PipelineTask): { signs?: FailureSign[] } => {
  const failure = fact.error?.failure
  return failure === 'command'
    ? { signs: ['command_failed'] }
    : failure === 'agent_step'
      ? { signs: ['agent_failed'] }
      : {}
}
