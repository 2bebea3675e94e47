import { visit } from 'jsonc-parser'
import { isTooDeep, stringEnd } from '../../text/json-depth'
import { limits } from '../../limits'
import { WrittenNumber } from '../../text/exact-number'
import { rememberKeys, type JsonRecord } from './python-values'

/**
 * Reads JSON as Python does: `NaN`, `Infinity` and `-Infinity` are numbers, of equal keys the last counts, raw control characters are
 * refused. Numbers come out as JavaScript has them, those three as `WrittenNumber`.
 *
 * @returns undefined when it is no JSON
 */
export function readJson(text: string): unknown {
  if (!mayBeJson(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return /NaN|Infinity/.test(text) ? readJsonExactly(text) : undefined
  }
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
const CLOSES: Record<string, string> = { '{': '}', '[': ']', '"': '"' }
const BARE = /^(?:[-+.\deE]+|-?Infinity|NaN|true|false|null)$/

/** Whether the ends of a text fit. The parser throws to refuse one, which takes long where every line of an output is prose. */
function mayBeJson(text: string): boolean {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  const closing = CLOSES[text.charAt(start)]
  return closing === undefined
    ? BARE.test(text.slice(start, end))
    : end - start > 1 && text.charAt(end - 1) === closing
}

/**
 * Puts a number in place of each that is not finite. With the blanks around it, it stays what it was for whatever is before or behind
 * it: `-NaN` and `1NaN` are still no JSON.
 */
function withStandIns(text: string): { plain: string; named: Map<number, string> } {
  const named = new Map<number, string>()
  const pieces: string[] = []
  const tokens = /"|-?Infinity|NaN/g
  let from = 0
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
    const { 0: token, index } = found
    if (token === '"') tokens.lastIndex = stringEnd(text, index)
    else {
      named.set(index + 1, token)
      pieces.push(text.slice(from, index), ` 0${' '.repeat(token.length - 2)}`)
      from = index + token.length
    }
  }
  return { plain: pieces.join('') + text.slice(from), named }
}

/**
 * The same with every number as a `WrittenNumber`, for values whose text matters: `parseExactJson` is faster where Python's dialect and
 * the order of keys do not.
 *
 * @returns undefined when it is no JSON, or when it is nested deeper than we follow
 */
export function readJsonExactly(text: string): unknown {
  const { plain, named } = withStandIns(text)
  if (isTooDeep(plain, limits.jsonDepthMax)) return undefined
  try {
    JSON.parse(plain)
  } catch {
    return undefined
  }
  return build(plain, named)
}

/** Builds the value out of the events of a text that is known to be JSON. */
function build(text: string, named: ReadonlyMap<number, string>): unknown {
  let root: unknown
  let key = ''
  const open: (unknown[] | JsonRecord)[] = []
  const put = (value: unknown): void => {
    const parent = open.at(-1)
    if (parent === undefined) root = value
    else if (Array.isArray(parent)) parent.push(value)
    else {
      rememberKeys(parent, key)
      parent[key] = value
    }
  }
  const begin = (value: unknown[] | JsonRecord): void => {
    put(value)
    open.push(value)
  }
  const end = (): void => void open.pop()
  visit(text, {
    // Without a prototype, so that no key means anything.
    onObjectBegin: () => begin(Object.create(null) as JsonRecord),
    onObjectProperty: (name) => void (key = name),
    onObjectEnd: end,
    onArrayBegin: () => begin([]),
    onArrayEnd: end,
    onLiteralValue: (value: unknown, offset, length) =>
      put(
        typeof value === 'number'
          ? new WrittenNumber(named.get(offset) ?? text.slice(offset, offset + length))
          : value,
      ),
  })
  return root
}
