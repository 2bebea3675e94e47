import { exactJsonText, isObject, type ExactJson } from '../../text/exact-json'
import { byDesignOf, isOfTables, type RowOrigin } from './by-design'
import type { FormInput } from './compare-forms'
import { diffValues, type ByDesign } from './diff-values'

/** A row of which two raw records have different versions. */
export interface RowVersions {
  eventId: string
  /** The version in use. */
  used: ExactJson
  other: ExactJson
  /** Whether the version in use is of the engine's tables, which contain what its API leaves out. */
  usedOfTables: boolean
  /** Where the other version is stored. */
  received: string
  byteStart: number
  byteEnd: number
}

/** Where the other version of a row is: the first token behind `/events` of its pointer is its place in the list. */
export type RowVersion = Pick<RowVersions, 'eventId' | 'received' | 'byteStart' | 'byteEnd'>

/** The rows with different versions in several raw records, as two layers of one form; null if all versions are equal. */
export function versionsForm(
  all: readonly RowVersions[],
): { form: FormInput; versions: RowVersion[] } | null {
  const rows = all.map((row) => ({
    ...row,
    used: whose(row.used, row.other),
    other: whose(row.other, row.used),
  }))
  const differing = rows.filter(
    (row) =>
      diffValues(documentOf([row.used]), documentOf([row.other]), designOf([row])).differences.length > 0,
  )
  if (differing.length === 0) return null
  const design = designOf(differing)
  return {
    form: {
      form: 'versions',
      ways: { design: () => design },
      layers: [
        { layer: 'source', text: exactJsonText(documentOf(differing.map(({ used }) => used))) },
        { layer: 'retold', text: exactJsonText(documentOf(differing.map(({ other }) => other))) },
      ],
    },
    versions: differing.map(({ eventId, received, byteStart, byteEnd }) => ({
      eventId,
      received,
      byteStart,
      byteEnd,
    })),
  }
}

/** Some servers name the run of a row only around it; both versions are of one run. */
function whose(row: ExactJson, other: ExactJson): ExactJson {
  if (!isObject(row) || !isObject(other)) return row
  const lacking = ['execution_id', 'catalog_id'].filter(
    (key) => !Object.hasOwn(row, key) && Object.hasOwn(other, key),
  )
  return lacking.length === 0
    ? row
    : { ...row, ...Object.fromEntries(lacking.map((key) => [key, other[key]!])) }
}

const documentOf = (events: ExactJson[]): ExactJson => ({ events })

/** What two ways to a row explain: the tables hold more columns than the API gives, and a Rust server gives fewer than another. Each row has its own two. */
function designOf(rows: readonly Pick<RowVersions, 'used' | 'other' | 'usedOfTables'>[]): ByDesign {
  const originOf = (ofTables: boolean): RowOrigin => ({
    by: ofTables ? 'log' : 'api',
    isKept: true,
    document: null,
  })
  const designs = rows.map(({ used, other, usedOfTables }) =>
    byDesignOf(originOf(usedOfTables || isOfTables(used)), originOf(isOfTables(other))),
  )
  return (kind, left, right, tokens, around) =>
    designs[Number(tokens[1])]?.(kind, left, right, tokens, around) ?? null
}
