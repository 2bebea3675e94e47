import { describe, expect, test } from 'vitest'
import { parseExactJson, type ExactJson } from '../../text/exact-json'
import { limits } from '../../limits'
import { asShown, comparePage, type ShownNode } from './rendered'

const parse = (text: string): ExactJson | undefined => {
  const read = parseExactJson(text)
  return read.ok ? read.value : undefined
}
const KEPT =
  '{"detail":{"externalId":"620356925057663015","title":"Raise\\n the \\u202eversion","outcome":"failed","n":9007199254740993},"row":{"a/b":[1.0,"\\u0000"],"long":"abcdef"}}'
const NODES: ShownNode[] = [
  { pointer: '/detail/externalId', text: '620356925057663015' },
  { pointer: '/detail/title', text: 'Raise the ⟨U+202E⟩version' },
  { pointer: '/detail/outcome', text: 'Failed' },
  { pointer: '/row/a~1b/0', text: '1.0' },
  { pointer: '/row/a~1b/1', text: '␀' },
  { pointer: '/row/long', text: 'abc', isCut: true },
]
const compare = (text: string | null, nodes: readonly ShownNode[] = NODES) =>
  comparePage({ layer: 'persisted', text: KEPT }, { text, nodes }, parse)
const told = ({ transitions }: ReturnType<typeof comparePage>) =>
  transitions.flatMap(({ differences }) => differences.map(({ kind, path, values }) => [kind, path, values]))

test('a page that holds and shows what is stored is equal, and how much was looked at is counted', () => {
  expect(compare(KEPT)).toMatchObject({
    verdict: 'equal',
    values: 7,
    nodes: 6,
    layers: [
      { form: 'page', layer: 'persisted', state: 'read', why: null },
      { layer: 'rendered', state: 'read' },
    ],
  })
})

test('digits that a parser of the page rounded are found', () => {
  expect(told(compare(KEPT.replace('9007199254740993', '9007199254740992')))).toEqual([
    ['precision_lost', '/detail/n', { persisted: '9007199254740993', rendered: '9007199254740992' }],
  ])
})

describe('a node that shows something else', () => {
  test.each(NODES.map((node) => [node.pointer, node] as const))(
    'at %s is a difference of what is rendered',
    (pointer, node) => {
      const found = told(
        compare(
          KEPT,
          NODES.map((one) => (one === node ? { ...one, text: 'x' } : one)),
        ),
      )
      expect(found).toEqual([
        [expect.any(String), pointer, { persisted: expect.any(String), rendered: '"x"' }],
      ])
    },
  )

  test('in the place of a value that the page does not hold, too', () => {
    expect(told(compare(KEPT, [{ pointer: '/row/__proto__/x', text: 'made up' }]))).toEqual([
      ['extra', '/row/__proto__', { persisted: null, rendered: '{"x":"made up"}' }],
    ])
    expect(asShown([1], [{ pointer: '/7', text: 'more' }])).toEqual([1, 'more'])
  })

  test('of a cut text is none where the text goes on, also in the middle of a character', () => {
    const model = parse('{"a":"ab😀cd"}')!
    expect(asShown(model, [{ pointer: '/a', text: 'ab⟨U+D83D⟩', isCut: true }])).toBe(model)
    expect(asShown(model, [{ pointer: '/a', text: 'ab' }])).toEqual({ a: 'ab' })
  })
})

test('a page that has read nothing, one that is too large and an answer that did not come are not equal, and say why', () => {
  expect(compare(null)).toMatchObject({
    verdict: 'unknown',
    nodes: 0,
    layers: [{}, { state: 'not_captured', rule: 'page_empty' }],
  })
  expect(compare(`${KEPT}${' '.repeat(limits.parityBytesMax)}`, [])).toMatchObject({
    verdict: 'unknown',
    values: 0,
    layers: [{}, { state: 'skipped_too_large' }],
  })
  expect(
    comparePage({ layer: 'persisted', text: null }, { text: null, nodes: [], isTooLarge: true }, parse),
  ).toMatchObject({
    verdict: 'unknown',
    layers: [{ state: 'not_captured' }, { state: 'skipped_too_large', why: null }],
  })
  expect(
    comparePage(
      { layer: 'persisted', text: null, state: 'unreadable', why: 'The server is away' },
      { text: KEPT, nodes: NODES },
      parse,
    ),
  ).toMatchObject({
    verdict: 'unknown',
    transitions: [],
    layers: [{ state: 'unreadable', why: 'The server is away' }, { state: 'read' }],
  })
})

test('values of a diagnosis, which are kept as JSON, are held against the words that stand on the page', () => {
  const kept =
    '{"diagnosis":{"diagnoses":[{"value":{"keys":{"category":"\\"infra\\"","confidence":"0.780","root_cause":"\\"\\""}},"error":{"message":"\\"it did\\\\nnot\\"","code":"7"}}]}}'
  const at = '/diagnosis/diagnoses/0'
  const nodes: ShownNode[] = [
    { pointer: `${at}/value/keys/category`, text: 'infra' },
    { pointer: `${at}/value/keys/confidence`, text: '0.780' },
    { pointer: `${at}/value/keys/root_cause`, text: 'empty text' },
    { pointer: `${at}/error/message`, text: 'it did', isCut: true },
    { pointer: `${at}/error/code`, text: '7' },
  ]
  const of = (shown: readonly ShownNode[]) =>
    comparePage({ layer: 'persisted', text: kept }, { text: kept, nodes: shown }, parse)
  expect(of(nodes)).toMatchObject({ verdict: 'equal', nodes: 5 })
  for (const node of nodes)
    expect(
      told(of(nodes.map((one) => (one === node ? { ...one, text: 'auth' } : one)))).map(([, path]) => path),
    ).toEqual([node.pointer])
})

test('what compares is held against its controls where it compares', () => {
  expect(compare(KEPT).failedControls).toEqual([])
  expect(
    comparePage({ layer: 'persisted', text: KEPT }, { text: KEPT, nodes: [] }, parse, ['an intact pair']),
  ).toMatchObject({ verdict: 'equal', failedControls: ['an intact pair'] })
})
