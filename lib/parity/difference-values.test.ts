import { expect, test } from 'vitest'
import { parseExactJson, type ExactJson } from '../exact-json'
import { diffValues } from './diff-values'
import { valuesAt } from './difference-values'

const read = (text: string): ExactJson => {
  const result = parseExactJson(text)
  if (!result.ok) throw new Error(result.why)
  return result.value
}
const told = (left: string, right: string) => diffValues(read(left), read(right)).differences.map((one) => {
  const values = valuesAt(one, read(left), read(right))
  return [one.kind, one.path, values.left, values.right]
})

test.each<[string, string, string, unknown[]]>([
  ['a value', '{"a":{"b/c":1}}', '{"a":{"b/c":2}}', [['changed_value', '/a/b~1c', '1', '2']]],
  ['what is gone', '{"a":620356925057663015}', '{}', [['missing', '/a', '620356925057663015', null]]],
  ['what came later', '{"a":[]}', '{"a":[{"x":1}]}', [['extra', '/a/0', null, '{"x":1}']]],
  ['a row that moved', '[{"id":"a","n":1},{"id":"b","n":2}]', '[{"id":"b","n":3},{"id":"a","n":1}]', [['reordered_array', '', '[{"id":"a","n":1},{"id":"b","n":2}]', '[{"id":"b","n":3},{"id":"a","n":1}]'], ['changed_value', '/1/n', '2', '3']]],
  ['a row that is gone', '[{"id":"a"},{"id":"b"}]', '[{"id":"b"}]', [['missing', '/0', '{"id":"a"}', null]]],
  ['a row that came between', '[{"id":"a"}]', '[{"id":"z"},{"id":"a"}]', [['extra', '/0', null, '{"id":"z"}']]],
  ['keys that are no keys', '{"__proto__":1}', '{"__proto__":"1"}', [['changed_type', '/__proto__', '1', '"1"']]],
])('%s', (_, left, right, wanted) => expect(told(left, right)).toEqual(wanted))

test('a long value is cut', () => {
  const [[, , left]] = told(`{"a":"${'x'.repeat(1_000)}"}`, '{}') as [[string, string, string]]
  expect(left).toHaveLength(301)
})
