import type { DifferenceKind } from '../../model/parity'
import { isObject, type ExactJson, type ExactObject } from '../../text/exact-json'
import { isNumber, numberText } from '../../text/exact-number'
import { limits } from '../../limits'
import type { DesignReason, KindReason } from '../../model/messages/parity'
import { alignRows, type AlignedRows } from './align-rows'
import { sortedDifferences, type Difference, type Differences, type ExplainedDifference } from './differences'
import { isContainer, judgeMembers, judgeValues, Pair } from './difference-kind'
import { pointerOf, tokensOf, type Path } from './path'
import { SeverityRules } from './severity'
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
    const pair = new Pair(left, right, at, depth)
    const { rule, verdict } = judgeValues(pair)
    if (verdict !== null) this.tell(verdict, rule as KindReason, at, left, right)
    if (rule === 'wrapped_in_text') {
      const within = pair.unwrapped!
      this.compare(isContainer(left) ? left : within, isContainer(left) ? within : right, at, depth)
    } else if (rule === 'members') {
      if (Array.isArray(left)) this.compareLists(left, right as ExactJson[], at, depth)
      else this.compareObjects(left as ExactObject, right as ExactObject, at, depth)
    }
  }

  /** A value that one of the two lacks. @returns whether it counts */
  private tellLacking(
    left: ExactJson | undefined,
    right: ExactJson | undefined,
    at: Path,
    around: Parameters<ByDesign>[4] = null,
  ): boolean {
    const { rule, verdict } = judgeValues(new Pair(left, right, at, 0))
    return this.tell(verdict!, rule as KindReason, at, left, right, around)
  }

  private compareObjects(left: ExactObject, right: ExactObject, at: Path, depth: number): void {
    const isCutShort = this.tellMembers(left, right, at) === 'keys_left_out'
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
        const counts = this.tellLacking(value, undefined, { up: at, token: key }, around)
        if (counts) lost[isContainer(value) ? 'containers' : 'scalars']++
      }
    }
    if (lost.containers > 0 && lost.scalars === 0 && scalarsKept > 0)
      this.scalarOnly.push(this.pointer(tokensOf(at)))
    for (const key of Object.keys(right)) {
      if (Object.hasOwn(left, key) || (isCutShort && key === '_truncated_keys')) continue
      this.tellLacking(undefined, right[key], { up: at, token: key }, around)
    }
  }

  private compareLists(left: ExactJson[], right: ExactJson[], at: Path, depth: number): void {
    if (this.tellMembers(left, right, at) === 'items_left_out')
      return this.compareByPosition(left, right, right.length - 1, at, depth)
    const aligned = alignRows(left, right)
    if (aligned !== null) return this.compareRows(aligned, left, right, at, depth)
    if (left.length === right.length) {
      if (isQuicklySame(left, right)) return
      const order = this.numbers.orderOf(left, right)
      if (order === 'same') return
      if (order === 'other') return void this.tellMembers(left, right, at, true)
    }
    const common = Math.min(left.length, right.length)
    this.compareByPosition(left, right, common, at, depth)
    for (let i = common; i < left.length; i++) this.tellLacking(left[i], undefined, { up: at, token: i })
    for (let i = common; i < right.length; i++) this.tellLacking(undefined, right[i], { up: at, token: i })
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
    if (pairs.some(([, j], i) => i > 0 && j < pairs[i - 1]![1])) this.tellMembers(left, right, at, true)
    for (const [i, j] of pairs) this.compare(left[i]!, right[j]!, { up: at, token: i }, depth + 1)
    for (const i of missing) this.tellLacking(left[i], undefined, { up: at, token: i })
    for (const j of extra) this.tellLacking(undefined, right[j], { up: at, token: j })
  }

  /** How two objects, or two lists, differ as a whole. @returns the rule that holds */
  private tellMembers(
    left: ExactJson[] | ExactObject,
    right: ExactJson[] | ExactObject,
    at: Path,
    isMoved = false,
  ): string {
    const { rule, verdict } = judgeMembers(left, right, isMoved)
    if (verdict !== null) this.tell(verdict, rule as KindReason, at, left, right)
    return rule
  }

  /** @returns whether it counts */
  private tell(
    kind: DifferenceKind,
    kindRule: KindReason,
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
      kindRule,
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
