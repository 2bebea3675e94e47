import { exactJsonText, isObject, member, type ExactJson } from '../../text/exact-json'
import { OUTCOMES } from '../../model/execution'
import { EMPTY_TEXT, plainText } from '../../text/plain-json'
import { visible } from '../../text/visible'
import { compareForms, type FormsCompared } from './compare-forms'
import { valuesAcross, type LayerValues } from './difference-values'
import { failedControls } from './controls'
import type { Difference } from './differences'
import type { LayerInput } from './layers'
import { ruleOf, type CheckedLayer } from './stored-check'

/** Text of a node of a page, and the place in the model whose value it shows. */
export interface ShownNode {
  pointer: string
  text: string
  /** The page says beside it that the text goes on. */
  isCut?: boolean
}

/** What a page holds, as the text of its model, and the nodes that show it; null: it contains nothing. */
export interface PageHeld {
  text: string | null
  nodes: readonly ShownNode[]
  /** Known beforehand: it is not even read. */
  isTooLarge?: boolean
}

export interface PageCompared extends Omit<FormsCompared, 'layers' | 'transitions'> {
  layers: CheckedLayer[]
  transitions: (Omit<FormsCompared['transitions'][number], 'differences'> & {
    differences: (Difference & { values?: Record<string, string | null> })[]
  })[]
  /** Of the code that compares where the page is. */
  failedControls: readonly string[]
  /** Numbers, texts, truths and nulls that were compared. */
  values: number
  /** Nodes whose text was read off the page. */
  nodes: number
}

/** Differences that are listed with their values. */
const WITH_VALUES_MAX = 100

/** Places whose value is shown in other words than its own. */
const IN_OTHER_WORDS: [place: RegExp, words: (text: string) => string][] = [
  [/^\/detail\/title$/, (text) => text.replace(/\s+/g, ' ')],
  // What only a newer server knows is shown as itself.
  [
    /^\/detail\/outcome$/,
    (text) => (OUTCOMES.some((one) => one === text) ? text.charAt(0).toUpperCase() + text.slice(1) : text),
  ],
  // Values of a diagnosis are kept as JSON, each a text of its own.
  [/^\/diagnosis\//, (json) => plainText(json) || EMPTY_TEXT],
]

/**
 * Holds what a page has against what is stored. The layer `rendered` is the model of the page, with what its nodes show in the place of a value that
 * they show otherwise.
 *
 * @param kept   the same documents, read anew; null where they could not be
 * @param failed those of this process, when left out
 * @see docs/parity.md#rendered
 */
export function comparePage(
  kept: LayerInput,
  held: PageHeld,
  parse: (text: string) => ExactJson | undefined,
  failed: readonly string[] = failedControls(),
): PageCompared {
  const model = held.text === null ? undefined : parse(held.text)
  const shown = model === undefined ? undefined : asShown(model, held.nodes)
  const rendered: LayerInput = {
    layer: 'rendered',
    text: shown === undefined || shown === model ? held.text : exactJsonText(shown),
    ...(held.isTooLarge && { state: 'skipped_too_large' as const }),
    ...(held.text === null && !held.isTooLarge && { reason: { id: 'page_empty', params: {} } }),
  }
  const compared = compareForms([{ form: 'page', layers: [kept, rendered] }])
  const values: LayerValues = [
    ['persisted', parse(kept.text ?? '')],
    ['rendered', shown],
  ].flatMap(([layer, value]) => (value === undefined ? [] : [[layer, value] as [string, ExactJson]]))
  const isRead = compared.layers.every(({ state }) => state === 'read')
  return {
    ...compared,
    failedControls: failed,
    layers: compared.layers.map((one, i) => ({
      ...one,
      why: [kept, rendered][i]!.why ?? null,
      ...ruleOf([kept, rendered][i]!.reason),
      sha256: null,
      bytes: null,
    })),
    transitions: compared.transitions.map((one) => ({
      ...one,
      differences: one.differences.map((difference, i) =>
        i < WITH_VALUES_MAX
          ? { ...difference, values: valuesAcross(difference, values, one.from, one.to) }
          : difference,
      ),
    })),
    values: isRead && shown !== undefined ? leavesOf(shown) : 0,
    nodes: isRead ? held.nodes.length : 0,
  }
}

/** The model as a reader sees it: with the text of each node that shows something else than the value of its place. */
export function asShown(model: ExactJson, nodes: readonly ShownNode[]): ExactJson {
  return nodes.reduce(
    (value, node) =>
      isShown(valueAt(model, node.pointer), node)
        ? value
        : withText(value, tokensOf(node.pointer), node.text),
    model,
  )
}

function isShown(value: ExactJson | undefined, { pointer, text, isCut }: ShownNode): boolean {
  if (value === undefined) return false
  const plain = typeof value === 'string' ? value : exactJsonText(value)
  const words = IN_OTHER_WORDS.find(([place]) => place.test(pointer))?.[1]
  const wanted = visible(words?.(plain) ?? plain)
  // Half a character at the cut is shown as a mark of its own.
  return isCut
    ? text !== '' && wanted.startsWith(text.replace(/⟨U\+D[89AB][0-9A-F]{2}⟩$/, ''))
    : wanted === text
}

const tokensOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))

const valueAt = (model: ExactJson, pointer: string): ExactJson | undefined =>
  tokensOf(pointer).reduce<ExactJson | undefined>(
    (value, token) =>
      Array.isArray(value)
        ? /^(0|[1-9]\d{0,8})$/.test(token)
          ? value[Number(token)]
          : undefined
        : member(value, token),
    model,
  )

/** The same with a text at a place. A place that is not there begins at what is. */
function withText(value: ExactJson, [token, ...rest]: readonly string[], text: string): ExactJson {
  if (token === undefined) return text
  if (Array.isArray(value))
    return Number(token) < value.length
      ? value.map((item, i) => (String(i) === token ? withText(item, rest, text) : item))
      : [...value, text]
  const inside = isObject(value) ? value : {}
  return Object.fromEntries([
    ...Object.entries(inside).filter(([key]) => key !== token),
    [token, withText(member(inside, token) ?? null, rest, text)],
  ])
}

function leavesOf(value: ExactJson): number {
  const inside = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : null
  return inside === null ? 1 : inside.reduce<number>((sum, item) => sum + leavesOf(item), 0)
}
