import { expect, test } from 'vitest'
import type { RecorderVerdict } from './decision'
import { besideDecision, recorderNotes } from './recorder'

type Judged = Parameters<typeof besideDecision>[1]
const verdict = (more: Partial<RecorderVerdict> = {}) => ({
  failed: false,
  kind: 'none',
  reason: null,
  text: null,
  failedOn: null,
  ...more,
})
const ours = (more: Partial<Judged> = {}): Judged => ({
  outcome: 'succeeded',
  rule: 'content:ok',
  contentState: 'complete',
  evidence: { exit_code: 0, termination: 'natural_exit', is_error: false, subtype: 'success' },
  ...more,
})
const violated = {
  outcome: 'failed',
  rule: 'guard:dead_end_terminal:contract_violation',
  contentState: 'contract_violation',
}
const contract = { failed: true, kind: 'contract', failedOn: 'contract' }

test.each<[string, RecorderVerdict['differs'], Partial<RecorderVerdict>, Partial<Judged>]>([
  ['both find nothing', null, {}, {}],
  ['both find the broken contract', null, contract, violated],
  ['the contract was not asked for there', 'outcome', {}, violated],
  [
    'an attempt that is to be made again failed too',
    'outcome',
    {},
    { outcome: 'retriable', contentState: 'absent' },
  ],
  ['an older recorder found what we do not', 'outcome', contract, {}],
  ['it could not be judged, and was made to fail', 'outcome', { failedOn: 'contract' }, {}],
  [
    'the same exit code',
    null,
    { failed: true, kind: 'exit_code' },
    { ...violated, evidence: { exit_code: 2 } },
  ],
  [
    'an exit code that is forgiven here',
    'outcome',
    { failed: true, kind: 'exit_code' },
    { evidence: { exit_code: -15 } },
  ],
  [
    'ended by a signal',
    null,
    { failed: true, kind: 'exit_code' },
    { outcome: 'failed', evidence: { exit_code: null, signal: 'SIGKILL' } },
  ],
  [
    'refused tools there, the agent’s own word here',
    'reason',
    { failed: true, kind: 'permission_denied', failedOn: 'permission-denied' },
    { outcome: 'failed', rule: 'agent_signal' },
  ],
  [
    'its time was up',
    null,
    { failed: true, kind: 'timeout', failedOn: 'timeout' },
    { outcome: 'failed', evidence: { exit_code: 0, termination: 'timed_out' } },
  ],
  [
    'an error of the result record',
    null,
    { failed: true, kind: 'cli_status' },
    {
      outcome: 'retriable',
      rule: 'retry:api_signal',
      evidence: { is_error: true, subtype: 'error_max_turns' },
    },
  ],
  ['a kind that only a newer recorder knows', 'reason', { failed: true, kind: 'moon_phase' }, violated],
  ['nothing is known here', null, { failed: true, kind: 'exit_code' }, { outcome: 'unknown' }],
  ['it is running here', null, {}, { outcome: 'running' }],
])('%s: %s', (_, differs, said, here) =>
  expect(besideDecision(verdict(said), ours(here)).differs).toBe(differs),
)

const notesOf = (said: Partial<RecorderVerdict>, here: Partial<Judged>) => {
  const judged = ours(here)
  const { failed, notes } = recorderNotes(besideDecision(verdict(said), judged), judged)
  return [failed, ...notes.map(({ id, params }) => [id, params])]
}

test('the notes name what it found, what that made of the exit status, and why both are not the same', () => {
  expect(notesOf({}, violated)).toEqual([
    false,
    ['nothing_failed', {}],
    ['exit_status_kept', { exitCode: 0 }],
    ['contract_not_checked', {}],
  ])
  expect(notesOf({ ...contract, text: 'The result does not match the expected pattern: x' }, {})).toEqual([
    true,
    ['verdict', { text: 'The result does not match the expected pattern: x' }],
    ['exit_status_set', { failOn: 'contract' }],
  ])
  const text = 'The process ended with exit code -15'
  expect(notesOf({ failed: true, kind: 'exit_code', text }, { evidence: { exit_code: -15 } })).toEqual([
    true,
    ['verdict', { text }],
    ['exit_status_kept', { exitCode: -15 }],
    ['exit_code_forgiven', {}],
  ])
})
