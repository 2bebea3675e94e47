import { exactJsonText, member, type ExactJson } from '../../text/exact-json'
import { alignRows, type AlignedRows } from './align-rows'
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
export function valuesAcross(
  { path, kind }: Difference,
  layers: LayerValues,
  from: string,
  to: string,
): Record<string, string | null> {
  const tokens = path
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
  let at: [string, ExactJson | undefined][] = layers.map(([layer, value]) => [layer, value])
  for (const [i, token] of tokens.entries()) {
    // What came later is named by its place in the layer behind it.
    const guide = kind === 'extra' && i === tokens.length - 1 ? to : from
    const around = at.find(([layer]) => layer === guide)?.[1]
    const next = step(around, token)
    at = at.map(([layer, value]) => [
      layer,
      layer === guide
        ? next
        : Array.isArray(value) && Array.isArray(around)
          ? sameRow(value, around, token)
          : step(value, token),
    ])
  }
  return Object.fromEntries(at.map(([layer, value]) => [layer, textOf(value)]))
}

function step(value: ExactJson | undefined, token: string): ExactJson | undefined {
  if (Array.isArray(value)) return /^(0|[1-9]\d{0,8})$/.test(token) ? value[Number(token)] : undefined
  return member(value, token)
}

/** Rows are matched as in the comparison; many differences are in one pair of lists. */
const alignments = new WeakMap<readonly ExactJson[], WeakMap<readonly ExactJson[], AlignedRows | null>>()

function alignmentOf(around: ExactJson[], rows: ExactJson[]): AlignedRows | null {
  const known = alignments.get(around) ?? new WeakMap<readonly ExactJson[], AlignedRows | null>()
  alignments.set(around, known)
  let aligned = known.get(rows)
  if (aligned === undefined) known.set(rows, (aligned = alignRows(around, rows)))
  return aligned
}

/** The row of a list that is a row of another one; by its place where no id tells the rows of both apart. */
function sameRow(rows: ExactJson[], around: ExactJson[], token: string): ExactJson | undefined {
  const aligned = alignmentOf(around, rows)
  if (aligned === null) return step(rows, token)
  const pair = aligned.pairs.find(([index]) => index === Number(token))
  return pair && rows[pair[1]]
}

function textOf(value: ExactJson | undefined): string | null {
  if (value === undefined) return null
  const text = exactJsonText(value)
  return text.length <= CHARS_MAX ? text : `${text.slice(0, CHARS_MAX)}…`
}
