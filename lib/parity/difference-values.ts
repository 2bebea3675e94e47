import { exactJsonText, isObject, member, type ExactJson } from '../exact-json'
import type { Difference } from './differences'

/** What stands at a difference in either layer, as JSON text cut to a length; null where nothing does. */
export interface DifferenceValues {
  left: string | null
  right: string | null
}

const CHARS_MAX = 300

/**
 * The values at a difference. In lists whose rows are matched by their ids the index is that of the left layer; the row of the right one is the one
 * with the same `id`, else the one in the same place.
 */
export function valuesAt({ path, kind }: Difference, left: ExactJson, right: ExactJson): DifferenceValues {
  const tokens = path.split('/').slice(1).map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
  let [a, b]: (ExactJson | undefined)[] = [left, right]
  for (const [at, token] of tokens.entries()) {
    // Only what came later is named by its place in the right layer.
    const isOfRight = kind === 'extra' && at === tokens.length - 1
    const next = isOfRight ? undefined : step(a, token)
    b = Array.isArray(a) && Array.isArray(b) && !isOfRight ? sameRow(b, next, token) : step(b, token)
    a = next
  }
  return { left: textOf(a), right: textOf(b) }
}

function step(value: ExactJson | undefined, token: string): ExactJson | undefined {
  if (Array.isArray(value)) return /^(0|[1-9]\d{0,8})$/.test(token) ? value[Number(token)] : undefined
  return member(value, token)
}

function sameRow(rows: readonly ExactJson[], row: ExactJson | undefined, token: string): ExactJson | undefined {
  const id = member(row, 'id')
  return id === undefined ? step([...rows], token) : rows.find((other) => isObject(other) && member(other, 'id') === id)
}

function textOf(value: ExactJson | undefined): string | null {
  if (value === undefined) return null
  const text = exactJsonText(value)
  return text.length <= CHARS_MAX ? text : `${text.slice(0, CHARS_MAX)}…`
}
