import type { DifferenceKind } from '../../model/parity'
import { isObject, type ExactJson, type ExactObject } from '../../text/exact-json'
import { doubleOf, isNumber } from '../../text/exact-number'
import type { DesignReason, DesignReasons } from '../../model/messages/parity'
import { firstThatHolds, type RuleTable } from '../rule-table'
import type { ByDesign } from './diff-values'
import { isOurRedaction } from './redaction-marks'
import { placeOfDiagnosis } from './severity'

/** The members of a row that the API of a NoETL server gives; the others it leaves out on purpose (diagnosis-and-parity §6.3, §7.1). */
const OF_THE_API = new Set([
  'execution_id',
  'catalog_id',
  'parent_execution_id',
  'parent_event_id',
  'event_id',
  'event_type',
  'node_id',
  'node_name',
  'status',
  'created_at',
  'timestamp',
  'context',
  'result',
  'error',
  'duration',
])
/** What of these the Rust server leaves out as well. */
const NOT_OF_RUST = new Set(['node_id', 'parent_execution_id', 'context', 'parent_event_id', 'duration'])

/** Columns without a zone, which the API may write with one. */
const TIMES = new Set(['created_at', 'timestamp'])

/** What the server merges into the context of a row beneath what was replied (§6.2). */
const OF_THE_TRANSPORT = new Set(['command_id', 'worker_id', 'request_id'])

/** Layers of which we keep the text: it was redacted when it came. The others are read as they are. */
const KEPT = new Set(['source', 'persisted'])

/** Where a layer comes from. */
export interface RowOrigin {
  /** Null: its rows are looked at, each by itself. */
  by: 'log' | 'api' | null
  isKept: boolean
  /** The whole of it: servers write different members. */
  document: ExactJson
}

/** Two values that differ, and where they are. */
interface Differing {
  kind: DifferenceKind
  left: ExactJson | undefined
  right: ExactJson | undefined
  tokens: readonly (string | number)[]
  around: readonly [ExactObject, ExactObject] | null
}

/** The same, and where the two come from. */
interface DifferingSides extends Differing {
  origins: readonly [RowOrigin, RowOrigin]
  /** The two give other members around the rows. */
  differsAround: boolean
}

type DesignTable<Facts> = RuleTable<Facts, true, Partial<DesignReasons>>

const rule = <Facts>(id: DesignReason, when: (facts: Facts) => boolean): DesignTable<Facts>[number] => ({
  id,
  when,
  verdict: true,
  params: () => ({}),
  basis: 'recomputed',
})

/** Between two ways to a document, whoever is at their ends. */
const ORIGIN_RULES: DesignTable<DifferingSides> = [
  rule('masked_by_api', ({ origins, kind, left, right, tokens }) =>
    isMaskOfApi(origins, kind, left, right, tokens),
  ),
  rule('redacted_here', ({ origins: [a, b], left, right, tokens }) =>
    isOurRedaction([left, right], [a.isKept, b.isKept], tokens),
  ),
  rule(
    'same_moment',
    ({ kind, left, right, tokens }) =>
      kind === 'changed_value' && TIMES.has(columnOf(tokens) ?? '') && isSameTime(left, right),
  ),
  // The API writes 0 for a duration that nobody measured.
  rule(
    'duration_not_measured',
    ({ left, right, tokens }) =>
      columnOf(tokens) === 'duration' &&
      [left, right].every((value) => value == null || (isNumber(value) && doubleOf(value) === 0)),
  ),
  // A column that contains nothing is left out by some.
  rule('empty_column', ({ kind, tokens }) => kind === 'null_vs_absent' && columnOf(tokens) !== null),
  // The API has a second name for the time of a row.
  rule('second_name', ({ around, tokens }) => around !== null && columnOf(tokens) === 'timestamp'),
  rule('column_left_out', ({ origins, kind, around, tokens }) => {
    const column = columnOf(tokens)
    if (around === null || column === null) return false
    const [lacking, holding] = kind === 'missing' ? ([1, 0] as const) : ([0, 1] as const)
    return isLeftOut(column, origins[lacking], around[lacking], origins[holding])
  }),
  // What is around the rows is made by the server that is asked; the log has nothing but rows, and a row for the run.
  rule(
    'around_rows',
    ({ differsAround, kind, tokens }) =>
      differsAround && isOneSided(kind) && tokens.length === 1 && tokens[0] !== 'events',
  ),
  // JSON that the log holds as text is given as what it says.
  rule(
    'parsed_json',
    ({ origins: [a, b], kind, left }) =>
      a.by === 'log' && b.by === 'api' && kind === 'stringified_json' && typeof left === 'string',
  ),
]

const isTransportId = (from: string, { kind, tokens }: Differing): boolean =>
  kind === 'extra' &&
  from === 'source' &&
  tokens.length === 5 &&
  tokens[3] === 'context' &&
  OF_THE_TRANSPORT.has(String(tokens[4]))

/** The column of a row that a place is; null: it is none. */
const columnOf = (tokens: Differing['tokens']): string | null =>
  tokens.length === 3 && tokens[0] === 'events' ? String(tokens[2]) : null

/** What explains differences between two layers of a document. @see docs/parity.md#by-design */
export function byDesignBetween(from: string, to: string, left: ExactJson, right: ExactJson): ByDesign {
  const originOf = (layer: string, document: ExactJson): RowOrigin => ({
    by: layer === 'event_log' ? 'log' : layer === 'api' ? 'api' : null,
    isKept: KEPT.has(layer),
    document,
  })
  const ofTellers = byDesignOf(originOf(from, left), originOf(to, right))
  return (kind, a, b, tokens, around) => {
    if (isTransportId(from, { kind, left: a, right: b, tokens, around })) return 'transport_id'
    // Both are made of the same bytes, which no server writes anew: nothing but a captured reply is between them.
    if (KEPT.has(from) && KEPT.has(to))
      return isOurRedaction([a, b], [true, true], tokens) ? 'redacted_here' : null
    return ofTellers(kind, a, b, tokens, around)
  }
}

/** The same, by where the two come from. */
export function byDesignOf(left: RowOrigin, right: RowOrigin): ByDesign {
  const origins = [left, right] as const
  const differsAround =
    origins.some(({ by }) => by === 'log') ||
    origins.some(
      ({ document }) => isObject(document) && Object.keys(document).every((key) => key === 'events'),
    ) ||
    isRust(left.document) !== isRust(right.document)
  return (kind, a, b, tokens, around) =>
    firstThatHolds(ORIGIN_RULES, { kind, left: a, right: b, tokens, around, origins, differsAround })?.rule ??
    null
}

const isRust = (document: ExactJson): boolean => isObject(document) && Object.hasOwn(document, 'started_at')

const isOneSided = (kind: DifferenceKind): boolean =>
  kind === 'missing' || kind === 'extra' || kind === 'null_vs_absent'

/** Whether the origin of a row leaves a column out of every row, which the other one has. The log is read in the shape of the API. */
function isLeftOut(
  column: string,
  { by, isKept, document }: RowOrigin,
  row: ExactObject,
  holding: RowOrigin,
): boolean {
  if (isKept && isOfTables(row)) return false
  if (!OF_THE_API.has(column)) return holding.by !== 'api' || holding.isKept
  return (
    NOT_OF_RUST.has(column) && (isKept ? !Object.hasOwn(row, 'node_id') : by === 'api' && isRust(document))
  )
}

/** Whether a row was read from the tables, and not from the API, which has fewer columns. */
export const isOfTables = (row: ExactJson): boolean =>
  isObject(row) && Object.keys(row).some((key) => !OF_THE_API.has(key))

/** Whether a value is what a server writes in the place of a secret. */
const isMaskText = (value: ExactJson | undefined): boolean =>
  typeof value === 'string' &&
  (/^(?:\*{3,}|[[<(*]+(?:redacted|masked|hidden|filtered)[\])>*]+)$/i.test(value) ||
    /^(?:REDACTED|MASKED|HIDDEN|FILTERED)$/.test(value))

/**
 * Whether the API hides a secret that its neighbour has. It hides what a field holds, not objects and lists; in a diagnosis only where the log shows what it was, or
 * where what follows has it again.
 */
export function isMaskOfApi(
  [left, right]: readonly [Pick<RowOrigin, 'by'>, Pick<RowOrigin, 'by'>],
  kind: DifferenceKind,
  a: ExactJson | undefined,
  b: ExactJson | undefined,
  tokens: readonly (string | number)[],
): boolean {
  if (kind !== 'changed_value' && kind !== 'changed_type') return false
  const isMasked =
    (right.by === 'api' && isMaskText(b) && isHidden(a)) ||
    (left.by === 'api' && isMaskText(a) && isHidden(b))
  if (!isMasked) return false
  const place = placeOfDiagnosis(tokens)
  return place === 'elsewhere' || (place === 'inside' && (left.by === 'api' || left.by === 'log'))
}

/** A text can contain an envelope, and what a mask stands for is not that. */
const isHidden = (value: ExactJson | undefined): boolean =>
  value !== undefined &&
  !isObject(value) &&
  !Array.isArray(value) &&
  !(typeof value === 'string' && /^\s*[[{]/.test(value) && value.includes('"diagnosis"'))

/** Whether two texts are one moment: without a zone it is UTC. Digits behind the milliseconds have to be the same. */
function isSameTime(left: ExactJson | undefined, right: ExactJson | undefined): boolean {
  const [a, b] = [left, right].map((value) => {
    const parts =
      typeof value === 'string'
        ? /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d(?::?\d\d)?)?$/.exec(value)
        : null
    if (parts === null) return null
    const [, day, time, fraction = '', zone = 'Z'] = parts
    const at = Date.parse(`${day}T${time}${/^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone}`)
    return Number.isNaN(at) ? null : `${at} ${fraction.replace(/0+$/, '')}`
  })
  return a !== null && a === b
}
