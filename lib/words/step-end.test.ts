import { expect, test } from 'vitest'
import type { StepEndMessage, StepReason } from '../model/messages/step-end'
import { textOf } from './catalogue'
import { STEP_END_WORDS, stepNextWords, stepReasonWords } from './step-end'

const messages: StepEndMessage[] = [
  { id: 'file_missing', params: { conclusion: 'failure', reasons: [] } },
  { id: 'file_missing', params: { conclusion: 'success', reasons: [] } },
  { id: 'file_missing', params: { conclusion: null, reasons: [] } },
  { id: 'no_messages', params: { reasons: [] } },
  { id: 'no_result', params: { reasons: [] } },
  { id: 'step_failed', params: { turns: 1, reasons: [] } },
  { id: 'step_failed', params: { turns: null, reasons: [] } },
  { id: 'cancelled_after_success', params: { reasons: [] } },
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
  expect(messages.map((one) => [textOf(STEP_END_WORDS, one), stepNextWords(one)])).toMatchSnapshot()
  expect(reasons.map(stepReasonWords)).toMatchSnapshot()
})
