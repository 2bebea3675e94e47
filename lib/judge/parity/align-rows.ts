import { isObject, member, type ExactJson } from '../../text/exact-json'
import { decimalKey, integerKey, isDoubleImage, spellingsOf } from '../../text/exact-number'

/** Keys by which rows of two lists are matched; the first that both sides have counts. */
const IDENTITY_KEYS = ['event_id', 'execution_id', 'command_id', 'id'] as const

export interface AlignedRows {
  /** Indexes in the left and in the right list, in the order of the left. */
  pairs: [left: number, right: number][]
  missing: number[]
  extra: number[]
}

/**
 * Matches the rows of two lists by their identity: equal ids, then ids that lost digits on one side, then rows without an id where their
 * number leaves no doubt.
 *
 * @returns null when no key tells the rows of both sides apart, or when nothing could be matched
 */
export function alignRows(left: readonly ExactJson[], right: readonly ExactJson[]): AlignedRows | null {
  for (const key of IDENTITY_KEYS) {
    const leftIds = readableIds(left, key)
    const rightIds = leftIds === null ? null : readableIds(right, key)
    if (leftIds === null || rightIds === null) continue
    const pairs = new Map<number, number>()
    const open = matchEqual(leftIds, rightIds, pairs)
    if (key !== 'id') matchImages(open.left, open.right, pairs)
    const taken = new Set(pairs.values())
    const rest = {
      left: indexes(left).filter((i) => !pairs.has(i)),
      right: indexes(right).filter((i) => !taken.has(i)),
    }
    matchWithoutId(rest, leftIds, rightIds, pairs)
    if (pairs.size === 0) return null
    const takenAtLast = new Set(pairs.values())
    return {
      pairs: [...pairs].sort(([a], [b]) => a - b),
      missing: rest.left.filter((i) => !pairs.has(i)),
      extra: rest.right.filter((i) => !takenAtLast.has(i)),
    }
  }
  return null
}

const indexes = (list: readonly unknown[]): number[] => Array.from(list.keys())

/** The ids by index; null when less than half of the rows have one, or two have the same. */
function readableIds(rows: readonly ExactJson[], key: string): Map<number, string> | null {
  const ids = new Map<number, string>()
  const seen = new Set<string>()
  for (const [i, row] of rows.entries()) {
    const value = isObject(row) ? member(row, key) : undefined
    const id = integerKey(value) ?? (key === 'id' && typeof value === 'string' ? value : null)
    if (id === null) continue
    if (seen.has(id)) return null
    seen.add(id)
    ids.set(i, id)
  }
  return ids.size === 0 || ids.size * 2 < rows.length ? null : ids
}

type OpenIds = [index: number, id: string][]

function matchEqual(
  left: Map<number, string>,
  right: Map<number, string>,
  pairs: Map<number, number>,
): { left: OpenIds; right: OpenIds } {
  const byId = new Map([...right].map(([i, id]) => [id, i]))
  const openLeft: OpenIds = []
  for (const [i, id] of left) {
    const j = byId.get(id)
    if (j === undefined) openLeft.push([i, id])
    else {
      pairs.set(i, j)
      byId.delete(id)
    }
  }
  return { left: openLeft, right: [...byId].map(([id, j]) => [j, id]) }
}

/** Pairs ids where each is the only image of the other. */
function matchImages(left: OpenIds, right: OpenIds, pairs: Map<number, number>): void {
  const rightByDouble = groupByDouble(right)
  for (const [double, lefts] of groupByDouble(left)) {
    const rights = rightByDouble.get(double)
    if (rights === undefined || !Number.isFinite(double)) continue
    const spellings = spellingsOf(double)
    const isSpelling = ([, id]: [number, string]): boolean => spellings.includes(decimalKey(id))
    // Of two images one spells the double: a row whose id does not has its images among those that do.
    const [leftSpellings, rightSpellings] = [lefts.filter(isSpelling), rights.filter(isSpelling)]
    for (const one of lefts) {
      const images = imagesOf(one, isSpelling(one) ? rights : rightSpellings)
      if (images.length !== 1) continue
      const [other] = images as [[number, string]]
      if (imagesOf(other, isSpelling(other) ? lefts : leftSpellings).length === 1) pairs.set(one[0], other[0])
    }
  }
}

/** The first two of the images of an id: more are as ambiguous. */
function imagesOf([, id]: [number, string], among: OpenIds): OpenIds {
  const found: OpenIds = []
  for (const other of among) {
    if (isDoubleImage(id, other[1])) found.push(other)
    if (found.length === 2) break
  }
  return found
}

function groupByDouble(ids: OpenIds): Map<number, OpenIds> {
  const groups = new Map<number, OpenIds>()
  for (const one of ids) {
    const double = Number(one[1])
    const group = groups.get(double)
    if (group === undefined) groups.set(double, [one])
    else group.push(one)
  }
  return groups
}

function matchWithoutId(
  rest: { left: number[]; right: number[] },
  leftIds: Map<number, string>,
  rightIds: Map<number, string>,
  pairs: Map<number, number>,
): void {
  const [left, right] = [rest.left.filter((i) => !leftIds.has(i)), rest.right.filter((i) => !rightIds.has(i))]
  const [from, to] =
    left.length > 0 && right.length > 0
      ? [left, right]
      : left.length > 0
        ? [left, rest.right]
        : [rest.left, right]
  if (left.length + right.length > 0 && from.length === to.length)
    for (const [at, i] of from.entries()) pairs.set(i, to[at]!)
}
