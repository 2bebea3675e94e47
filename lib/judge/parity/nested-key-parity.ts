import { isObject, member, memberAt, type ExactJson, type ExactObject } from '../../text/exact-json'
import { eventIdOf, eventTypeOf, rowResult, rowsOf } from '../../formats/noetl/event-row'
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
 * The source's own check of one value against another, to say what it says: it looks at the keys of objects only, so it sees no changed
 * value, and it reports every object within a list. `compareLayers` is ours.
 */
export function nestedKeyParity(live: ExactJson, persisted: ExactJson): NestedKeyIssue[] {
  const objects: { path: string; value: ExactObject }[] = []
  if (isObject(live)) collect(live, '', objects)
  return objects
    .sort((a, b) => byCodePoint(a.path, b.path))
    .flatMap(({ path, value }): NestedKeyIssue[] => {
      // It finds its way by the path alone, so a key with a dot leads nowhere.
      const other = memberAt(persisted, ...path.split('.'))
      const isDiagnosis = path === DIAGNOSIS_PATH || path.startsWith(`${DIAGNOSIS_PATH}.`)
      if (!isObject(other)) return [{ code: isDiagnosis ? 'NESTED_DICT_LOSS' : 'NESTED_DICT_MISSING', path }]
      return Object.keys(value).every((key) => Object.hasOwn(other, key))
        ? []
        : [{ code: 'NESTED_DICT_KEY_LOSS', path }]
    })
}

/** The objects below a value. Of a list only its objects are looked into, not lists within it. */
function collect(value: ExactObject, path: string, into: { path: string; value: ExactObject }[]): void {
  for (const key of Object.keys(value)) {
    const below = path === '' ? key : `${path}.${key}`
    const one = value[key]!
    const items: [string, ExactJson][] = Array.isArray(one)
      ? one.map((item, i) => [`${below}.${i}`, item])
      : [[below, one]]
    for (const [at, item] of items) {
      if (!isObject(item)) continue
      into.push({ path: at, value: item })
      collect(item, at, into)
    }
  }
}

const TERMINAL_STEP_TYPES = [
  'call.done',
  'call.error',
  'step.exit',
  'command.completed',
  'command.failed',
  'command.cancelled',
]

/** The source's live check of a run: the first row of each step against its later ones. What every row of a step lost, it cannot see. */
export function liveStepParity(document: ExactJson): LiveVerdict {
  const rows = rowsOf(Array.isArray(member(document, 'events')) ? document : member(document, 'data'))
  if (rows.length === 0) return { verdict: 'fail', reason: 'no_events', issues: [] }
  const terminal = rows.filter((row) => TERMINAL_STEP_TYPES.includes(eventTypeOf(row)))
  if (terminal.length === 0) return { verdict: 'fail', reason: 'no_terminal_events', issues: [] }
  const pairs = stepPairs(rows)
  const issues = pairs.flatMap((pair) =>
    issuesOf(pair).map(
      (issue): StepIssue => ({ step: pair.step, eventType: eventTypeOf(pair.later), ...issue }),
    ),
  )
  if (issues.length > 0) return { verdict: 'fail', reason: 'issues', issues }
  return { verdict: 'pass', terminalEvents: terminal.length, comparisons: pairs.length }
}

/** The first row of a step, and one that came later. */
export interface StepPair {
  step: string
  first: ExactJson
  later: ExactJson
}

/** What the source's check holds against each other. */
export function stepPairs(rows: readonly ExactJson[]): StepPair[] {
  const steps = new Map<string, ExactJson[]>()
  for (const row of rows) {
    if (!TERMINAL_STEP_TYPES.includes(eventTypeOf(row))) continue
    const ofStep = steps.get(stepOf(row))
    if (ofStep === undefined) steps.set(stepOf(row), [row])
    else ofStep.push(row)
  }
  return [...steps].flatMap(([step, ofStep]) => {
    const [first, ...others] = ofStep.toSorted(byEventId)
    return others.map((later) => ({ step, first: first!, later }))
  })
}

/** What a later row of a step lost of the result of its first one, as the source's check reports it. */
export const issuesOf = ({ first, later }: StepPair): NestedKeyIssue[] =>
  nestedKeyParity({ result: resultObject(first) }, { result: resultObject(later) })

/** A result that is no object counts as an empty one. */
export function resultObject(row: ExactJson | undefined): ExactObject {
  const result = rowResult(row)
  return isObject(result) ? result : {}
}

function stepOf(row: ExactJson): string {
  const names = ['node_name', 'node_id', 'step'].map((key) => member(row, key))
  return (names.find((name) => typeof name === 'string' && name !== '') as string | undefined) ?? '<unknown>'
}

function byEventId(a: ExactJson, b: ExactJson): number {
  const [idA, idB] = [eventIdOf(a) ?? 0n, eventIdOf(b) ?? 0n]
  return idA < idB ? -1 : idA > idB ? 1 : 0
}
