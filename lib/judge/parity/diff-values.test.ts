import { DIFFERENCE_KINDS, type DifferenceKind, type Severity } from '../../model/parity'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  exactJsonText,
  isObject,
  parseExactJson,
  type ExactJson,
  type ExactObject,
} from '../../text/exact-json'
import { isNumber, numberText, WrittenNumber } from '../../text/exact-number'
import { limits } from '../../limits'
import type { Difference } from './differences'
import { diffValues } from './diff-values'
import { joinPages } from './join-pages'
import { pointerOf } from './path'

function read(text: string): ExactJson {
  const result = parseExactJson(text)
  if (!result.ok) throw new Error(result.why)
  return result.value
}

const told = (left: string, right: string): string[] =>
  diffValues(read(left), read(right)).differences.map(
    ({ path, kind, severity }) => `${path} ${kind} ${severity}`,
  )

describe('each kind', () => {
  const long = 'the worker ran out of memory while it wrote the ledger'
  const stub = '{"_truncated":true,"_preview":{}}'
  const handle = '{"execution_id":"5","status":"started"}'
  test.each<[string, string, string, string[]]>([
    ['a key that is gone', '{"a":1,"b":2}', '{"a":1}', ['/b missing medium']],
    ['a key that came', '{"a":1}', '{"a":1,"b":2}', ['/b extra low']],
    ['null and no key', '{"a":null}', '{"b":null}', ['/a null_vs_absent info', '/b null_vs_absent info']],
    ['another text', '{"a":"x"}', '{"a":"y"}', ['/a changed_value medium']],
    ['another number', '{"a":1}', '{"a":2}', ['/a changed_value medium']],
    ['true and false', '{"a":true}', '{"a":false}', ['/a changed_value medium']],
    ['a number that became text', '{"a":5}', '{"a":"5"}', ['/a changed_type medium']],
    ['null that became a number', '{"a":null}', '{"a":0}', ['/a changed_type medium']],
    ['an object that became null', '{"a":{}}', '{"a":null}', ['/a changed_type medium']],
    ['an object that became a list', '{"a":{}}', '{"a":[]}', ['/a changed_type medium']],
    ['a number that became an object', '{"a":1}', '{"a":{}}', ['/a changed_type medium']],
    [
      'an object that became text',
      '{"a":{"b":1}}',
      '{"a":"[object Object]"}',
      ['/a collapsed_object medium'],
    ],
    ['a list that became a number', '{"a":[1]}', '{"a":1}', ['/a collapsed_object medium']],
    ['an object within text', '{"a":{"b":1}}', '{"a":"{\\"b\\":1.0}"}', ['/a stringified_json medium']],
    ['an object out of text', '{"a":" [1]"}', '{"a":[1]}', ['/a stringified_json medium']],
    [
      'an object within text, changed',
      '{"a":{"b":1}}',
      '{"a":"{\\"b\\":2}"}',
      ['/a stringified_json medium', '/a/b changed_value medium'],
    ],
    [
      'a list within text, in place of an object',
      '{"a":{"b":1}}',
      '{"a":"[1]"}',
      ['/a collapsed_object medium'],
    ],
    ['a cut with a mark', `"${long}"`, `"${long.slice(0, 8)}..."`, [' truncated medium']],
    ['a cut with another mark', `"${long.slice(0, 9)}… "`, `"${long}"`, [' changed_value medium']],
    ['a cut with the long mark', `"${long}"`, `"${long.slice(0, 20)}... (truncated)"`, [' truncated medium']],
    ['a cut that is too short', `"${long}"`, `"${long.slice(0, 7)}..."`, [' changed_value medium']],
    ['a cut without a mark', `"${long}"`, `"${long.slice(0, 32)}"`, [' truncated medium']],
    [
      'a cut without a mark that is too short',
      `"${long}"`,
      `"${long.slice(0, 31)}"`,
      [' changed_value medium'],
    ],
    ['characters of two units', `"${'😀'.repeat(9)}"`, `"${'😀'.repeat(7)}..."`, [' changed_value medium']],
    ['a stub', '{"a":{"b":1}}', `{"a":${stub}}`, ['/a truncated medium']],
    [
      'two stubs',
      `{"a":${stub}}`,
      `{"a":${stub.replace('{}', '1')}}`,
      ['/a/_preview collapsed_object medium'],
    ],
    ['a reference', '{"a":"x"}', '{"a":{"kind":"temp_ref","ref":"y"}}', ['/a truncated medium']],
    ['a summary', '{"a":[1,2]}', '{"a":"list(2 items)"}', ['/a truncated medium']],
    ['a shortened list', '[1,2,3,4]', '[1,5,"... 2 more"]', [' truncated medium', '/1 changed_value medium']],
    ['a shortened list that is not shorter', '[1,2]', '[1,"... 1 more"]', ['/1 changed_type medium']],
    [
      'a shortened object',
      '{"a":1,"b":2,"c":null}',
      '{"a":3,"_truncated_keys":2,"d":1}',
      [' truncated medium', '/a changed_value medium', '/d extra low'],
    ],
    ['a handle', '{"a":{"b":1}}', `{"a":${handle}}`, ['/a dispatch_handle high']],
    [
      'two handles',
      `{"a":${handle}}`,
      `{"a":${handle.replace('started', 'running')}}`,
      ['/a/status changed_value medium'],
    ],
    [
      'an id alone, where a diagnosis belongs',
      '{"error":{"diagnosis":{"source":"x"}}}',
      '{"error":{"diagnosis":{"execution_id":"5"}}}',
      ['/error/diagnosis dispatch_handle high'],
    ],
    [
      'an id alone, elsewhere',
      '{"a":{"diagnosis":{"b":1}}}',
      '{"a":{"diagnosis":{"execution_id":"5"}}}',
      ['/a/diagnosis/b missing medium', '/a/diagnosis/execution_id extra low'],
    ],
    [
      'digits through a double',
      '{"a":9007199254740993}',
      '{"a":9007199254740992}',
      ['/a precision_lost high'],
    ],
    [
      'digits of an id through a double',
      '{"event_id":"576421594269343216"}',
      '{"event_id":576421594269343200}',
      ['/event_id precision_lost critical'],
    ],
    [
      'an id that is one off',
      '{"event_id":576421594269343216}',
      '{"event_id":576421594269343217}',
      ['/event_id changed_value medium'],
    ],
    ['an id in another spelling', '{"event_id":576421594269343216}', '{"event_id":"576421594269343216"}', []],
    [
      'zero as an id, in each spelling',
      '[{"event_id":0},{"event_id":-0},{"event_id":-0.0}]',
      '[{"event_id":-0},{"event_id":"0"},{"event_id":0}]',
      [],
    ],
    ['a number too small for a double', '{"a":-1e-400}', '{"a":0}', ['/a precision_lost high']],
    ['an id that is longer than anything', '{"event_id":1e400}', `{"event_id":"1${'0'.repeat(400)}"}`, []],
    [
      'an id that is longer than anything, one digit off',
      '{"event_id":1e99999999999}',
      '{"event_id":1e99999999998}',
      ['/event_id changed_value medium'],
    ],
    [
      'a handle of such an id',
      '{"a":{"b":1}}',
      '{"a":{"execution_id":1e400,"status":"started"}}',
      ['/a dispatch_handle high'],
    ],
    ['an id that is no number', '{"event_id":"a"}', '{"event_id":5}', ['/event_id changed_type medium']],
    ['another order', '[1,1,2]', '[1,2,1]', [' reordered_array low']],
    ['another order, of other numbers', '[1,1,2]', '[1,2,2]', ['/1 changed_value medium']],
    [
      'another order, ids spelled otherwise',
      '[{"x":{"event_id":1}},{"x":2}]',
      '[{"x":2},{"x":{"event_id":"1"}}]',
      [' reordered_array low'],
    ],
    ['elements behind the end', '[1,2]', '[1]', ['/1 missing medium']],
    ['elements before the end', '[1]', '[1,2,3]', ['/1 extra low', '/2 extra low']],
    [
      'keys that have to be escaped',
      '{"":{"~":{"/":1}}}',
      '{"":{"~":{"/":0}}}',
      ['//~0/~1 changed_value medium'],
    ],
    [
      'the order of code points',
      '{"\u{10000}":1,"\uffff":1}',
      '{}',
      ['/\uffff missing medium', '/\u{10000} missing medium'],
    ],
    [
      'a key that means something elsewhere',
      '{"__proto__":{"a":1}}',
      '{"__proto__":{"a":2}}',
      ['/__proto__/a changed_value medium'],
    ],
    ['a key that is not its own', '{}', '{"toString":1}', ['/toString extra low']],
  ])('%s', (_, left, right, differences) => expect(told(left, right)).toEqual(differences))
})

describe('rows with an identity', () => {
  test.each<[string, string, string, string[]]>([
    [
      'one gone, one new',
      '[{"id":"a","v":1},{"id":"b"}]',
      '[{"id":"b"},{"id":"c"}]',
      ['/0 missing medium', '/1 extra low'],
    ],
    [
      'moved and changed',
      '[{"id":1,"v":1},{"id":2}]',
      '[{"id":2},{"id":1,"v":2}]',
      [' reordered_array low', '/0/v changed_value medium'],
    ],
    [
      'new members of a moved row stand below its place on the left',
      '[{"id":1},{"id":2}]',
      '[{"id":3},{"id":1},{"id":2,"v":1}]',
      ['/0 extra low', '/1/v extra low'],
    ],
    [
      'rounded',
      '[{"event_id":576421594269343216}]',
      '[{"event_id":576421594269343200}]',
      ['/0/event_id precision_lost critical'],
    ],
    [
      'an id that got lost',
      '[{"event_id":1},{"event_id":2}]',
      '[{"event_id":1},{"event_id":null,"x":1}]',
      ['/1/event_id changed_type medium', '/1/x extra low'],
    ],
    [
      'an id that got lost, and a row',
      '[{"event_id":1},{"event_id":2},{"event_id":3}]',
      '[{"event_id":1},{"event_id":null}]',
      ['/1 extra low', '/1 missing medium', '/2 missing medium'],
    ],
    ['too few ids', '[{"id":1},{},{}]', '[{},{"id":1},{}]', [' reordered_array low']],
    [
      'ids that are not unique',
      '[{"id":1,"v":1},{"id":1,"v":2}]',
      '[{"id":1,"v":1},{"id":1,"v":3}]',
      ['/1/v changed_value medium'],
    ],
    [
      'the first key that is usable',
      '[{"event_id":"x","id":1},{"id":2}]',
      '[{"id":2},{"event_id":"x","id":1}]',
      [' reordered_array low'],
    ],
  ])('%s', (_, left, right, differences) => expect(told(left, right)).toEqual(differences))

  test('ids that could be two rows are matched with none', () => {
    const left = '[{"event_id":1},{"event_id":576421594269343216},{"event_id":576421594269343217}]'
    expect(told(left, '[{"event_id":1},{"event_id":576421594269343200}]')).toEqual([
      '/1 extra low',
      '/1 missing medium',
      '/2 missing medium',
    ])
  })
})

test.each([
  ['on_contract', '{"result":{"context":{"status":"a"}}}', '{"result":{"context":{"status":"b"}}}'],
  ['holds_diagnosis', '{"result":{"context":{"error":{"diagnosis":{"a":1}}}}}', '{}'],
  ['id_digits', '{"event_id":620356925057663015}', '{"event_id":620356925057663000}'],
  ['elsewhere', '{"a":1}', '{"a":2}'],
])('a severity names its rule: %s', (rule, left, right) =>
  expect(diffValues(read(left), read(right)).differences.map((one) => one.rule)).toEqual([rule]),
)

describe('severity', () => {
  const at = (context: string): string => `{"result":{"context":${context}}}`
  test.each<[string, string, string]>([
    ['{"status":"ok"}', '{"status":"error"}', '/result/context/status changed_value high'],
    ['{"error":{"code":"A"}}', '{"error":{}}', '/result/context/error/code missing critical'],
    ['{"error":{"other":"A"}}', '{"error":{}}', '/result/context/error/other missing medium'],
    [
      '{"error":{"diagnosis":{"a":[1,2]}}}',
      '{"error":{"diagnosis":{"a":[2,1]}}}',
      '/result/context/error/diagnosis/a reordered_array medium',
    ],
    [
      '{"error":{"diagnosis":{}}}',
      '{"error":{"diagnosis":{"a":null}}}',
      '/result/context/error/diagnosis/a null_vs_absent low',
    ],
    ['{"execution_id":"1"}', '{"execution_id":true}', '/result/context/execution_id changed_type critical'],
    [
      '{"duration":9007199254740993}',
      '{"duration":9007199254740992}',
      '/result/context/duration precision_lost high',
    ],
    [
      '{"data":{"result":{"context":{"error":{"diagnosis":1}}}}}',
      '{}',
      '/result/context/data missing critical',
    ],
    [
      '{"data":{"result":{"context":{"error":{"diagnosis":null}}}}}',
      '{}',
      '/result/context/data missing medium',
    ],
    ['{"data":{"error":{"diagnosis":1}}}', '{}', '/result/context/data missing medium'],
  ])('%s → %s', (left, right, difference) => expect(told(at(left), at(right))).toEqual([difference]))

  test('what holds a diagnosis somewhere below is lost with it', () => {
    const rows = '[{"event_id":1,"result":{"context":{"error":{"diagnosis":{"a":1}}}}},{"event_id":2}]'
    expect(told(`{"events":${rows}}`, '{}')).toEqual(['/events missing critical'])
    expect(told(`{"events":${rows}}`, '{"events":[{"event_id":2}]}')).toEqual(['/events/0 missing critical'])
    expect(told(`{"events":${rows}}`, '{"events":"x"}')).toEqual(['/events collapsed_object critical'])
    expect(told('{"result":{"context":{"error":{"diagnosis":{"a":1}}}}}', '{"result":{}}')).toEqual([
      '/result/context missing critical',
    ])
  })
})

describe('an object that kept its scalars and lost its objects is pointed out', () => {
  test.each<[string, string, string, string[]]>([
    ['whatever became of what it kept', '{"a":{"k":1,"d":{},"l":[1]}}', '{"a":{"k":2}}', ['/a']],
    ['a null that it kept is one', '{"a":{"k":null,"d":{}}}', '{"a":{"k":null}}', ['/a']],
    ['not when a scalar is gone too', '{"a":{"k":1,"m":1,"d":{}}}', '{"a":{"k":1}}', []],
    ['not when a null is gone too', '{"a":{"k":null,"m":1,"d":{}}}', '{"a":{"m":1}}', []],
    ['not when it had none', '{"a":{"d":{}}}', '{"a":{}}', []],
    ['not when it kept objects alone', '{"a":{"d":{},"e":{"x":1}}}', '{"a":{"e":{"x":1}}}', []],
    [
      'not when it is shortened, and says so',
      '{"a":{"k":1,"d":{}}}',
      '{"a":{"k":1,"_truncated_keys":1}}',
      [],
    ],
  ])('%s', (_, left, right, wanted) => expect(diffValues(read(left), read(right)).scalarOnly).toEqual(wanted))

  test('not for what is gone by design; nor does a scalar that is, count', () => {
    const without = (...keys: string[]): string[] =>
      diffValues(read('{"k":1,"m":null,"n":1,"d":{}}'), read('{"k":1}'), (_kind, _left, _right, tokens) =>
        keys.includes(String(tokens[0])) ? 'column_left_out' : null,
      ).scalarOnly
    expect([without(), without('d'), without('m', 'n'), without('m', 'n', 'd')]).toEqual([[], [], [''], []])
  })
})

describe('properties', () => {
  const numbers = fc.oneof(
    fc.integer(),
    fc.bigInt({ min: 10n ** 16n, max: 10n ** 25n }).map((one) => new WrittenNumber(String(one))),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => read(JSON.stringify(one))),
  )
  const scalars = fc.oneof(fc.string(), numbers, fc.boolean(), fc.constant(null))
  const keys = fc.constantFrom(
    'a',
    'b',
    'result',
    'context',
    'error',
    'diagnosis',
    'event_id',
    'execution_id',
    '__proto__',
    '~/',
    'status',
    'kind',
  )
  const anything = fc.letrec<{ value: ExactJson }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      scalars as fc.Arbitrary<ExactJson>,
      fc.array(tie('value'), { maxLength: 6 }),
      fc
        .array(fc.tuple(keys, tie('value')), { maxLength: 6 })
        .map((members) => Object.fromEntries(members) as ExactObject),
    ),
  })).value

  /** The same value in another spelling: keys in another order, numbers and ids written otherwise. */
  function respelled(value: ExactJson, key?: string): ExactJson {
    if (Array.isArray(value)) return value.map((item) => respelled(item))
    if (isObject(value))
      return Object.fromEntries(
        Object.keys(value)
          .reverse()
          .map((one) => [one, respelled(value[one]!, one)]),
      )
    if (!isNumber(value)) return value
    const text = numberText(value)
    if ((key === 'event_id' || key === 'execution_id') && /^-?\d+$/.test(text)) return text
    return new WrittenNumber(
      /[.eE]/.test(text)
        ? `${text.replace(/[eE].*/, '')}${/\./.test(text) ? '0' : '.0'}${/[eE].*/.exec(text)?.[0] ?? 'e+0'}`
        : `${text}.0e0`,
    )
  }

  test('a document equals itself in another spelling', () => {
    fc.assert(
      fc.property(anything, (value) => {
        const other = respelled(value)
        // An id in another spelling can be what makes a handle; that is the same on both sides.
        expect(diffValues(value, other).differences).toEqual([])
        expect(diffValues(other, value).differences).toEqual([])
        return diffValues(value, read(exactJsonText(value))).differences.length === 0
      }),
      { numRuns: 1000 },
    )
  })

  test('two documents are equal from both sides or from none, and are told in order, each difference once', () => {
    fc.assert(
      fc.property(anything, anything, (left, right) => {
        const { differences, isWhole } = diffValues(left, right)
        const places = differences.map(({ path, kind }) =>
          [...`${path}\0${kind}`].map((one) => one.codePointAt(0)!.toString(16).padStart(6, '0')).join(),
        )
        expect(places).toEqual([...new Set(places)].sort())
        expect(isWhole).toBe(true)
        return (differences.length === 0) === (diffValues(right, left).differences.length === 0)
      }),
      { numRuns: 1000 },
    )
  })

  /** What a row holds at a place that is changed: of each shape that can be lost in its own way. */
  const payloads = fc.letrec<{ value: ExactJson }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.stringMatching(/^[a-f]{1,12}$/),
      fc.integer({ min: 0, max: 1e6 }),
      fc.boolean(),
      fc.uniqueArray(fc.integer({ min: 0, max: 999 }), {
        minLength: 2,
        maxLength: 5,
      }) as fc.Arbitrary<ExactJson>,
      fc
        .array(tie('value'), { minLength: 1, maxLength: 3 })
        .map((values) => Object.fromEntries(values.map((value, i) => [`k${i}`, value]))),
    ),
  })).value
  const held = payloads.map(
    (value): ExactObject => ({
      value,
      flag: true,
      none: null,
      text: 'The ledger refused the entry, and nobody was told of it in time.',
      list: [3, 1, 2, 5],
      share: read('0.12345678901234567891'),
      deep: { a: 1, b: [2] },
    }),
  )
  /** A run as the API tells it: rows with ids, the same held on contract and off it. */
  const runs = fc.array(held, { minLength: 2, maxLength: 8 }).map((all) => ({
    execution_id: '707804919186829921',
    events: all.map(
      (value, i): ExactJson => ({
        event_id: new WrittenNumber(String(576421594269343216n + BigInt(i) * 1000n)),
        event_type: 'call.done',
        result: {
          context: {
            out: value,
            status: 'error',
            error: { kind: 'agent.execution', message: 'refused', diagnosis: value },
          },
        },
      }),
    ),
  }))

  const place = (row: number, ...rest: string[]): string[] => ['events', String(row), ...rest]
  const [OFF, ON] = [
    ['result', 'context', 'out'],
    ['result', 'context', 'error', 'diagnosis'],
  ]
  interface Mutation {
    kind: DifferenceKind
    severity: Severity
    path: (row: number) => string[]
    change: (value: ExactJson) => ExactJson | undefined
    /** Where the difference is reported, if that is another place. */
    told?: (row: number, rows: number) => string[]
  }
  type Change = [
    kind: DifferenceKind,
    below: string[],
    change: Mutation['change'],
    on: Severity,
    off: Severity,
    told?: string[],
  ]
  const rounded = (value: ExactJson): ExactJson =>
    read(JSON.stringify(Number((value as WrittenNumber).digits)))
  const cut =
    (mark: string) =>
    (value: ExactJson): ExactJson =>
      `${(value as string).slice(0, 40)}${mark}`
  const shortened = (value: ExactJson): ExactJson => [...(value as ExactJson[]).slice(0, 2), '... 2 more']
  /** What can happen to a value and below it, with how bad that is on contract and elsewhere. */
  const CHANGES: Change[] = [
    ['missing', [], () => undefined, 'critical', 'medium'],
    ['missing', ['flag'], () => undefined, 'critical', 'medium'],
    ['missing', ['deep'], () => undefined, 'critical', 'medium'],
    [
      'missing',
      ['list'],
      (value) => (value as ExactJson[]).slice(0, -1),
      'critical',
      'medium',
      ['list', '3'],
    ],
    ['extra', ['added~/'], () => 1, 'low', 'low'],
    ['extra', ['list'], (value) => [...(value as ExactJson[]), 7], 'low', 'low', ['list', '4']],
    ['null_vs_absent', ['none'], () => undefined, 'low', 'info'],
    ['null_vs_absent', ['added'], () => null, 'low', 'info'],
    ['changed_value', ['flag'], () => false, 'high', 'medium'],
    ['changed_value', ['text'], () => 'It was told.', 'high', 'medium'],
    ['changed_value', ['deep', 'a'], () => 2, 'high', 'medium'],
    ['changed_value', ['share'], () => 0.25, 'high', 'medium'],
    ['changed_type', ['flag'], () => 'true', 'critical', 'medium'],
    ['changed_type', ['none'], () => 0, 'critical', 'medium'],
    ['changed_type', ['deep', 'a'], () => null, 'critical', 'medium'],
    ['changed_type', ['text'], () => ['x'], 'critical', 'medium'],
    ['changed_type', [], () => [], 'critical', 'medium'],
    ['changed_type', [], () => null, 'critical', 'medium'],
    ['truncated', ['text'], cut(''), 'critical', 'medium'],
    ...['…', '...', '...[truncated]', '... (truncated)'].map(
      (mark): Change => ['truncated', ['text'], cut(mark), 'critical', 'medium'],
    ),
    ['truncated', ['list'], shortened, 'critical', 'medium'],
    [
      'truncated',
      [],
      (value) => ({ flag: (value as ExactObject).flag!, _truncated_keys: 6 }),
      'critical',
      'medium',
    ],
    ['truncated', [], () => ({ _truncated: true, _original_size_bytes: 5 }), 'critical', 'medium'],
    ['truncated', [], () => ({ kind: 'temp_ref', ref: 'noetl://x' }), 'critical', 'medium'],
    ['truncated', ['deep'], () => 'dict(2 keys)', 'critical', 'medium'],
    ['truncated', ['list'], () => 'list(4 items)', 'critical', 'medium'],
    ['precision_lost', ['share'], rounded, 'critical', 'high'],
    ['reordered_array', ['list'], (value) => (value as ExactJson[]).toReversed(), 'medium', 'low'],
    ['stringified_json', [], (value) => exactJsonText(value), 'critical', 'medium'],
    ['stringified_json', ['deep'], (value) => exactJsonText(value), 'critical', 'medium'],
    ['collapsed_object', [], () => '[object Object]', 'critical', 'medium'],
    ['collapsed_object', ['deep'], () => 3, 'critical', 'medium'],
    ['collapsed_object', ['list'], () => false, 'critical', 'medium'],
    ['dispatch_handle', [], () => ({ execution_id: '5', status: 'accepted' }), 'critical', 'high'],
    ['dispatch_handle', ['deep'], () => ({ execution_id: '5', commands_generated: 1 }), 'critical', 'high'],
  ]
  const MUTATIONS: Mutation[] = [
    ...CHANGES.flatMap(([kind, below, change, on, off, told]) =>
      [
        [ON, on],
        [OFF, off],
      ].map(
        ([at, severity]): Mutation => ({
          kind,
          severity: severity as Severity,
          path: (row) => place(row, ...(at as string[]), ...below),
          change,
          ...(told && { told: (row: number) => place(row, ...(at as string[]), ...told) }),
        }),
      ),
    ),
    // In the place of a diagnosis an id alone makes a handle.
    {
      kind: 'dispatch_handle',
      severity: 'critical',
      path: (row) => place(row, ...ON),
      change: () => ({ execution_id: '5' }),
    },
    {
      kind: 'changed_value',
      severity: 'medium',
      path: (row) => place(row, 'event_type'),
      change: () => 'step.exit',
    },
    {
      kind: 'changed_value',
      severity: 'high',
      path: (row) => place(row, 'result', 'context', 'error', 'message'),
      change: () => 'x',
    },
    {
      kind: 'missing',
      severity: 'critical',
      path: (row) => place(row, 'result', 'context', 'status'),
      change: () => undefined,
    },
    // What holds a diagnosis somewhere below is lost with it.
    { kind: 'missing', severity: 'critical', path: (row) => place(row, 'result'), change: () => undefined },
    {
      kind: 'truncated',
      severity: 'critical',
      path: (row) => place(row, 'result'),
      change: () => ({ kind: 'result_ref', ref: 'noetl://x' }),
    },
    {
      kind: 'stringified_json',
      severity: 'critical',
      path: (row) => place(row, 'result'),
      change: (value) => exactJsonText(value),
    },
    {
      kind: 'collapsed_object',
      severity: 'critical',
      path: (row) => place(row),
      change: () => '[redacted:mail]',
    },
    {
      kind: 'missing',
      severity: 'critical',
      path: () => ['events'],
      change: (value) => (value as ExactJson[]).slice(0, -1),
      told: (_, rows) => place(rows - 1),
    },
    {
      kind: 'extra',
      severity: 'low',
      path: () => ['events'],
      change: (value) => [{ event_id: '7' }, ...(value as ExactJson[])],
      told: () => place(0),
    },
    {
      kind: 'reordered_array',
      severity: 'low',
      path: () => ['events'],
      change: (value) => (value as ExactJson[]).toReversed(),
    },
    { kind: 'precision_lost', severity: 'critical', path: (row) => place(row, 'event_id'), change: rounded },
    {
      kind: 'precision_lost',
      severity: 'critical',
      path: () => ['execution_id'],
      change: () => '707804919186829952',
    },
    {
      kind: 'changed_value',
      severity: 'medium',
      path: () => ['execution_id'],
      change: () => '707804919186829922',
    },
  ]

  function changed(
    value: ExactJson | undefined,
    path: readonly string[],
    change: Mutation['change'],
  ): ExactJson | undefined {
    const [key, ...rest] = path
    if (key === undefined) return change(value ?? null)
    if (Array.isArray(value))
      return value.map((item, i) => (String(i) === key ? changed(item, rest, change)! : item))
    const members = Object.entries(value as ExactObject).filter(([name]) => name !== key)
    const member = changed((value as ExactObject)[key], rest, change)
    return Object.fromEntries(member === undefined ? members : [...members, [key, member]])
  }

  test('each single mutation yields exactly its difference, as bad as it is where it is', () => {
    expect(new Set(MUTATIONS.map(({ kind }) => kind))).toEqual(new Set(DIFFERENCE_KINDS))
    for (const { kind, severity, path, change, told = path } of MUTATIONS)
      fc.assert(
        fc.property(runs, fc.nat(), (run, n) => {
          const row = n % run.events.length
          const { differences, byDesign } = diffValues(run, changed(run, path(row), change)!)
          expect([...differences, ...byDesign]).toEqual([
            {
              path: pointerOf(told(row, run.events.length)),
              kind,
              kindRule: expect.any(String) as string,
              severity,
              rule: expect.stringMatching(/^(on_contract|holds_diagnosis|id_digits|elsewhere)$/) as string,
            },
          ])
        }),
        { numRuns: 25 },
      )
  })

  test('no page size changes what is found', () => {
    fc.assert(
      fc.property(
        runs,
        fc.constantFrom(...MUTATIONS),
        fc.nat(),
        fc.integer({ min: 1, max: 9 }),
        (run, { path, change }, n, size) => {
          const right = changed(run, path(n % run.events.length), change) as ExactObject
          const rows = right.events as ExactJson[]
          const starts = rows.flatMap((_, i) => (i % size === 0 ? [i] : []))
          const pages = starts.map(
            (start): ExactJson => ({
              ...right,
              events: rows.slice(start, start + size),
              pagination: {
                has_next: start + size < rows.length,
                has_prev: start > 0,
                total_events: rows.length,
              },
            }),
          )
          expect(joinPages(pages)).toMatchObject({ complete: true })
          expect(diffValues(run, joinPages(pages).document)).toEqual(diffValues(run, right))
          if (pages.length > 1) expect(joinPages(pages.slice(0, -1)).complete).toBe(false)
        },
      ),
    )
  })
})

describe('bounds', () => {
  const differences = (left: string, right: string): Difference[] =>
    diffValues(read(left), read(right)).differences

  test('texts within texts are read as deep as documents are', () => {
    let text = '{"a":1}'
    for (let i = 0; i < 12; i++) text = JSON.stringify({ a: text })
    const nested = JSON.parse(text, (_, value: unknown) =>
      typeof value === 'string' ? (JSON.parse(value) as unknown) : value,
    ) as ExactJson
    expect(differences(text, JSON.stringify(nested))[0]!.kind).toBe('stringified_json')
    const deep = (depth: number): string => `${'['.repeat(depth)}1${']'.repeat(depth)}`
    expect(differences(`[${deep(500)}]`, JSON.stringify([deep(500)]))).toMatchObject([
      { kind: 'stringified_json' },
    ])
  })

  test('lists within lists are not walked again and again', () => {
    const bulk = Array.from({ length: 1900 }, (_, i) => i % 10).join()
    const nested = (end: number): string => `${`[${bulk},`.repeat(500)}${end}${']'.repeat(500)}`
    const [left, right] = [read(nested(1)), read(nested(2))]
    const start = process.cpuUsage()
    expect(diffValues(left, right).differences).toHaveLength(1)
    // Walking them each time takes seconds of the processor.
    expect(process.cpuUsage(start).user / 1e6).toBeLessThan(1.5)
  })

  test('a list of differences that grows too long ends, and that is said', () => {
    const key = 'k'.repeat(100_000)
    const list = (value: number): ExactJson =>
      read(`{"${key}":[${Array.from({ length: 1000 }, () => value).join()}]}`)
    const found = diffValues(list(1), list(2))
    expect(found.isWhole).toBe(false)
    expect(found.differences.length).toBe(Math.floor(limits.parityListedCharsMax / 100_003) + 1)
  })
})
