import { expect, test } from 'vitest'
import type { StepEndMessage, StepReason } from '../model/messages/step-end'
import { textOf } from './catalogue'
import { STEP_END_NEXT, STEP_END_WORDS, stepReasonWords } from './step-end'

const messages: StepEndMessage[] = [
  { id: 'file_missing', params: { conclusion: 'failure', reasons: [] } },
  { id: 'file_missing', params: { conclusion: 'success', reasons: [] } },
  { id: 'file_missing', params: { conclusion: null, reasons: [] } },
  { id: 'no_messages', params: { reasons: [] } },
  { id: 'no_result', params: { reasons: [] } },
  { id: 'failed_after_success', params: { turns: 1, reasons: [] } },
  { id: 'failed_after_success', params: { turns: null, reasons: [] } },
  { id: 'step_cancelled', params: { reasons: [] } },
  { id: 'passed_after_failure', params: { reasons: [] } },
]
const reasons: StepReason[] = [
  'not_started',
  'died_without_file',
  'stopped_early',
  'nothing_to_do',
  'died_at_start',
  'died',
  'stream_ended',
  'turn_limit',
  'structured_output',
  'hung_after_result',
  'error_ignored',
  'later_part',
]

test('every message of the end of a step, with its reasons', () => {
  expect(
    messages.map((one) => `${textOf(STEP_END_WORDS, one)}. ${textOf(STEP_END_NEXT, one)}`),
  ).toMatchSnapshot()
  expect(reasons.map(stepReasonWords)).toMatchSnapshot()
})
