import { expect, test } from 'vitest'
import type {
  DecisionAnswers,
  DecisionBadges,
  DecisionReasons,
  InputChanges,
  PathPasses,
  RecorderNotes,
} from '../model/messages/decision'
import { DECISION_QUESTIONS } from '../model/messages/decision'
import type { LinkRules } from '../model/messages/links'
import { LINK_RULES } from './calls'
import { DECISION_ANSWERS, DECISION_REASONS, questionWords, shortAnswerWords } from './decision'
import { badgeWords, INPUT_CHANGES, PATH_PASSES, RECORDER_NOTES } from './decision-details'
import { moveWords, policySays } from './policies'
import { wordedSamples, type Samples } from './samples.support'

const alone = [{}] as const

test('why a decision is as it is', () => {
  const samples: Samples<DecisionReasons> = {
    recorded_by_source: [
      { outcome: 'succeeded', retryReason: 'none', subtype: 'success' },
      { outcome: 'retriable', retryReason: 'resume', subtype: 'error_max_turns' },
      { outcome: 'failed', retryReason: 'none', subtype: 'timeout' },
      { outcome: 'failed', retryReason: 'budget_exhausted', subtype: 'moon_phase' },
      { outcome: 'failed', retryReason: 'unknown', subtype: 'unknown' },
    ],
    agent_signal: [{ reason: null }, { reason: 'no key' }, { reason: 'Out of budget!' }],
    permission_denied: [{ tools: ['Bash', 'Edit'] }],
    timed_out: [{ limitS: 600 }, { limitS: null }],
    killed: [{ signal: 'SIGKILL' }],
    exit_code: [{ exitCode: 3 }],
    exit_zero: alone,
    by_records: [{ outcome: { id: 'result_unreadable', params: {} } }],
    parser_crashed: [{ why: "KeyError('name')" }],
    patterns_not_searchable: [
      { patterns: ['(?<=a)b', 'c'], outcome: 'retriable', records: null },
      { patterns: ['(?<=a)b'], outcome: null, records: { id: 'exit_code', params: { exitCode: 1 } } },
    ],
    recovered_from_stale: alone,
    retry_reason: [
      'resume',
      'stale',
      'early_stop',
      'empty_output',
      'drain_race',
      'path_contamination',
      'contract_recovery',
      'zero_writes',
      'budget_exhausted',
      'moon_phase',
    ].map((reason) => ({ reason })),
    delivered: alone,
    channel_confirmed: alone,
    time_limit: alone,
    no_readable_result: [{ subtype: 'unparseable' }],
    result_error: [{ subtype: 'error_during_execution' }, { subtype: null }],
    only_marker: alone,
    end_not_reported: [{ subtype: 'unknown' }],
    result_blank: alone,
    not_delivered: [
      { markerMissing: true, patterns: [] },
      { markerMissing: false, patterns: ['a', 'b'] },
      { markerMissing: true, patterns: ['a'] },
    ],
    nothing_asks: alone,
  }
  expect(wordedSamples(DECISION_REASONS, samples)).toMatchSnapshot()
})

test('the questions and their answers', () => {
  const samples: Samples<DecisionAnswers> = {
    end_unknown: [{ end: null }, { end: 'exit_code_missing' }, { end: { exitCode: 1 } }],
    killed_from_outside: [
      { signal: 'SIGINT', channel: null },
      { signal: 'SIGTERM', channel: 'channel_a' },
    ],
    not_started: [{ exitCode: 127 }],
    ended: [
      { termination: 'natural_exit', end: { exitCode: 0 }, channel: 'channel_b' },
      { termination: 'timed_out', end: { signal: 'SIGTERM' }, channel: 'unmonitored' },
      { termination: 'completed', end: null, channel: null },
    ],
    output_complete: [
      { chars: 1240, withMarker: true },
      { chars: 1, withMarker: false },
      { chars: null, withMarker: false },
    ],
    output_incomplete: [{ chars: 7 }],
    blank: alone,
    marker_missing: [{ chars: 7 }],
    states_possible: [{ states: 'absent|session_error' }],
    blank_or_marker_missing: alone,
    error_without_text: alone,
    error_with_text: alone,
    inputs_missing: [{ inputs: ['exit code', 'output'] }],
    content_not_checked: alone,
    contract_unknown: alone,
    no_patterns: alone,
    patterns_found: [{ patterns: 1 }, { patterns: 3 }],
    patterns_not_searched: [{ patterns: 1 }, { patterns: 3 }],
    patterns_differ: [
      { found: 0, patterns: 1, missing: 1, invalid: 0, differs: 0, unknown: 0 },
      { found: 1, patterns: 5, missing: 1, invalid: 1, differs: 1, unknown: 1 },
    ],
    succeeded: alone,
    retry_unknown: alone,
    retry_requested: [
      { reason: 'early_stop', budget: { left: 2, max: 3 } },
      { reason: 'drain_race', budget: { left: 0, max: 3 } },
      { reason: 'moon_phase', budget: null },
    ],
    reaction_unknown: [{ because: 'The process ended with exit code 1.' }],
    budget_exhausted: alone,
    failed_by_itself: [{ because: 'The agent declared the run failed.' }],
    final_by_guard: [{ rule: 'guard:dead_end_terminal:contract_violation' }],
    nothing_asks: alone,
    above_policies: alone,
    not_kept: alone,
    other_outcome: [
      { outcome: 'retriable', reason: 'resume', untilBudget: true },
      { outcome: 'retriable', reason: 'resume', untilBudget: false },
      { outcome: 'succeeded', reason: 'none', untilBudget: false },
    ],
    other_reason: [{ reason: 'resume' }],
    same: alone,
  }
  expect(DECISION_QUESTIONS.map(questionWords)).toMatchSnapshot()
  expect(
    (['yes', 'no', 'unknown', 'not_asked', 'reason_only'] as const).map(shortAnswerWords),
  ).toMatchSnapshot()
  expect(wordedSamples(DECISION_ANSWERS, samples)).toMatchSnapshot()
})

test('the stages that no rule fired in', () => {
  const samples: Samples<PathPasses> = {
    output_unreadable: alone,
    nothing_recovered: alone,
    result_as_printed: alone,
    decided_by_channel: alone,
    content_skipped: [{ termination: 'timed_out' }],
    content_skipped_by_error: alone,
    decided_by_content: alone,
    no_success: [{ termination: 'stale' }],
    exit_code_stands: alone,
    silent_run_retried: alone,
    no_contradiction: [{ succeeded: true }, { succeeded: false }],
    no_channel: alone,
    already_succeeded: alone,
    already_retried: alone,
    no_gate_closed: alone,
  }
  expect(wordedSamples(PATH_PASSES, samples)).toMatchSnapshot()
})

test('the badges', () => {
  const samples: Samples<DecisionBadges> = {
    differs: [{ fields: ['outcome', 'retryReason'] }],
    channel_only: alone,
    failed_complete: (
      ['only_marker', 'timed_out', 'agent', { subtype: 'unparseable' }, { exitCode: 3 }] as const
    ).map((why) => ({ why })),
    retried_violation: alone,
    timeout_not_final: [{ succeeded: true }, { succeeded: false }],
    recovered_stale: alone,
    synthetic: alone,
    zero_writes: alone,
    contaminated: alone,
    exit_forgiven: alone,
  }
  const badges = Object.entries(samples).flatMap(([id, params]) =>
    params.map((one) => badgeWords({ id, params: one } as Parameters<typeof badgeWords>[0])),
  )
  expect(badges.map(({ code, label, says }) => `${code}: ${label}. ${says}`)).toMatchSnapshot()
})

test('inputs as they could have been', () => {
  const samples: Samples<InputChanges> = {
    ended_by_itself: alone,
    channel: ['channel_a', 'channel_b', 'unmonitored', 'dir_missing'].map((channel) => ({ channel })),
    exit_zero: alone,
    exit_one: alone,
    subtype_success: alone,
    error_cleared: alone,
    error_set: alone,
    context_left: alone,
    text_there: alone,
    text_blank: alone,
    marker_printed: alone,
    marker_omitted: alone,
    pattern_found: [{ pattern: 'plan_path = /.+' }],
    pattern_missing: [{ pattern: 'plan_path = /.+' }],
    budget_left: alone,
    budget_used: alone,
    paths_inside: alone,
    file_written: alone,
    nothing_written: alone,
  }
  expect(wordedSamples(INPUT_CHANGES, samples)).toMatchSnapshot()
})

test('the notes on the recorder', () => {
  const samples: Samples<RecorderNotes> = {
    nothing_failed: alone,
    verdict: [{ text: 'Tools were denied: Bash' }],
    exit_status_set: [{ failOn: 'contract' }],
    exit_status_kept: [{ exitCode: 1 }],
    contract_not_checked: alone,
    exit_code_forgiven: alone,
  }
  expect(wordedSamples(RECORDER_NOTES, samples)).toMatchSnapshot()
})

test('policies and moves between verdicts', () => {
  expect(['current', 'pr-415', 'legacy-promote-all', 'newer'].map(policySays)).toMatchSnapshot()
  expect(
    ['same', 'stops', 'retries', 'succeeds', 'fails', 'unknown', 'other'].map(moveWords),
  ).toMatchSnapshot()
})

test('the rules that link calls', () => {
  const samples: Samples<LinkRules> = {
    same_tool_same_target: alone,
    same_tool_same_parameters: alone,
    same_first_words: alone,
    counted: [
      { attempt: 2, max: 3 },
      { attempt: 2, max: null },
    ],
  }
  expect(wordedSamples(LINK_RULES, samples)).toMatchSnapshot()
})
