import { MAPPING, type Mapping } from './mapping'
import type { Conclusions, ProductRows } from './product-rows'
import { ENTITIES, VOCABULARY, type Entity, type Entry, type Field } from './vocabulary'

/**
 * The record of a source: entries in the order of the vocabulary, then of their keys. Nothing depends on
 * the order of rows.
 */
export const recordOf = (all: Conclusions): Entry[] =>
  ENTITIES.flatMap((entity) => entriesOf(entity, all[entity]))

function entriesOf<E extends Entity>(entity: E, rows: readonly ProductRows[E][]): Entry[] {
  const { key, fields } = MAPPING[entity] as Mapping[E]
  const entries = rows.map(
    (row): Entry => ({
      entity,
      key: key(row).map((part) => (part === null ? '' : String(part))),
      fields: Object.fromEntries(VOCABULARY[entity].map((field) => [field, fields[field as Field<E>](row)])),
    }),
  )
  return numbered(entries)
}

/** Sorts by key and numbers equal keys, in the order of their values. */
function numbered(entries: Entry[]): Entry[] {
  const sorted = entries
    .map((entry) => ({ entry, at: sortKey(entry.key), value: JSON.stringify(entry.fields) }))
    .sort((a, b) => order(a.at, b.at) || order(a.value, b.value))
  let times = 0
  return sorted.map(({ entry, at }, i) => {
    times = i > 0 && sorted[i - 1]!.at === at ? times + 1 : 1
    return times === 1 ? entry : { ...entry, key: [...entry.key, `no. ${times}`] }
  })
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
/** Whole numbers in their own order, so that a change early in a list does not move the entries after it. */
const sortKey = (key: readonly string[]): string =>
  key.map((part) => (/^\d{1,12}$/.test(part) ? part.padStart(12, '0') : part)).join('\u0000')
