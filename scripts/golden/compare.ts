import { VOCABULARY, type Entity, type Entry, type Value } from './vocabulary'

/** One difference between the record and what the product concludes now. */
export interface Difference {
  source: string
  entity: Entity
  key: string[]
  /** Null: the whole entry came or went. */
  field: string | null
  before: Value | undefined
  after: Value | undefined
}

const keyText = ({ entity, key }: Pick<Entry, 'entity' | 'key'>): string => [entity, ...key].join('\u0000')

/** Differences of one source, in the order of the record; new entries come last. */
export function compareEntries(
  source: string,
  before: readonly Entry[],
  after: readonly Entry[],
): Difference[] {
  const now = new Map(after.map((entry) => [keyText(entry), entry]))
  const differences: Difference[] = []
  for (const entry of before) {
    const id = keyText(entry)
    const found = now.get(id)
    now.delete(id)
    const { entity, key } = entry
    if (!found)
      differences.push({
        source,
        entity,
        key,
        field: null,
        before: entry.fields.outcome ?? 'recorded',
        after: undefined,
      })
    else differences.push(...compareFields(source, entry, found))
  }
  for (const { entity, key, fields } of now.values())
    differences.push({ source, entity, key, field: null, before: undefined, after: fields.outcome ?? 'new' })
  return differences
}

function compareFields(source: string, before: Entry, after: Entry): Difference[] {
  const { entity, key } = before
  const fields = new Set<string>([...VOCABULARY[entity], ...Object.keys(before.fields)])
  return [...fields].flatMap((field) => {
    const [was, is] = [before.fields[field], after.fields[field]]
    return JSON.stringify(was) === JSON.stringify(is)
      ? []
      : [{ source, entity, key, field, before: was, after: is }]
  })
}

/** What the parts of a key are called, where they are more than a name. */
const KEY_WORDS: Partial<Record<Entity, string[]>> = {
  execution: ['execution'],
  failure: ['execution', 'failure'],
  call: ['execution', 'call'],
  chain: ['execution', 'chain'],
  disagreement: ['execution', 'call', 'fact'],
  decision: ['decision on execution'],
  policyVerdict: ['verdict on', 'under policy'],
  jobAttempt: ['retry chain', 'execution'],
  repeatedEffect: ['execution', 'rule', 'effect'],
  receiptFinding: ['execution', 'receipt finding'],
  storedChain: ['receipt chain'],
  receiptChain: ['receipt chain'],
  receipt: ['receipt chain', 'receipt'],
  diagnosis: ['execution', 'diagnosis at step', 'of agent run'],
  parity: ['parity of'],
  difference: ['parity of', 'layers', 'path', 'kind'],
  part: ['part'],
  redaction: ['part', 'redaction mark'],
  failureSignal: ['failure signal of'],
  hookRun: ['hook run'],
  answer: ['case', 'operation'],
}

const named = ({ entity, key }: Pick<Entry, 'entity' | 'key'>): string => {
  const labels = KEY_WORDS[entity]
  if (!labels) return `${entity} ${key.join(' ')}`
  return key
    .flatMap((part, i) => (part === '' ? [] : labels[i] === undefined ? part : `${labels[i]} ${part}`))
    .join(', ')
}

/** A difference in one line: where it is, the field, before -> after. */
export function differenceText(difference: Difference): string {
  const { source, field, before, after } = difference
  const place = `${source}: ${named(difference)}`
  if (field === null)
    return after === undefined ? `${place}: missing, was recorded` : `${place}: new, was not recorded`
  const [was, is] = isMap(before) && isMap(after) ? changedMembers(before, after) : [before, after]
  return `${place}: ${field} ${valueText(was)} -> ${valueText(is)}`
}

type ValueMap = { readonly [key: string]: Value }
const isMap = (value: Value | undefined): value is ValueMap & Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Of two maps only the members that differ. */
function changedMembers(before: ValueMap, after: ValueMap): [Value, Value] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => before[key] !== after[key],
  )
  const pick = (of: ValueMap): Value =>
    Object.fromEntries(keys.flatMap((key) => (of[key] === undefined ? [] : [[key, of[key]]]))) as Value
  return [pick(before), pick(after)]
}

const VALUE_CHARS_MAX = 160
function valueText(value: Value | undefined): string {
  const text = value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > VALUE_CHARS_MAX ? `${text.slice(0, VALUE_CHARS_MAX)}…` : text
}

/** The first differences, each in a line, and how many more there are. */
export function firstDifferences(differences: readonly Difference[], max = 20): string {
  const more = differences.length - max
  const lines = differences.slice(0, max).map(differenceText)
  return [...lines, ...(more > 0 ? [`… and ${more} more differences`] : [])].join('\n')
}

/** Differences grouped by field: the count of each first, then each difference. */
export function differencesByField(differences: readonly Difference[]): string[] {
  const groups = new Map<string, Difference[]>()
  for (const difference of differences) {
    const { entity, field, after } = difference
    const name =
      field === null
        ? `${entity} entries ${after === undefined ? 'missing' : 'new'}`
        : `field ${entity}.${field}`
    groups.set(name, [...(groups.get(name) ?? []), difference])
  }
  const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
  const changes = (n: number): string => (n === 1 ? '1 change' : `${n} changes`)
  return [
    ...sorted.map(([name, all]) => `${name}: ${changes(all.length)}`),
    ...sorted.flatMap(([name, all]) => ['', name, ...all.map((one) => `  ${differenceText(one)}`)]),
  ]
}
