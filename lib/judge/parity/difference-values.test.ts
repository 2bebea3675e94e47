import { expect, test } from 'vitest'
import { parseExactJson, type ExactJson } from '../../text/exact-json'
import { diffValues } from './diff-values'
import { valuesAcross } from './difference-values'

const read = (text: string): ExactJson => {
  const result = parseExactJson(text)
  if (!result.ok) throw new Error(result.why)
  return result.value
}
const told = (left: string, right: string) =>
  diffValues(read(left), read(right)).differences.map((one) => {
    const { a, b } = valuesAcross(
      one,
      [
        ['a', read(left)],
        ['b', read(right)],
      ],
      'a',
      'b',
    )
    return [one.kind, one.path, a, b]
  })

test.each<[string, string, string, unknown[]]>([
  ['a value', '{"a":{"b/c":1}}', '{"a":{"b/c":2}}', [['changed_value', '/a/b~1c', '1', '2']]],
  ['what is gone', '{"a":620356925057663015}', '{}', [['missing', '/a', '620356925057663015', null]]],
  ['what came later', '{"a":[]}', '{"a":[{"x":1}]}', [['extra', '/a/0', null, '{"x":1}']]],
  [
    'a row that moved',
    '[{"id":"a","n":1},{"id":"b","n":2}]',
    '[{"id":"b","n":3},{"id":"a","n":1}]',
    [
      ['reordered_array', '', '[{"id":"a","n":1},{"id":"b","n":2}]', '[{"id":"b","n":3},{"id":"a","n":1}]'],
      ['changed_value', '/1/n', '2', '3'],
    ],
  ],
  ['a row that is gone', '[{"id":"a"},{"id":"b"}]', '[{"id":"b"}]', [['missing', '/0', '{"id":"a"}', null]]],
  [
    'rows that share an id, each as it was compared',
    '[{"id":"a","n":1},{"id":"a","n":2}]',
    '[{"id":"a","n":1},{"id":"a"}]',
    [['missing', '/1/n', '2', null]],
  ],
  [
    'a row that came between',
    '[{"id":"a"}]',
    '[{"id":"z"},{"id":"a"}]',
    [['extra', '/0', null, '{"id":"z"}']],
  ],
  [
    'keys that are no keys',
    '{"__proto__":1}',
    '{"__proto__":"1"}',
    [['changed_type', '/__proto__', '1', '"1"']],
  ],
])('%s', (_, left, right, wanted) => expect(told(left, right)).toEqual(wanted))

test('a long value is cut', () => {
  const [[, , left]] = told(`{"a":"${'x'.repeat(1_000)}"}`, '{}') as [[string, string, string]]
  expect(left).toHaveLength(301)
})

test('rows are found by their ids in every layer, whatever stands around them', () => {
  const row = (id: string, n: number): string => `{"event_id":${id},"n":${n}}`
  const [one, two] = ['620356925057663015', '620356925057663079']
  const layers = [
    ['source', `[${row(one, 1)},${row(two, 2)}]`],
    ['event_log', `[${row(two, 2)}]`],
    ['api', `[${row('0', 0)},${row(two, 3)},${row(one, 1)}]`],
    ['persisted', `[${row(one, 1)},${row(BigInt(Number(two)).toString(), 4)}]`],
  ] as const
  const across = (path: string, kind: 'changed_value' | 'missing' | 'extra', from: string, to: string) =>
    valuesAcross(
      { path, kind, kindRule: 'other_text', severity: 'medium', rule: 'elsewhere' },
      layers.map(([layer, text]) => [layer, read(text)]),
      from,
      to,
    )
  expect(across('/1/n', 'changed_value', 'source', 'event_log')).toEqual({
    source: '2',
    event_log: '2',
    api: '3',
    persisted: '4',
  })
  expect(across('/0', 'missing', 'source', 'event_log')).toEqual({
    source: row(one, 1),
    event_log: null,
    api: row(one, 1),
    persisted: row(one, 1),
  })
  expect(across('/0', 'extra', 'event_log', 'api')).toEqual({
    source: null,
    event_log: null,
    api: row('0', 0),
    persisted: null,
  })
})
