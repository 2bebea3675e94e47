import { exactJsonText, isObject, member, type ExactJson } from '../exact-json'
import { integerKey, isDoubleImage } from '../exact-number'
import type { Difference } from './differences'

const CHARS_MAX = 300

/** What a layer holds, by its name. */
export type LayerValues = readonly (readonly [layer: string, value: ExactJson])[]

/**
 * What each layer holds at a difference, as JSON text cut to a length; null where nothing is. A pointer is one into the layer before the difference; rows of lists
 * are those with the same id, whatever their index.
 *
 * @param from, to the layers between which it was found
 */
export function valuesAcross({ path, kind }: Difference, layers: LayerValues, from: string, to: string): Record<string, string | null> {
  const tokens = path.split('/').slice(1).map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
  let at: [string, ExactJson | undefined][] = layers.map(([layer, value]) => [layer, value])
  for (const [i, token] of tokens.entries()) {
    // What came later is named by its place in the layer behind it.
    const guide = kind === 'extra' && i === tokens.length - 1 ? to : from
    const around = at.find(([layer]) => layer === guide)?.[1]
    const next = step(around, token)
    at = at.map(([layer, value]) => [layer, layer === guide ? next : Array.isArray(value) && Array.isArray(around) ? sameRow(value, next, token) : step(value, token)])
  }
  return Object.fromEntries(at.map(([layer, value]) => [layer, textOf(value)]))
}

function step(value: ExactJson | undefined, token: string): ExactJson | undefined {
  if (Array.isArray(value)) return /^(0|[1-9]\d{0,8})$/.test(token) ? value[Number(token)] : undefined
  return member(value, token)
}

/** Keys by which rows are told apart, as `alignRows` has them. */
const ROW_IDS = ['event_id', 'execution_id', 'command_id', 'id']

function sameRow(rows: readonly ExactJson[], row: ExactJson | undefined, token: string): ExactJson | undefined {
  const there = step([...rows], token)
  const key = ROW_IDS.find((one) => idOf(row, one) !== null)
  if (row === undefined || key === undefined) return row === undefined && rows.some((one) => ROW_IDS.some((id) => idOf(one, id) !== null)) ? undefined : there
  const id = idOf(row, key)!
  const same = rows.find((other) => idOf(other, key) === id)
  if (same !== undefined) return same
  // An id that lost its digits is still that of its row.
  const near = idOf(there, key)
  return near !== null && isDoubleImage(id, near) ? there : undefined
}

function idOf(row: ExactJson | undefined, key: string): string | null {
  const id = isObject(row) ? member(row, key) : undefined
  return integerKey(id) ?? (typeof id === 'string' ? id : null)
}

function textOf(value: ExactJson | undefined): string | null {
  if (value === undefined) return null
  const text = exactJsonText(value)
  return text.length <= CHARS_MAX ? text : `${text.slice(0, CHARS_MAX)}…`
}
