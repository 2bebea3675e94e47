import { exactJsonText, isObject, type ExactJson } from '../../text/exact-json'
import { byDesignOf, isOfTables, type RowOrigin } from './by-design'
import type { FormInput } from './compare-forms'
import { diffValues, type ByDesign } from './diff-values'

/** One row that two kept documents tell. */
export interface RetoldRow {
  eventId: string
  /** As it is read: of all tellings the one that stands. */
  used: ExactJson
  other: ExactJson
  /** Whether the telling that stands is of the engine's tables, which hold what its API leaves out. */
  usedOfTables: boolean
  /** Where the other telling is kept. */
  received: string
  byteStart: number
  byteEnd: number
}

/** Where a row is told otherwise: the pointer of its first token behind `/events` is its place in the list. */
export type Retold = Pick<RetoldRow, 'eventId' | 'received' | 'byteStart' | 'byteEnd'>

/** The rows that kept documents tell differently, as two layers of one form; null when what they say of each row is the same. */
export function retoldForm(all: readonly RetoldRow[]): { form: FormInput; retold: Retold[] } | null {
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
      form: 'telling',
      ways: { design: () => design },
      layers: [
        { layer: 'source', text: exactJsonText(documentOf(differing.map(({ used }) => used))) },
        { layer: 'retold', text: exactJsonText(documentOf(differing.map(({ other }) => other))) },
      ],
    },
    retold: differing.map(({ eventId, received, byteStart, byteEnd }) => ({
      eventId,
      received,
      byteStart,
      byteEnd,
    })),
  }
}

/** Whose a row is some servers say only around it; both tellings are of one run. */
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
function designOf(rows: readonly Pick<RetoldRow, 'used' | 'other' | 'usedOfTables'>[]): ByDesign {
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
