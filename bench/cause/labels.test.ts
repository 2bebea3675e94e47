import { expect, test } from 'vitest'
import { parseLabels } from './labels'

const call = {
  kind: 'refused',
  acceptable: ['interrupted'],
  recovered: 'other_way',
  unchanged_retry: 'would_not',
}
const reading = {
  outcome: 'open',
  first_to_see: ['x'],
  why: 'w',
  headline: 'h',
  next: 'n',
  calls: { x: call },
}
const line = (change: object = {}, ofCall: object = {}) =>
  JSON.stringify({
    file: 'a/b-1.jsonl',
    readings: [reading, { ...reading, ...change, calls: { x: { ...call, ...ofCall } } }],
  })

test('a line is a session with two readings', () => {
  const [session, ...more] = parseLabels(`${line()}\n\n`, 'a.jsonl')
  expect(more).toEqual([])
  expect(session).toMatchObject({ set: 'a', file: 'a/b-1.jsonl' })
  expect(session!.readings[1]).toEqual({
    outcome: 'open',
    firstToSee: ['x'],
    calls: new Map([
      [
        'x',
        { kind: 'refused', acceptable: ['interrupted'], recovered: 'other_way', unchangedRetry: 'would_not' },
      ],
    ]),
  })
})

test.each([
  ['an outcome', line({ outcome: 'unknown' })],
  ['a kind', line({}, { kind: 'exit_code' })],
  ['an acceptable kind', line({}, { acceptable: ['nothing'] })],
  ['what became of a call', line({}, { recovered: 'yes' })],
  ['a retry', line({}, { unchanged_retry: 'no' })],
  ['a call to see first that has no label', line({ first_to_see: ['y'] })],
  ['a single reading', JSON.stringify({ file: 'a', readings: [reading] })],
  ['what is no JSON', '{'],
])('%s that is in no list is an error with its line', (_name, text) => {
  expect(() => parseLabels(`${line()}\n${text}`, 'a.jsonl')).toThrow(/^a\.jsonl, line 2: /)
})
