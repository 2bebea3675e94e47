import { expect, test } from 'vitest'
import { parseExactJson, type ExactJson } from '../../text/exact-json'
import { judgeMembers, judgeValues, Pair } from './difference-kind'
import type { Path } from './path'

function read(text: string): ExactJson {
  const result = parseExactJson(text)
  if (!result.ok) throw new Error(result.why)
  return result.value
}

const ID = '620356925057663015'
const LONG = 'the worker ran out of memory while it wrote the ledger'
const DIAGNOSIS: Path = { up: { up: null, token: 'error' }, token: 'diagnosis' }

test.each<[string | null, string | null, string, string | null, Path?]>([
  ['1', null, 'value_gone', 'missing'],
  [null, '1', 'value_added', 'extra'],
  ['null', null, 'null_and_no_key', 'null_vs_absent'],
  [null, 'null', 'null_and_no_key', 'null_vs_absent'],
  ['null', null, 'value_gone', 'missing', { up: null, token: 3 }],
  [`"${ID}"`, ID, 'same_id', null, { up: null, token: 'event_id' }],
  [ID, '620356925057663000', 'id_rounded', 'precision_lost', { up: null, token: 'event_id' }],
  [ID, '620356925057663079', 'other_id', 'changed_value', { up: null, token: 'event_id' }],
  ['{"a":1}', '{"execution_id":"5","status":"started"}', 'run_id_only', 'dispatch_handle'],
  ['{"a":1}', '{"execution_id":"5"}', 'members', null],
  ['{"a":1}', '{"execution_id":"5"}', 'run_id_only', 'dispatch_handle', DIAGNOSIS],
  ['{"a":1}', '{"_truncated":true}', 'stub', 'truncated'],
  [`"${LONG}"`, `"${LONG.slice(0, 20)}..."`, 'text_cut', 'truncated'],
  ['"x"', '"y"', 'other_text', 'changed_value'],
  ['{"a":1}', '"dict(1 keys)"', 'depth_summary', 'truncated'],
  ['{"a":1}', '"{\\"a\\":1}"', 'wrapped_in_text', 'stringified_json'],
  ['"[1]"', '[1]', 'wrapped_in_text', 'stringified_json'],
  ['[1]', '"x"', 'collapsed', 'collapsed_object'],
  ['[1]', 'null', 'other_type', 'changed_type'],
  ['"x"', '[1]', 'other_type', 'changed_type'],
  ['[1]', '{"a":1}', 'other_type', 'changed_type'],
  ['[1]', '[2]', 'members', null],
  ['1.0', '1', 'same_number', null],
  [ID, '620356925057663000', 'number_rounded', 'precision_lost'],
  ['1', '2', 'other_number', 'changed_value'],
  ['true', 'false', 'other_truth', 'changed_value'],
  ['1', '"1"', 'other_type', 'changed_type'],
])('%s and %s: %s', (left, right, rule, kind, at: Path = { up: null, token: 'key' }) => {
  const [a, b] = [left, right].map((text) => (text === null ? undefined : read(text)))
  expect(judgeValues(new Pair(a, b, at, 0))).toEqual({
    rule,
    verdict: kind,
    params: {},
    pointer: null,
    basis: 'recomputed',
  })
})

test.each<
  [
    ExactJson[] | Record<string, ExactJson>,
    ExactJson[] | Record<string, ExactJson>,
    boolean,
    string,
    string | null,
  ]
>([
  [{ a: 1 }, { _truncated_keys: 1 }, false, 'keys_left_out', 'truncated'],
  [{ _truncated_keys: 1 }, { _truncated_keys: 2 }, false, 'kept', null],
  [[1, 2, 3], [1, '... 2 more'], false, 'items_left_out', 'truncated'],
  [[1, 2], [2, 1], true, 'moved', 'reordered_array'],
  [[1, 2], [1, 2], false, 'kept', null],
])('members of %j and %j: moved %j', (left, right, isMoved, rule, kind) =>
  expect(judgeMembers(left, right, isMoved)).toMatchObject({ rule, verdict: kind }),
)
