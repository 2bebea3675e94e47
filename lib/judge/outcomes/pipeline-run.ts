import { taskFileName } from '../../formats/async-pipeline/layout'
import type {
  ContextPackFact,
  ExchangeFact,
  PatchFileFact,
  PipelineRunFact,
  TaskFact,
  TaskLogFact,
} from '../../model/pipeline-facts'
import type { Place } from '../calls/merge-streams'
import type { Judgement } from './outcome'
import type { AttemptedTask } from '../../model/pipeline'
import type { EventFacts } from '../../model/event-facts'

export interface Held<Fact> {
  place: Place
  fact: Fact
}

/** A task of a run, with what its other files say of it. */
export interface PipelineTask extends Held<TaskFact> {
  pack: Held<ContextPackFact> | null
  /** Null where there is none, or where its task is unknown. */
  log: Held<TaskLogFact> | null
  /** Another task of the run has the same name for its files. */
  sharesFiles: boolean
  exchange: Held<ExchangeFact> | null
}

/** A run of a pipeline, as its files tell it. */
export interface PipelineRun {
  /** Null: its record is not here. */
  record: Held<PipelineRunFact> | null
  tasks: PipelineTask[]
  /** Context packs of tasks that the record does not list. */
  loosePacks: Held<ContextPackFact>[]
  patches: Held<PatchFileFact>[]
}

/** A log as facts name it today: 0.1.0 stored its attempts as `tries`. */
function logToday(stored: TaskLogFact & { tries?: TaskLogFact['attempts'] }): TaskLogFact {
  const { tries, ...fact } = stored
  return tries === undefined ? fact : { ...fact, attempts: tries }
}

/**
 * Collects the files of a run, in any order. A run that was taken in while it went on has its record several times: the one that is furthest stands,
 * and of two that are as far that which came with the files beside it.
 */
export function collectPipeline(): {
  add(place: Place, facts: EventFacts): void
  read(): PipelineRun | null
} {
  const records: Held<PipelineRunFact>[] = []
  const tasks: Held<TaskFact>[] = []
  const packs: Held<ContextPackFact>[] = []
  const logs: Held<TaskLogFact>[] = []
  const exchanges: Held<ExchangeFact>[] = []
  const patches: Held<PatchFileFact>[] = []
  return {
    add(place, facts) {
      if (facts.pipelineRun) records.push({ place, fact: facts.pipelineRun })
      if (facts.pipelineTask) tasks.push({ place, fact: facts.pipelineTask })
      if (facts.contextPack) packs.push({ place, fact: facts.contextPack })
      if (facts.taskLog) logs.push({ place, fact: logToday(facts.taskLog) })
      if (facts.exchange) exchanges.push({ place, fact: facts.exchange })
      if (facts.patchFile) patches.push({ place, fact: facts.patchFile })
    },
    read() {
      if (
        records.length === 0 &&
        packs.length === 0 &&
        logs.length === 0 &&
        exchanges.length === 0 &&
        patches.length === 0
      )
        return null
      const record = furthest(records, ({ fact }) => [
        Number(fact.finishedAt !== null),
        fact.tasks,
        Number(!fact.alone),
      ])
      const own = tasks
        .filter(({ place }) => record !== null && isWithin(place, record.place))
        .sort((a, b) => a.fact.ordinal - b.fact.ordinal)
      const byTask = new Map<string, number>()
      for (const { fact } of own)
        byTask.set(taskFileName(fact.id), (byTask.get(taskFileName(fact.id)) ?? 0) + 1)
      const listed = new Set(own.map(({ fact }) => fact.id))
      return {
        record,
        tasks: own.map(({ place, fact }): PipelineTask => {
          const stem = taskFileName(fact.id)
          const sharesFiles = byTask.get(stem)! > 1
          return {
            place,
            fact,
            sharesFiles,
            pack: furthest(
              packs.filter((one) => one.fact.task === fact.id),
              ({ fact: { attempts } }) => [attempts ?? 0],
            ),
            log: sharesFiles
              ? null
              : furthest(
                  logs.filter((one) => one.fact.stem === stem),
                  ({ fact: { chars, cutBytes } }) => [chars + (cutBytes ?? 0)],
                ),
            exchange: latest(exchanges.filter((one) => one.fact.task === fact.id)),
          }
        }),
        loosePacks: distinct(
          packs.filter(({ fact }) => !listed.has(fact.task)),
          ({ fact }) => fact.task,
        ),
        patches: distinct(patches, ({ fact }) => `${fact.origin} ${fact.of} ${fact.fileName} ${fact.sha256}`),
      }
    },
  }
}

/** A task is inside of the record that lists it. */
const isWithin = (inner: Place, outer: Place): boolean =>
  inner.received === outer.received && inner.keptStart >= outer.keptStart && inner.keptEnd <= outer.keptEnd

/** Does not depend on the order in which files came. */
const placeKey = ({ received, keptStart }: Place): string =>
  `${received} ${String(keptStart).padStart(12, '0')}`

/** The greatest by its numbers, the first of them first. */
function furthest<Fact>(
  held: readonly Held<Fact>[],
  numbersOf: (one: Held<Fact>) => number[],
): Held<Fact> | null {
  let best: { one: Held<Fact>; key: number[] } | null = null
  for (const one of held) {
    const key = numbersOf(one)
    const differing = best === null ? -1 : key.findIndex((number, i) => number !== best!.key[i])
    const wins =
      best === null ||
      (differing === -1
        ? placeKey(one.place) < placeKey(best.one.place)
        : key[differing]! > best.key[differing]!)
    if (wins) best = { one, key }
  }
  return best?.one ?? null
}

const latest = (held: readonly Held<ExchangeFact>[]): Held<ExchangeFact> | null =>
  held
    .toSorted((a, b) => {
      const [left, right] = [a.fact.at ?? '', b.fact.at ?? '']
      return left === right ? (placeKey(a.place) < placeKey(b.place) ? 1 : -1) : left < right ? -1 : 1
    })
    .at(-1) ?? null

function distinct<Fact>(held: readonly Held<Fact>[], keyOf: (one: Held<Fact>) => string): Held<Fact>[] {
  const byKey = new Map<string, Held<Fact>>()
  for (const one of held) {
    const known = byKey.get(keyOf(one))
    if (!known || placeKey(one.place) < placeKey(known.place)) byKey.set(keyOf(one), one)
  }
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}

/** Whether a task came to a bad end. Words that no list here knows claim nothing. */
export const hasFailed = ({ fact }: Pick<PipelineTask, 'fact'>): boolean => fact.status === 'failed'

/** The task that broke the run: the one that failed first in time; the record lists them as the graph has them. */
export function brokenTask({ tasks }: Pick<PipelineRun, 'tasks'>): PipelineTask | null {
  const failed = tasks.filter(hasFailed)
  const at = ({ fact }: PipelineTask): string => fact.finishedAt ?? fact.startedAt ?? '~'
  return failed.reduce<PipelineTask | null>(
    (first, task) => (first === null || at(task) < at(first) ? task : first),
    null,
  )
}

const WORKS_MAX = 200

/**
 * The tasks by which a run is an attempt of something: of a run that failed those that failed, and of one that passed all of them, since one of them may be
 * what failed before. A task that passed in a run that failed says nothing of how the run ended, and a hit of the cache tried nothing.
 */
export function attemptedTasks({ record, tasks }: PipelineRun, { outcome }: Judgement): AttemptedTask[] {
  if (record === null || (outcome !== 'failed' && outcome !== 'succeeded')) return []
  const { pipeline, job } = record.fact
  if (!pipeline || !job) return []
  return tasks
    .filter((task) => (outcome === 'succeeded' ? task.fact.status === 'passed' : hasFailed(task)))
    .slice(0, WORKS_MAX)
    .map((task) => ({
      pipeline,
      job,
      task: task.fact.id,
      inputs: task.fact.cacheKey,
      failed: hasFailed(task),
    }))
}
