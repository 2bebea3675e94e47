import { expect, test } from 'vitest'
import type { StepEndFacts } from './step-end-rules'
import { judgeStepEnd } from './step-end-rules'

const success = { outcome: 'succeeded', rule: 'result_success' } as const
const stepFailed = { outcome: 'failed', rule: 'ci_step_failed' } as const
const cutOff = { outcome: 'unknown', rule: 'call_without_result' } as const
const step = (over: Partial<StepEndFacts>): StepEndFacts => ({
  conclusion: null,
  file: 'list',
  kind: 'claude-stream',
  judged: success,
  result: { numTurns: 12 },
  ...over,
})
const found = (over: Partial<StepEndFacts>) => {
  const verdict = judgeStepEnd(step(over))
  return verdict && [verdict.rule, verdict.verdict, verdict.params.reasons]
}
const noFile = { file: 'missing', kind: null, judged: null, result: null } as const

test.each([
  ['failure', true, ['not_started', 'died_without_file']],
  ['cancelled', false, ['stopped_early']],
  ['success', false, ['nothing_to_do']],
  ['skipped', false, ['nothing_to_do']],
  [null, false, ['stopped_early', 'not_started', 'nothing_to_do']],
] as const)('no file after a step that ended with %s', (conclusion, needed, reasons) => {
  expect(found({ ...noFile, conclusion })).toEqual(['file_missing', needed, reasons])
})

test('an empty list is told whatever the step says', () => {
  for (const conclusion of ['failure', 'success', 'cancelled', null] as const)
    expect(found({ ...noFile, file: 'empty_list', conclusion })).toEqual([
      'no_messages',
      true,
      ['died_at_start'],
    ])
})

test('a list without a result record broke off; lines without one may be still written', () => {
  const cut = { judged: cutOff, result: null }
  expect(found(cut)).toEqual(['no_result', true, ['died', 'stream_ended']])
  expect(found({ ...cut, file: 'other' })).toBeNull()
  expect(found({ ...cut, kind: 'claude-transcript' })).toBeNull()
})

test('a failed step whose run reported success: what the action checks on top, and its turns', () => {
  expect(judgeStepEnd(step({ conclusion: 'failure', judged: stepFailed }))).toMatchObject({
    rule: 'step_failed',
    verdict: true,
    params: { turns: 12, reasons: ['turn_limit', 'structured_output', 'later_part', 'earlier_file'] },
  })
  expect(found({ judged: stepFailed, kind: 'claude-transcript', result: null })).toEqual([
    'step_failed',
    true,
    ['later_part'],
  ])
})

test('a failed step whose run has no result: its process or its stream ended', () => {
  // A list is written when the run has ended: that it has no result says more than that the step failed.
  for (const [file, rule] of [
    ['list', 'no_result'],
    ['other', 'step_failed'],
  ] as const)
    expect(found({ judged: stepFailed, result: null, file })).toEqual([rule, true, ['died', 'stream_ended']])
})

test('what is missing of a torn file may be in the part that is cut off', () => {
  expect(found({ judged: cutOff, result: null, file: 'torn' })).toBeNull()
  expect(found({ judged: stepFailed, result: null, file: 'torn' })).toEqual(['step_failed', true, []])
})

test('a step that was cancelled after its run had ended well; one before says all itself', () => {
  expect(found({ conclusion: 'cancelled' })).toEqual(['cancelled_after_success', true, ['hung_after_result']])
  expect(found({ conclusion: 'cancelled', judged: { outcome: 'failed', rule: 'limit_reached' } })).toBeNull()
  const cancelled = { outcome: 'cancelled', rule: 'ci_step_cancelled' } as const
  expect(found({ conclusion: 'cancelled', judged: cancelled, result: null })).toBeNull()
})

test('a step that passed although its run failed', () => {
  const failed = { outcome: 'retriable', rule: 'api_failure' } as const
  expect(found({ conclusion: 'success', judged: failed })).toEqual([
    'passed_after_failure',
    true,
    ['error_ignored'],
  ])
})

test('nothing is added where both agree', () => {
  expect(found({})).toBeNull()
  expect(found({ conclusion: 'success' })).toBeNull()
  expect(found({ conclusion: 'failure', judged: { outcome: 'failed', rule: 'limit_reached' } })).toBeNull()
})
