import { limits } from '../limits'
import { pointerTo } from '../judge/calls/merge-streams'
import { hasFailed, type PipelineRun, type PipelineTask } from '../judge/outcomes/pipeline-run'
import { reproduceOf } from '../judge/causes/pipeline-cause'
import type { PipelineDetail, PipelineTaskDetail } from '../model/pipeline'

const TASKS_MAX = 200
/** Failed tasks of which the end of the log is kept beside the bytes. */
const TAILS_MAX = 5

export function detailOf(run: PipelineRun): PipelineDetail {
  const { record, tasks, loosePacks, patches } = run
  const fact = record?.fact
  // What failed is what a reader came for: it is never among those that are left out.
  const listed = new Set(
    [...tasks.filter(hasFailed), ...tasks.filter((task) => !hasFailed(task))].slice(0, TASKS_MAX),
  )
  let tails = 0
  return {
    pipeline: fact?.pipeline ?? null,
    job: fact?.job ?? null,
    mode: fact?.mode ?? null,
    status: fact?.status ?? null,
    alone: fact?.alone ?? false,
    sources: fact?.sources ?? [],
    tasks: tasks
      .filter((task) => listed.has(task))
      .map((task) => taskDetail(task, hasFailed(task) && ++tails <= TAILS_MAX)),
    tasksLeftOut: Math.max(fact?.tasks ?? 0, tasks.length) - listed.size,
    notListed: loosePacks.slice(0, TASKS_MAX).map((pack) => pack.fact.task),
    patches: patches
      .slice(0, limits.runPatchesMax)
      .map(({ place, fact: { span, ...patch } }) => ({ ...patch, pointer: pointerTo(place, span) })),
  }
}

function taskDetail(task: PipelineTask, withTail: boolean): PipelineTaskDetail {
  const { place, fact, pack, log, exchange, sharesFiles } = task
  const failed = hasFailed(task)
  return {
    id: fact.id,
    status: fact.status,
    attempts: fact.attempts,
    startedAt: fact.startedAt,
    finishedAt: fact.finishedAt,
    durationMs: fact.durationMs,
    cacheKey: fact.cacheKey,
    cacheHit: fact.cacheHit === true,
    metadata: fact.metadata ?? {},
    error: fact.error?.text ?? null,
    failure: fact.error?.failure ?? null,
    exitCode: fact.error?.exitCode ?? null,
    pointer: pointerTo(place, fact.error?.span ?? fact.span),
    reproduce: failed ? reproduceOf(task) : null,
    attemptsInLog: log?.fact.attempts.length ?? 0,
    log: {
      state: log ? 'kept' : sharesFiles ? 'shared' : 'none',
      pointer: log && pointerTo(log.place, log.fact.span),
      dropped: log?.fact.dropped ?? null,
      cutBytes: log?.fact.cutBytes ?? null,
    },
    context: pack && {
      logTail: withTail ? pack.fact.logTail : null,
      inputs: pack.fact.inputDiff,
      claims: pack.fact.claims,
      pointer: pointerTo(pack.place, pack.fact.span),
    },
    agent: exchange && {
      profile: exchange.fact.profile,
      model: exchange.fact.model,
      code: exchange.fact.response?.code ?? null,
      timedOut: exchange.fact.response?.timedOut ?? null,
      pointer: pointerTo(exchange.place, exchange.fact.span),
    },
  }
}
