import type { Ranges } from './python-pattern-chars'

/** How many characters a part can match, at least and at most. Python wants it to be one number inside a look-behind. */
export interface Width {
  min: number
  max: number
}

export type Place = 'textStart' | 'lineStart' | 'end' | 'lineEnd' | 'textEnd' | 'boundary' | 'notBoundary'

/** A pattern as Python reads it. Flags are worked into the sets and places; what RE2 has no word for is `foreign`. */
export type Part = Width &
  (
    | { kind: 'set'; set: Ranges }
    | { kind: 'place'; place: Place; ascii: boolean }
    | { kind: 'sequence'; parts: readonly Part[] }
    | { kind: 'choice'; parts: readonly Part[] }
    | { kind: 'repeat'; body: Part; from: number; to: number }
    | { kind: 'group'; body: Part }
    | { kind: 'foreign' }
  )

// Python counts no further: the width of what repeats without end.
const WIDTH_MAX = 2 ** 64
const capped = (width: number): number => Math.min(width, WIDTH_MAX)
const sum = (parts: readonly Part[], side: 'min' | 'max'): number =>
  capped(parts.reduce((all, part) => all + part[side], 0))
export const sequenceOf = (parts: readonly Part[]): Part => ({
  kind: 'sequence',
  parts,
  min: sum(parts, 'min'),
  max: sum(parts, 'max'),
})
export const oneOf = (set: Ranges): Part => ({ kind: 'set', set, min: 1, max: 1 })
export const foreignPart = (width: Width = { min: 0, max: 0 }): Part => ({
  kind: 'foreign',
  min: width.min,
  max: width.max,
})

export function choiceOf(parts: readonly Part[]): Part {
  if (parts.length === 1) return parts[0]!
  return {
    kind: 'choice',
    parts,
    min: Math.min(...parts.map((part) => part.min)),
    max: Math.max(...parts.map((part) => part.max)),
  }
}

export function repeatOf(body: Part, from: number, to: number): Part {
  return {
    kind: 'repeat',
    body,
    from,
    to,
    min: capped(body.min * from),
    max: body.max === 0 ? 0 : capped(body.max * to),
  }
}

/** The part and all parts within it. */
export function* partsOf(part: Part): Iterable<Part> {
  yield part
  if (part.kind === 'sequence' || part.kind === 'choice')
    for (const inner of part.parts) yield* partsOf(inner)
  if (part.kind === 'repeat' || part.kind === 'group') yield* partsOf(part.body)
}

/** About the number of steps of the program that RE2 makes of it, each repeat written out. */
export function sizeOf(part: Part): number {
  if (part.kind === 'sequence' || part.kind === 'choice')
    return part.parts.reduce((all, inner) => all + sizeOf(inner), part.parts.length)
  if (part.kind === 'group') return sizeOf(part.body)
  if (part.kind !== 'repeat') return 1
  return (sizeOf(part.body) + 1) * Math.max(1, part.to === Infinity ? part.from : part.to)
}
