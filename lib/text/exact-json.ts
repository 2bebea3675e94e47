import { WrittenNumber, type ExactNumber } from './exact-number'
import { stringEnd } from './json-depth'
import { limits } from '../limits'

/** A value of JSON that lost nothing: numbers that binary64 or `JSON.stringify` would spell otherwise are `WrittenNumber`s. */
export type ExactJson = null | boolean | string | ExactNumber | ExactJson[] | ExactObject

/** Keys are the object's own, `__proto__` among them: read with `member`. */
export interface ExactObject {
  [key: string]: ExactJson
}

export type ExactResult = { ok: true; value: ExactJson } | { ok: false; why: 'not_json' | 'too_deep' }

export const isObject = (value: unknown): value is ExactObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof WrittenNumber)

/** What an object holds under a key of its own; undefined when that is no object, or has no such key. */
export const member = (value: unknown, key: string): ExactJson | undefined =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined

/** The same, along several keys. */
export const memberAt = (value: unknown, ...keys: string[]): ExactJson | undefined =>
  keys.reduce<unknown>(member, value) as ExactJson | undefined

/**
 * Reads JSON with every digit kept, at a small multiple of the time of `JSON.parse`, which does the reading. Of equal keys the last counts.
 * Never throws.
 *
 * @param depthMax levels of objects and arrays that are read
 * @see docs/decisions/0016-exact-json.md
 */
export function parseExactJson(text: string, depthMax: number = limits.jsonDepthMax): ExactResult {
  const standIns = withStandIns(text, depthMax)
  if (standIns === null) return { ok: false, why: 'too_deep' }
  try {
    const value = JSON.parse(standIns.plain) as ExactJson
    return { ok: true, value: standIns.written.length === 0 ? value : withWritten(value, standIns.written) }
  } catch {
    return { ok: false, why: 'not_json' }
  }
}

/** Digits that every binary64 number keeps. */
const SAFE_DIGITS = 15
/** Every number that stays in the text has at most 15 digits and no exponent: none of them is as large. */
const STAND_IN = 1e200
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Puts a number that stands for the n-th in the place of each whose spelling would be lost; null when the text nests too deep. */
function withStandIns(text: string, depthMax: number): { plain: string; written: string[] } | null {
  const written: string[] = []
  let plain = ''
  let from = 0
  let depth = 0
  for (let i = 0; i < text.length; ) {
    const c = text.charCodeAt(i)
    if (c === 0x22) i = stringEnd(text, i)
    else if (c === 0x2d || (c >= 0x30 && c <= 0x39)) {
      const start = i
      let digits = c === 0x2d ? 0 : 1
      let last = c
      let hasDot = false
      let hasExponent = false
      for (i++; i < text.length; i++) {
        const next = text.charCodeAt(i)
        if (next >= 0x30 && next <= 0x39) digits++
        else if (next === 0x2e) hasDot = true
        else if (next === 0x65 || next === 0x45 || next === 0x2b || next === 0x2d) hasExponent = true
        else break
        last = next
      }
      const isPlain =
        digits <= SAFE_DIGITS &&
        !hasExponent &&
        !(hasDot && last === 0x30) &&
        !(c === 0x2d && digits === 1 && last === 0x30)
      // What is no number stays, for the parser to refuse.
      if (!isPlain && NUMBER.test(text.slice(start, i))) {
        plain += `${text.slice(from, start)}${written.push(text.slice(start, i))}e200`
        from = i
      }
    } else {
      if (c === 0x7b || c === 0x5b) {
        if (++depth > depthMax) return null
      } else if (c === 0x7d || c === 0x5d) depth--
      i++
    }
  }
  return { plain: from === 0 ? text : plain + text.slice(from), written }
}

function withWritten(value: ExactJson, written: readonly string[]): ExactJson {
  if (typeof value === 'number')
    return value < STAND_IN ? value : new WrittenNumber(written[Math.round(value / STAND_IN) - 1]!)
  if (typeof value !== 'object' || value === null || value instanceof WrittenNumber) return value
  // Only what changes is set: the parsed value is ours.
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const item = value[i]!
      if (typeof item === 'number' || typeof item === 'object') value[i] = withWritten(item, written)
    }
    return value
  }
  for (const key of Object.keys(value)) {
    const item = value[key]!
    if (typeof item === 'number' || typeof item === 'object') value[key] = withWritten(item, written)
  }
  return value
}

/** The text of a value, in the spelling of its numbers. */
export function exactJsonText(value: ExactJson): string {
  if (value instanceof WrittenNumber) return value.digits
  if (Array.isArray(value)) return `[${value.map(exactJsonText).join(',')}]`
  if (isObject(value))
    return `{${Object.keys(value)
      .map((key) => `${JSON.stringify(key)}:${exactJsonText(value[key]!)}`)
      .join(',')}}`
  return JSON.stringify(value)
}
