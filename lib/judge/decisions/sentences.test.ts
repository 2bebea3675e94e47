import { describe, expect, test } from 'vitest'
import { decide, type DecisionFacts } from './decide'
import { CURRENT_POLICY } from './policies'
import { decidingRule, readingOf } from './reading'
import { patternReadings, verdictFactsOf } from './kept'
import { answersOf, type Answer, type AnswerInput } from './sentences'
import type { VerdictFacts } from './verdict-facts'
import { DECISION_QUESTIONS } from '../../model/messages/decision'
import { decisionReasonText } from '../../words/decision'

const gates = {
  contaminated: null,
  warnings: 0,
  writeCount: 0,
  earlierInARow: null,
  commandIsCut: false,
  maxConsecutiveRetries: 3,
  expectsWrites: false,
}
const good: VerdictFacts = {
  exitCode: 0,
  termination: 'natural_exit',
  channel: 'channel_a',
  subtype: 'success',
  isError: false,
  blank: false,
  exhaustion: null,
  exhaustionSigns: [],
  markerSet: true,
  markerInResult: true,
  markerInText: true,
  onlyMarker: false,
  patterns: [{ pattern: 'plan_path = /.+', state: 'found' }],
}

/** The answers about an attempt with these facts. */
function answersFor(more: Partial<VerdictFacts>, moreGates: Partial<DecisionFacts['gates']> = {}): Answer[] {
  const facts: DecisionFacts = {
    way: { kind: 'session', recovery: [], verdict: { ...good, ...more } },
    gates: { ...gates, ...moreGates },
  }
  const decided = decide(facts, CURRENT_POLICY)
  const { exitCode, termination, channel, patterns } = verdictFactsOf(facts)!
  const evidence = {
    exit_code: exitCode,
    termination,
    channel,
    result_chars: 1240,
    patterns: patterns.map(({ pattern }) => pattern),
  }
  return answersOf({
    contentState: decided.contentState!,
    outcome: decided.outcome,
    retryReason: decided.retryReason,
    rule: decidingRule(decided),
    because: decisionReasonText(readingOf(decided, verdictFactsOf(facts))),
    missing: [],
    evidence,
    facts,
    patterns: patternReadings({ trace: decided.trace, evidence }, facts),
  })
}
const shorts = (answers: Answer[]): string[] => answers.map(({ short }) => short)
const told = (answers: Answer[], n: number) => {
  const { short, message } = answers[n]!
  return [short, message.id, message.params]
}

test('the false positive that the guard was made for, in five sentences', () => {
  const answers = answersFor({ patterns: [{ pattern: 'plan_path = /.+', state: 'missing' }] })
  expect(answers.map(({ question }) => question)).toEqual(DECISION_QUESTIONS)
  expect(shorts(answers)).toEqual(['yes', 'yes', 'no', 'no', 'yes'])
  expect(told(answers, 0)).toEqual([
    'yes',
    'ended',
    { termination: 'natural_exit', end: { exitCode: 0 }, channel: 'channel_a' },
  ])
  expect(answers[2]!.message).toMatchObject({
    id: 'patterns_differ',
    params: { found: 0, patterns: 1, missing: 1 },
  })
  expect(told(answers, 3)).toEqual([
    'no',
    'final_by_guard',
    { rule: 'guard:dead_end_terminal:contract_violation' },
  ])
  expect(told(answers, 4)).toEqual([
    'yes',
    'other_outcome',
    { outcome: 'retriable', reason: 'resume', untilBudget: true },
  ])
})

describe('each question', () => {
  test.each<[string, Partial<VerdictFacts>, string[]]>([
    ['a success', {}, ['yes', 'yes', 'yes', 'no', 'no']],
    [
      'lost output',
      {
        blank: true,
        markerInResult: false,
        markerInText: false,
        onlyMarker: true,
        patterns: [{ pattern: 'plan_path = /.+', state: 'missing' }],
      },
      ['yes', 'no', 'no', 'yes', 'reason_only'],
    ],
    ['a session error', { isError: true, channel: 'unmonitored' }, ['yes', 'no', 'yes', 'no', 'no']],
    [
      'time that was up',
      { termination: 'timed_out', exitCode: -1, subtype: 'timeout', isError: true, channel: 'unmonitored' },
      ['no', 'no', 'yes', 'no', 'no'],
    ],
    [
      'a pattern of another engine',
      { patterns: [{ pattern: '(?<=a)b', state: 'differs' }] },
      ['yes', 'yes', 'unknown', 'no', 'yes'],
    ],
    ['no pattern', { patterns: [] }, ['yes', 'yes', 'not_asked', 'no', 'no']],
  ])('of %s', (_, more, want) => {
    expect(shorts(answersFor(more))).toEqual(want)
  })

  test('of a run that nothing was asked of does not say that nothing tells', () => {
    const unjudged = {
      contentState: 'unknown',
      outcome: 'succeeded',
      retryReason: 'unknown',
      rule: 'exit_code',
      because: '',
      missing: ['completion marker', 'expected patterns'],
      facts: null,
      patterns: [],
    }
    expect(told(answersOf({ ...unjudged, evidence: { marker: '', patterns: [] } }), 2)).toEqual([
      'not_asked',
      'no_patterns',
      {},
    ])
    expect(told(answersOf({ ...unjudged, evidence: {} }), 2)).toEqual(['unknown', 'contract_unknown', {}])
  })

  test('of a run that did not come to its own end says what ended it', () => {
    const run = {
      contentState: 'absent',
      outcome: 'failed',
      retryReason: 'none',
      rule: 'exit_code',
      because: '',
      missing: [],
      facts: null,
      patterns: [],
    }
    const ended = (evidence: object) =>
      told(answersOf({ ...run, evidence: { termination: 'natural_exit', ...evidence } }), 0)
    expect(ended({ signal: 'SIGINT', kill_reason: 'natural_exit' })).toEqual([
      'no',
      'killed_from_outside',
      { signal: 'SIGINT', channel: null },
    ])
    expect(ended({ exit_code: 127, kill_reason: 'not_applicable' })).toEqual([
      'no',
      'not_started',
      { exitCode: 127 },
    ])
    expect(ended({ exit_code: 127, kill_reason: 'natural_exit' })).toEqual([
      'yes',
      'ended',
      { termination: 'natural_exit', end: { exitCode: 127 }, channel: null },
    ])
    const there = (evidence: object) =>
      told(answersOf({ ...run, evidence: evidence as AnswerInput['evidence'] }), 1)
    expect(there({ result_chars: 0 })).toEqual(['no', 'blank', {}])
    expect(there({ result_chars: 7, result_tail: 'No way.', marker: 'DONE' })).toEqual([
      'no',
      'marker_missing',
      { chars: 7 },
    ])
    expect(there({ result_chars: 7, result_tail: ' ', marker: 'DONE' })).toEqual([
      'no',
      'blank_or_marker_missing',
      {},
    ])
  })

  test('tells what is left of the budget', () => {
    const cut = { markerInResult: false, markerInText: false, channel: 'unmonitored' }
    expect(told(answersFor(cut, { earlierInARow: 1 }), 3)).toEqual([
      'yes',
      'retry_requested',
      { reason: 'early_stop', budget: { left: 2, max: 3 } },
    ])
    expect(told(answersFor(cut, { earlierInARow: 3 }), 3)).toEqual(['no', 'budget_exhausted', {}])
  })
})

describe('whether a pattern was found', () => {
  const kept = (rule: string, inputs: Record<string, string[]>) => ({
    trace: [{ rule, stage: 'content', inputs, effect: '' }],
    evidence: { patterns: ['a', 'b'] },
  })
  test('is read from the rules where no facts were kept', () => {
    expect(
      patternReadings(kept('content:fail:expected_artifact_absent', { patterns_missing: ['b'] }), null).map(
        ({ state }) => state,
      ),
    ).toEqual(['found', 'missing'])
    expect(
      patternReadings(kept('success:channel_b_patterns_missing', { missing: ['a'] }), null).map(
        ({ state }) => state,
      ),
    ).toEqual(['missing', 'found'])
  })
  test('is not known where nothing looked', () => {
    expect(patternReadings(kept('retry:none', {}), null).map(({ state }) => state)).toEqual([
      'unknown',
      'unknown',
    ])
    const silent: DecisionFacts = { way: { kind: 'stale', verdict: { ...good, patterns: [] } }, gates }
    expect(
      patternReadings(kept('content:ok', { patterns_missing: [] }), silent).map(({ state }) => state),
    ).toEqual(['unknown', 'unknown'])
  })
})

test('of a run that nobody recorded nothing is guessed', () => {
  const input: AnswerInput = {
    contentState: 'unknown',
    outcome: 'failed',
    retryReason: 'unknown',
    rule: 'api_error',
    because: 'The last request failed.',
    missing: ['exit code', 'expected patterns', 'output'],
    evidence: {},
    facts: null,
    patterns: [],
  }
  expect(shorts(answersOf(input))).toEqual(['unknown', 'unknown', 'unknown', 'unknown', 'unknown'])
})

test('what an agent says of itself stands above every policy', () => {
  const evidence = { termination: 'natural_exit', exit_code: 0, channel: 'channel_a', patterns: [] }
  const answers = answersOf({
    contentState: 'complete',
    outcome: 'failed',
    retryReason: 'none',
    rule: 'agent_signal',
    because: 'The agent says that it failed: no key.',
    missing: [],
    evidence,
    facts: null,
    patterns: [],
  })
  expect(told(answers, 3)).toEqual([
    'no',
    'failed_by_itself',
    { because: 'The agent says that it failed: no key.' },
  ])
  expect(told(answers, 4)).toEqual(['no', 'above_policies', {}])
})
