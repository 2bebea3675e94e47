import type { DifferenceKind } from '../../model/parity'
import { isObject, parseExactJson, type ExactJson, type ExactObject } from '../../text/exact-json'
import { integerKey, isDoubleImage, isNumber, isSameNumber, numberText } from '../../text/exact-number'
import { isDispatchHandle, isHandleForDiagnosis } from '../../formats/noetl/dispatch-handle'
import { isResultReference, isTruncationStub } from '../../formats/noetl/stubs'
import { limits } from '../../limits'
import type { DesignReason } from '../../model/messages/parity'
import { alignRows, type AlignedRows } from './align-rows'
import { sortedDifferences, type Difference, type Differences, type ExplainedDifference } from './differences'
import { IDENTIFIER_FIELDS } from './identifier-fields'
import { pointerOf, tokensOf, type Path } from './path'
import { SeverityRules } from './severity'
import { isCut, isDepthSummary, isListTail } from './text-cut'
import { ValueNumbers } from './value-numbers'

/**
 * The rule by which a difference between two values is there on purpose; null: none.
 *
 * @param left, right undefined where the layer has nothing
 * @param tokens the keys and indices that lead to them
 * @param around the objects of which one has the value and the other does not; null where both have one, and for items of lists
 */
export type ByDesign = (
  kind: DifferenceKind,
  left: ExactJson | undefined,
  right: ExactJson | undefined,
  tokens: readonly (string | number)[],
  around: readonly [left: ExactObject, right: ExactObject] | null,
) => DesignReason | null

/**
 * Every difference between what two layers hold. Order of keys and spelling of numbers are none. Never throws for values that were read by
 * `parseExactJson`, which nest no deeper than is followed.
 *
 * @see docs/parity.md#kinds
 */
export function diffValues(left: ExactJson, right: ExactJson, byDesign: ByDesign = () => null): Differences {
  const comparison = new Comparison(byDesign)
  comparison.compare(left, right, null, 0)
  return comparison.result()
}

class Comparison {
  private readonly found: Difference[] = []
  private readonly explained: ExplainedDifference[] = []
  private readonly scalarOnly: string[] = []
  private listedChars = 0
  private isWhole = true
  private readonly severities = new SeverityRules()
  private readonly numbers = new ValueNumbers()

  constructor(private readonly byDesign: ByDesign) {}

  result(): Differences {
    const [differences, byDesign] = [sortedDifferences(this.found), sortedDifferences(this.explained)]
    return { differences, byDesign, scalarOnly: [...new Set(this.scalarOnly)].sort(), isWhole: this.isWhole }
  }

  /**
   * Two values that are there. The first rule that fits ends it, but for those that go on into members. @param depth levels walked so far
   */
  compare(left: ExactJson, right: ExactJson, at: Path, depth: number): void {
    if (left === right || !this.isWhole) return
    const tell = (kind: DifferenceKind): void => void this.tell(kind, at, left, right)
    if (IDENTIFIER_FIELDS.has(at?.token)) {
      const [leftId, rightId] = [integerKey(left), integerKey(right)]
      if (leftId !== null && rightId !== null) {
        if (leftId !== rightId) tell(isDoubleImage(leftId, rightId) ? 'precision_lost' : 'changed_value')
        return
      }
    }
    const [leftIn, rightIn] = [isContainer(left), isContainer(right)]
    if (leftIn || rightIn) {
      if (isHandleAt(left, at) !== isHandleAt(right, at)) return tell('dispatch_handle')
      if (isShortened(left) !== isShortened(right)) return tell('truncated')
    }
    if (typeof left === 'string' && typeof right === 'string')
      return tell(isCut(left, right) ? 'truncated' : 'changed_value')
    if (leftIn !== rightIn) return this.compareWithScalar(left, right, at, depth)
    if (Array.isArray(left) && Array.isArray(right)) return this.compareLists(left, right, at, depth)
    if (isObject(left) && isObject(right)) return this.compareObjects(left, right, at, depth)
    if (isNumber(left) && isNumber(right)) {
      if (!isSameNumber(left, right))
        tell(isDoubleImage(numberText(left), numberText(right)) ? 'precision_lost' : 'changed_value')
      return
    }
    tell(typeof left === 'boolean' && typeof right === 'boolean' ? 'changed_value' : 'changed_type')
  }

  /** One of the two is an object or a list. */
  private compareWithScalar(left: ExactJson, right: ExactJson, at: Path, depth: number): void {
    const container = isContainer(left) ? left : (right as ExactJson[] | ExactObject)
    const scalar = container === left ? right : left
    if (isDepthSummary(scalar)) return void this.tell('truncated', at, left, right)
    const parsed =
      typeof scalar === 'string' ? readSameShape(scalar, container, limits.jsonDepthMax - depth) : undefined
    if (parsed !== undefined) {
      this.tell('stringified_json', at, left, right)
      return this.compare(container === left ? left : parsed, container === left ? parsed : right, at, depth)
    }
    this.tell(container === left && right !== null ? 'collapsed_object' : 'changed_type', at, left, right)
  }

  private compareObjects(left: ExactObject, right: ExactObject, at: Path, depth: number): void {
    const isCutShort = Object.hasOwn(right, '_truncated_keys') && !Object.hasOwn(left, '_truncated_keys')
    if (isCutShort) this.tell('truncated', at, left, right)
    const lost = { containers: 0, scalars: 0 }
    let scalarsKept = 0
    const around = [left, right] as const
    for (const key of Object.keys(left)) {
      const value = left[key]!
      if (Object.hasOwn(right, key)) {
        if (!isContainer(value)) scalarsKept++
        const other = right[key]!
        if (value === other) continue
        this.compare(value, other, { up: at, token: key }, depth + 1)
      } else if (!isCutShort) {
        const counts = this.tell(
          value === null ? 'null_vs_absent' : 'missing',
          { up: at, token: key },
          value,
          undefined,
          around,
        )
        if (counts) lost[isContainer(value) ? 'containers' : 'scalars']++
      }
    }
    if (lost.containers > 0 && lost.scalars === 0 && scalarsKept > 0)
      this.scalarOnly.push(this.pointer(tokensOf(at)))
    for (const key of Object.keys(right)) {
      if (Object.hasOwn(left, key) || (isCutShort && key === '_truncated_keys')) continue
      this.tell(
        right[key] === null ? 'null_vs_absent' : 'extra',
        { up: at, token: key },
        undefined,
        right[key],
        around,
      )
    }
  }

  private compareLists(left: ExactJson[], right: ExactJson[], at: Path, depth: number): void {
    if (isListTail(right.at(-1)) && !isListTail(left.at(-1)) && right.length < left.length) {
      this.tell('truncated', at, left, right)
      return this.compareByPosition(left, right, right.length - 1, at, depth)
    }
    const aligned = alignRows(left, right)
    if (aligned !== null) return this.compareRows(aligned, left, right, at, depth)
    if (left.length === right.length) {
      if (isQuicklySame(left, right)) return
      const order = this.numbers.orderOf(left, right)
      if (order === 'same') return
      if (order === 'other') return void this.tell('reordered_array', at, left, right)
    }
    const common = Math.min(left.length, right.length)
    this.compareByPosition(left, right, common, at, depth)
    for (let i = common; i < left.length; i++) this.tell('missing', { up: at, token: i }, left[i], undefined)
    for (let i = common; i < right.length; i++) this.tell('extra', { up: at, token: i }, undefined, right[i])
  }

  private compareByPosition(
    left: ExactJson[],
    right: ExactJson[],
    count: number,
    at: Path,
    depth: number,
  ): void {
    for (let i = 0; i < count; i++) {
      if (left[i] !== right[i]) this.compare(left[i]!, right[i]!, { up: at, token: i }, depth + 1)
    }
  }

  private compareRows(
    { pairs, missing, extra }: AlignedRows,
    left: ExactJson[],
    right: ExactJson[],
    at: Path,
    depth: number,
  ): void {
    if (pairs.some(([, j], i) => i > 0 && j < pairs[i - 1]![1])) this.tell('reordered_array', at, left, right)
    for (const [i, j] of pairs) this.compare(left[i]!, right[j]!, { up: at, token: i }, depth + 1)
    for (const i of missing) this.tell('missing', { up: at, token: i }, left[i], undefined)
    for (const j of extra) this.tell('extra', { up: at, token: j }, undefined, right[j])
  }

  /** @returns whether it counts */
  private tell(
    kind: DifferenceKind,
    at: Path,
    left: ExactJson | undefined,
    right: ExactJson | undefined,
    around: Parameters<ByDesign>[4] = null,
  ): boolean {
    if (!this.isWhole) return false
    const tokens = tokensOf(at)
    const difference = {
      path: this.pointer(tokens),
      kind,
      ...this.severities.severityOf(kind, tokens, left),
    }
    const reason = this.byDesign(kind, left, right, tokens, around)
    if (reason === null) this.found.push(difference)
    else this.explained.push({ ...difference, reason })
    return reason === null
  }

  private pointer(tokens: readonly (string | number)[]): string {
    const pointer = pointerOf(tokens)
    this.listedChars += pointer.length
    this.isWhole = this.listedChars <= limits.parityListedCharsMax
    return pointer
  }
}

/** Values that are looked at before two lists are no longer expected to be the same: lists within lists would be walked again and again. */
const QUICK_LOOK = 2_000

/** Whether two values are spelled alike, but for the order of keys; false also when that takes longer to find out. */
function isQuicklySame(left: ExactJson, right: ExactJson, look = { left: QUICK_LOOK }): boolean {
  if (look.left-- <= 0) return false
  if (left === right) return true
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, i) => isQuicklySame(item, right[i]!, look))
  }
  if (isNumber(left) && isNumber(right)) return numberText(left) === numberText(right)
  if (!isObject(left) || !isObject(right)) return false
  const keys = Object.keys(left)
  if (keys.length !== Object.keys(right).length) return false
  return keys.every((key) => Object.hasOwn(right, key) && isQuicklySame(left[key]!, right[key]!, look))
}

const isContainer = (value: unknown): value is ExactJson[] | ExactObject =>
  Array.isArray(value) || isObject(value)

const isShortened = (value: unknown): boolean => isTruncationStub(value) || isResultReference(value)

/** In the place of a diagnosis an id alone makes a handle. */
const isHandleAt = (value: unknown, at: Path): boolean =>
  isDispatchHandle(value) ||
  (at?.token === 'diagnosis' && at.up?.token === 'error' && isHandleForDiagnosis(value))

/** What a text says, when that is an object like an object or a list like a list; undefined otherwise. */
function readSameShape(
  text: string,
  like: ExactJson[] | ExactObject,
  depthMax: number,
): ExactJson | undefined {
  const opening = text.trimStart().charAt(0)
  if (opening !== (Array.isArray(like) ? '[' : '{')) return undefined
  const read = parseExactJson(text, depthMax)
  return read.ok ? read.value : undefined
}
