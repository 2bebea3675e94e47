import type { DifferenceKind } from '../../model/parity'
import type { KindReasons } from '../../model/messages/parity'
import type { NoParams } from '../../model/message'
import { isObject, parseExactJson, type ExactJson, type ExactObject } from '../../text/exact-json'
import { integerKey, isDoubleImage, isNumber, isSameNumber, numberText } from '../../text/exact-number'
import { isDispatchHandle, isHandleForDiagnosis } from '../../formats/noetl/dispatch-handle'
import { isResultReference, isTruncationStub } from '../../formats/noetl/stubs'
import { limits } from '../../limits'
import { firstThatHolds, type RuleTable, type Verdict } from '../rule-table'
import { IDENTIFIER_FIELDS } from './identifier-fields'
import type { Path } from './path'
import { isCut, isDepthSummary, isListTail } from './text-cut'

/** Rules that find no difference: equal values, and lists or objects whose members are compared one by one. */
interface SameRules {
  same_id: NoParams
  same_number: NoParams
  members: NoParams
}
type ValueRules = Omit<KindReasons, keyof MemberReasons> & SameRules
type MemberReasons = Pick<KindReasons, 'keys_left_out' | 'items_left_out' | 'moved'>
type MemberRules = MemberReasons & { kept: NoParams }

/** What two layers have at a place. */
export class Pair {
  private text: ExactJson | undefined
  /** Both, where the place holds an id and both are whole numbers. */
  readonly ids: readonly [string, string] | null
  /** How many of the two are objects or lists. */
  readonly containers: number

  /**
   * @param left, right undefined where the layer has nothing
   * @param depth levels above the place
   */
  constructor(
    readonly left: ExactJson | undefined,
    readonly right: ExactJson | undefined,
    readonly at: Path,
    readonly depth: number,
  ) {
    this.ids = IDENTIFIER_FIELDS.has(at?.token) ? idsOf(left, right) : null
    this.containers = Number(isContainer(left)) + Number(isContainer(right))
  }

  /** One side is an object or a list, and the other is it within a text: what the text says; undefined: it is not. */
  get unwrapped(): ExactJson | undefined {
    if (this.text !== undefined) return this.text
    const [container, scalar] = isContainer(this.left) ? [this.left, this.right] : [this.right, this.left]
    if (typeof scalar === 'string' && isContainer(container))
      this.text = readSameShape(scalar, container, limits.jsonDepthMax - this.depth)
    return this.text
  }
}

function idsOf(left: ExactJson | undefined, right: ExactJson | undefined): [string, string] | null {
  const [leftId, rightId] = [integerKey(left), integerKey(right)]
  return leftId === null || rightId === null ? null : [leftId, rightId]
}

const both =
  (is: (value: unknown) => boolean) =>
  ({ left, right }: Pair): boolean =>
    is(left) && is(right)
export const isContainer = (value: unknown): value is ExactJson[] | ExactObject =>
  Array.isArray(value) || isObject(value)
const isText = (value: unknown): value is string => typeof value === 'string'
const isTruth = (value: unknown): value is boolean => typeof value === 'boolean'

const rule = <Id extends string, Facts>(
  id: Id,
  when: (facts: Facts) => boolean,
  verdict: DifferenceKind | null,
) => ({ id, when, verdict, params: (): NoParams => ({}), basis: 'recomputed' as const })

/** Null: they do not differ, or only in what is below the place. */
const VALUE_KINDS: RuleTable<Pair, DifferenceKind | null, ValueRules> = [
  // Items of lists have no keys.
  rule(
    'null_and_no_key',
    ({ left, right, at }) =>
      typeof at?.token === 'string' &&
      ((left === undefined && right === null) || (left === null && right === undefined)),
    'null_vs_absent',
  ),
  rule('value_gone', ({ right }) => right === undefined, 'missing'),
  rule('value_added', ({ left }) => left === undefined, 'extra'),
  rule('same_id', ({ ids }) => ids !== null && ids[0] === ids[1], null),
  rule('id_rounded', ({ ids }) => ids !== null && isDoubleImage(ids[0], ids[1]), 'precision_lost'),
  rule('other_id', ({ ids }) => ids !== null, 'changed_value'),
  rule(
    'run_id_only',
    ({ left, right, at, containers }) => containers > 0 && isHandleAt(left, at) !== isHandleAt(right, at),
    'dispatch_handle',
  ),
  rule(
    'stub',
    ({ left, right, containers }) => containers > 0 && isShortened(left) !== isShortened(right),
    'truncated',
  ),
  rule('text_cut', ({ left, right }) => isText(left) && isText(right) && isCut(left, right), 'truncated'),
  rule('other_text', both(isText), 'changed_value'),
  rule(
    'depth_summary',
    (pair) => pair.containers === 1 && isDepthSummary(isContainer(pair.left) ? pair.right : pair.left),
    'truncated',
  ),
  rule(
    'wrapped_in_text',
    (pair) => pair.containers === 1 && pair.unwrapped !== undefined,
    'stringified_json',
  ),
  rule(
    'collapsed',
    (pair) => pair.containers === 1 && isContainer(pair.left) && pair.right !== null,
    'collapsed_object',
  ),
  rule(
    'members',
    ({ left, right, containers }) => containers === 2 && Array.isArray(left) === Array.isArray(right),
    null,
  ),
  rule(
    'same_number',
    ({ left, right }) => isNumber(left) && isNumber(right) && isSameNumber(left, right),
    null,
  ),
  rule(
    'number_rounded',
    ({ left, right }) =>
      isNumber(left) && isNumber(right) && isDoubleImage(numberText(left), numberText(right)),
    'precision_lost',
  ),
  rule('other_number', both(isNumber), 'changed_value'),
  rule('other_truth', both(isTruth), 'changed_value'),
  rule('other_type', () => true, 'changed_type'),
]

interface Members {
  readonly left: ExactJson[] | ExactObject
  readonly right: ExactJson[] | ExactObject
  /** The same members are in another order. */
  readonly isMoved: boolean
}

/** How two objects, or two lists, differ as a whole. Null: not at all; their members may. */
const MEMBER_KINDS: RuleTable<Members, DifferenceKind | null, MemberRules> = [
  rule('keys_left_out', ({ left, right }) => hasLessKeys(left, right), 'truncated'),
  rule('items_left_out', ({ left, right }) => hasLessItems(left, right), 'truncated'),
  rule('moved', ({ isMoved }) => isMoved, 'reordered_array'),
  rule('kept', () => true, null),
]

/** The last rules of both tables hold always. */
export const judgeValues = (pair: Pair): Verdict<DifferenceKind | null, ValueRules> =>
  firstThatHolds(VALUE_KINDS, pair)!
export const judgeMembers = (
  left: Members['left'],
  right: Members['right'],
  isMoved = false,
): Verdict<DifferenceKind | null, MemberRules> => firstThatHolds(MEMBER_KINDS, { left, right, isMoved })!

const hasLessKeys = (left: Members['left'], right: Members['right']): boolean =>
  isObject(left) &&
  isObject(right) &&
  Object.hasOwn(right, '_truncated_keys') &&
  !Object.hasOwn(left, '_truncated_keys')

const hasLessItems = (left: Members['left'], right: Members['right']): boolean =>
  Array.isArray(left) &&
  Array.isArray(right) &&
  right.length < left.length &&
  isListTail(right.at(-1)) &&
  !isListTail(left.at(-1))

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
