import { WrittenNumber } from '../../text/exact-number'

/** JSON values as the source of the rules sees them; reading them out of a text is `python-json.ts`. */
export type JsonRecord = Record<string, unknown>

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof WrittenNumber)

/** Null, false, zero and everything empty are false; everything else is true. */
export function isTruthy(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === 0 || value === '') return false
  if (Array.isArray(value)) return value.length > 0
  if (value instanceof WrittenNumber) return Number(value.digits) !== 0
  return isRecord(value) ? Object.keys(value).length > 0 : true
}

const isIndex = (key: string): boolean => /^(?:0|[1-9]\d{0,9})$/.test(key)

/** Whether the text of a value depends on how it was written: numbers lose their digits, and keys that are numbers their places. */
export function losesSpelling(value: unknown): boolean {
  if (typeof value === 'number' || value instanceof WrittenNumber) return true
  if (Array.isArray(value)) return value.some(losesSpelling)
  return isRecord(value) && Object.entries(value).some(([key, one]) => isIndex(key) || losesSpelling(one))
}

const keysByRecord = new WeakMap<JsonRecord, Set<string>>()

/** To be called before a key is set for the first time. */
export function rememberKeys(record: JsonRecord, key: string): void {
  const keys = keysByRecord.get(record)
  if (keys !== undefined) keys.add(key)
  else if (isIndex(key)) keysByRecord.set(record, new Set([...Object.keys(record), key]))
}

/** The keys in the order in which they were written, as far as that was remembered. */
export const keysOf = (record: JsonRecord): Iterable<string> =>
  keysByRecord.get(record) ?? Object.keys(record)

/** Longer integers are refused where the rules come from. */
const DIGITS_MAX = 4_300

/** @throws PeerRaises for one that is too long */
export function integerOf(digits: string): bigint {
  const count = digits.startsWith('-') ? digits.length - 1 : digits.length
  if (count > DIGITS_MAX) throw new PeerRaises(`an integer of ${count} digits`)
  return BigInt(digits)
}

/** What the source of the rules would have raised; the message is for people. */
export class PeerRaises extends Error {}
