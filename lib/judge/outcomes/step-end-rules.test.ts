import { expect, test } from 'vitest'
import type { StepEndFacts } from './step-end-rules'
import { judgeStepEnd } from './step-end-rules'

const step = (over: Partial<StepEndFacts>): StepEndFacts => ({
  conclusion: null,
  file: 'list',
  kind: 'claude-stream',
  outcome: 'succeeded',
  result: { numTurns: 12 },
  ...over,
})
const found = (over: Partial<StepEndFacts>) => {
  const verdict = judgeStepEnd(step(over))
  return verdict && [verdict.rule, verdict.verdict, verdict.params.reasons]
}
const noFile = { file: 'missing', kind: null, outcome: null, result: null } as const

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
    expect(found({ file: 'empty_list', outcome: null, result: null, conclusion })).toEqual([
      'no_messages',
      true,
      ['died_at_start'],
    ])
})

test('a list without a result record broke off; lines without one may be still written, unless their step failed', () => {
  const cut = { outcome: 'unknown', result: null } as const
  expect(found(cut)).toEqual(['no_result', true, ['died', 'stream_ended']])
  expect(found({ ...cut, file: 'other' })).toBeNull()
  expect(found({ ...cut, file: 'other', conclusion: 'failure' })).toEqual([
    'no_result',
    true,
    ['died', 'stream_ended'],
  ])
  expect(found({ ...cut, kind: 'claude-transcript', conclusion: 'failure' })).toBeNull()
})

test('a failed step whose run reported success: what the action checks on top, and its turns', () => {
  expect(judgeStepEnd(step({ conclusion: 'failure' }))).toMatchObject({
    rule: 'failed_after_success',
    verdict: true,
    params: { turns: 12, reasons: ['turn_limit', 'structured_output', 'later_part'] },
  })
  expect(found({ conclusion: 'failure', kind: 'claude-transcript', result: null })).toEqual([
    'failed_after_success',
    true,
    ['later_part'],
  ])
})

test('a cancelled step is told where its run did not fail by itself', () => {
  expect(found({ conclusion: 'cancelled' })).toEqual(['step_cancelled', true, ['hung_after_result']])
  expect(found({ conclusion: 'cancelled', outcome: 'unknown', file: 'other' })).toEqual([
    'step_cancelled',
    true,
    [],
  ])
  expect(found({ conclusion: 'cancelled', outcome: 'failed' })).toBeNull()
})

test('a step that passed although its run failed', () => {
  expect(found({ conclusion: 'success', outcome: 'retriable' })).toEqual([
    'passed_after_failure',
    true,
    ['error_ignored'],
  ])
})

test('nothing is added where both agree', () => {
  expect(found({})).toBeNull()
  expect(found({ conclusion: 'success' })).toBeNull()
  expect(found({ conclusion: 'failure', outcome: 'failed' })).toBeNull()
})
