import { isObject, member, type ExactJson, type ExactObject } from '../exact-json'
import { eventIdOf, eventTypeOf, rowResult, rowsOf } from '../diagnosis/event-row'
import { byCodePoint } from './differences'

/** What the source's own check reports: a lost diagnosis, another lost object, lost keys of one that is there. */
export interface NestedKeyIssue {
  code: 'NESTED_DICT_LOSS' | 'NESTED_DICT_MISSING' | 'NESTED_DICT_KEY_LOSS'
  path: string
}

export interface StepIssue extends NestedKeyIssue {
  step: string
  eventType: string
}

export type LiveVerdict =
  | { verdict: 'pass'; terminalEvents: number; comparisons: number }
  | { verdict: 'fail'; reason: 'no_events' | 'no_terminal_events' | 'issues'; issues: StepIssue[] }

const DIAGNOSIS_PATH = 'result.context.error.diagnosis'

/**
 * The source's own check of one value against another, to say what it says: it looks at the keys of objects only, so it sees no changed value,
 * and it reports every object within a list. `compareLayers` is ours.
 */
export function nestedKeyParity(live: ExactJson, persisted: ExactJson): NestedKeyIssue[] {
  const objects: { path: string; keys: readonly string[]; value: ExactObject }[] = []
  collect(live, [], objects)
  return objects.sort((a, b) => byCodePoint(a.path, b.path)).flatMap(({ path, keys, value }): NestedKeyIssue[] => {
    const other = keys.reduce<unknown>(member, persisted)
    const isDiagnosis = path === DIAGNOSIS_PATH || path.startsWith(`${DIAGNOSIS_PATH}.`)
    if (!isObject(other)) return [{ code: isDiagnosis ? 'NESTED_DICT_LOSS' : 'NESTED_DICT_MISSING', path }]
    return Object.keys(value).every((key) => Object.hasOwn(other, key)) ? [] : [{ code: 'NESTED_DICT_KEY_LOSS', path }]
  })
}

function collect(value: ExactJson, keys: readonly string[], into: { path: string; keys: readonly string[]; value: ExactObject }[]): void {
  if (Array.isArray(value)) return value.forEach((item, i) => collect(item, [...keys, String(i)], into))
  if (!isObject(value)) return
  if (keys.length > 0) into.push({ path: keys.join('.'), keys, value })
  for (const key of Object.keys(value)) collect(value[key]!, [...keys, key], into)
}

const TERMINAL_STEP_TYPES = ['call.done', 'call.error', 'step.exit', 'command.completed', 'command.failed', 'command.cancelled']

/** The source's live check of a run: the first row of each step against its later ones. What every row of a step lost, it cannot see. */
export function liveStepParity(document: ExactJson): LiveVerdict {
  const own = rowsOf(document)
  const rows = own.length > 0 ? own : rowsOf(member(document, 'data'))
  if (rows.length === 0) return { verdict: 'fail', reason: 'no_events', issues: [] }
  const terminal = rows.filter((row) => TERMINAL_STEP_TYPES.includes(eventTypeOf(row)))
  if (terminal.length === 0) return { verdict: 'fail', reason: 'no_terminal_events', issues: [] }
  const steps = new Map<string, ExactJson[]>()
  for (const row of terminal) {
    const ofStep = steps.get(stepOf(row))
    if (ofStep === undefined) steps.set(stepOf(row), [row])
    else ofStep.push(row)
  }
  const issues: StepIssue[] = []
  let comparisons = 0
  for (const [step, ofStep] of steps) {
    const [first, ...later] = ofStep.toSorted(byEventId)
    for (const row of later) {
      comparisons++
      const found = nestedKeyParity({ result: resultObject(first) }, { result: resultObject(row) })
      issues.push(...found.map((issue) => ({ step, eventType: eventTypeOf(row), ...issue })))
    }
  }
  return issues.length > 0 ? { verdict: 'fail', reason: 'issues', issues } : { verdict: 'pass', terminalEvents: terminal.length, comparisons }
}

/** A result that is no object counts as an empty one. */
function resultObject(row: ExactJson | undefined): ExactObject {
  const result = rowResult(row)
  return isObject(result) ? result : {}
}

const stepOf = (row: ExactJson): string => {
  const name = member(row, 'node_name')
  return typeof name === 'string' ? name : ''
}

function byEventId(a: ExactJson, b: ExactJson): number {
  const [idA, idB] = [eventIdOf(a) ?? 0n, eventIdOf(b) ?? 0n]
  return idA < idB ? -1 : idA > idB ? 1 : 0
}
