import { expect, test } from 'vitest'
import { parseExactJson, type ExactJson } from '../../text/exact-json'
import { readDiagnosis, runDiagnosisState } from './run-diagnosis'

const exact = (text: string): ExactJson => {
  const read = parseExactJson(text)
  if (!read.ok) throw new Error(read.why)
  return read.value
}

test.each([
  ['complete', [], 'attached'],
  ['incomplete', [], 'incomplete'],
  ['malformed', [], 'incomplete'],
  ['dispatch_handle', [{ isRunning: true }], 'handle_only'],
  ['absent', [], 'none_requested'],
  ['absent', [{ isRunning: false }, { isRunning: true }], 'running'],
  ['absent', [{ isRunning: false }], 'attempted_nothing_attached'],
] as const)('%s with %j is %s', (slot, attempts, state) =>
  expect(runDiagnosisState(slot, attempts)).toBe(state),
)

test('values keep their digits and their order, known keys first, unknown ones as they came', () => {
  const text =
    '{"x":{"id":620356931248455716},"category":"solar_flare","confidence":1.50,"root_cause":"","suggested_action":"wait","source":"ollama","execution_id":620356931248455717}'
  expect(readDiagnosis(exact(text))).toEqual({
    keys: {
      category: '"solar_flare"',
      confidence: '1.50',
      root_cause: '""',
      suggested_action: '"wait"',
      source: '"ollama"',
    },
    others: [
      { key: 'x', json: '{"id":620356931248455716}' },
      { key: 'execution_id', json: '620356931248455717' },
    ],
    problems: ['category_not_in_set', 'confidence_out_of_range', 'root_cause_empty'],
    groupCategory: 'unknown',
    lowConfidence: null,
    namesRun: '620356931248455717',
    json: text,
  })
})

test('what is no object is told as that', () => {
  expect(readDiagnosis(exact('"see the log"'))).toMatchObject({
    problems: ['not_an_object'],
    json: '"see the log"',
    others: [],
    keys: { category: null },
  })
})

test.each([
  ['0.49', true],
  ['0.5', false],
  ['7', null],
  ['"0.1"', null],
])('confidence %s is a guess: %s', (confidence, lowConfidence) =>
  expect(
    readDiagnosis(
      exact(
        `{"category":"auth","confidence":${confidence},"root_cause":"x","suggested_action":"y","source":"ollama"}`,
      ),
    ),
  ).toMatchObject({ lowConfidence }),
)
