import { stringEnd } from './json-depth'

/** A string or a number of a JSON text; for a string the range is what is between the quotes. */
export interface JsonLeaf {
  isString: boolean
  start: number
  end: number
}

/**
 * Visits the string and number values of a JSON text in place, with the keys that lead to them (`''` for elements of arrays),
 * without building the value. Keys are not visited.
 *
 * @param path one array for all visits: copy it to keep it
 * @returns false when the text is not one object or array of sound shape; visits made until then are to be thrown away
 */
export function eachJsonValue(
  text: string,
  visit: (leaf: JsonLeaf, path: readonly string[]) => void,
): boolean {
  const path: string[] = []
  const closers: number[] = []
  let i = 0
  let wantsKey = false
  while (i < text.length) {
    const c = text.charCodeAt(i)
    if (c === QUOTE) {
      const end = stringEnd(text, i)
      if (text.charCodeAt(end - 1) !== QUOTE || end === i + 1 || closers.length === 0) return false
      if (wantsKey) {
        path[path.length - 1] = keyName(text.slice(i + 1, end - 1))
        wantsKey = false
      } else visit({ isString: true, start: i + 1, end: end - 1 }, path)
      i = end
      continue
    }
    if (c === OPEN_OBJECT || c === OPEN_ARRAY) {
      if (closers.length === 0 && path.length === 0 && text.slice(0, i).trim() !== '') return false
      closers.push(c + 2)
      path.push('')
      wantsKey = c === OPEN_OBJECT
    } else if (c === CLOSE_OBJECT || c === CLOSE_ARRAY) {
      if (closers.pop() !== c) return false
      path.pop()
      wantsKey = false
      if (closers.length === 0) return text.slice(i + 1).trim() === ''
    } else if (c === COMMA) {
      wantsKey = closers[closers.length - 1] === CLOSE_OBJECT
    } else if (c === MINUS || (c >= ZERO && c <= NINE)) {
      const start = i
      while (isNumberPart(text.charCodeAt(i))) i++
      visit({ isString: false, start, end: i }, path)
      continue
    } else if (closers.length === 0 && c > 32) return false
    i++
  }
  return false
}

const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const ZERO = 0x30
const NINE = 0x39
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d

/** Digits, signs, dots and exponents. */
const isNumberPart = (c: number): boolean =>
  (c >= ZERO && c <= NINE) || c === MINUS || c === 0x2b || c === 0x2e || c === 0x45 || c === 0x65

function keyName(raw: string): string {
  return raw.includes('\\')
    ? raw.replace(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    : raw
}
