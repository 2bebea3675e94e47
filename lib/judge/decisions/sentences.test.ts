import { describe, expect, test } from 'vitest'
import { decide, type DecisionFacts } from './decide'
import { CURRENT_POLICY } from './policies'
import { decidingRule, readingOf } from './reading'
import { patternReadings, verdictFactsOf } from './kept'
import { answersOf, type Answer, type AnswerInput } from './sentences'
import type { VerdictFacts } from './verdict-facts'

const QUESTIONS = [
  'Did it finish?',
  'Is the output there?',
  'Is it what was asked?',
  'Will it be retried, and why?',
  'Different before the fix?',
]

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
    because: readingOf(decided, verdictFactsOf(facts)),
    missing: [],
    evidence,
    facts,
    patterns: patternReadings({ trace: decided.trace, evidence }, facts),
  })
}
const shorts = (answers: Answer[]): string[] => answers.map(({ short }) => short)
const told = (answers: Answer[], n: number): string => `${answers[n]!.short}. ${answers[n]!.text}`

test('the false positive that the guard was made for, in five sentences', () => {
  const answers = answersFor({ patterns: [{ pattern: 'plan_path = /.+', state: 'missing' }] })
  expect(answers.map(({ question }) => question)).toEqual(QUESTIONS)
  expect(shorts(answers)).toEqual(['Yes', 'Yes', 'No', 'No', 'Yes'])
  expect(told(answers, 0)).toBe(
    'Yes. Ended by itself, exit code 0; channel A: a result was seen in the output.',
  )
  expect(told(answers, 2)).toBe('No. 0 of 1 expected patterns found; 1 missing.')
  expect(told(answers, 4)).toContain(
    'it would have been tried again (cut short, can be resumed), until the budget stopped it',
  )
})

describe('each question', () => {
  test.each<[string, Partial<VerdictFacts>, string[]]>([
    ['a success', {}, ['Yes', 'Yes', 'Yes', 'No', 'No']],
    [
      'lost output',
      {
        blank: true,
        markerInResult: false,
        markerInText: false,
        onlyMarker: true,
        patterns: [{ pattern: 'plan_path = /.+', state: 'missing' }],
      },
      ['Yes', 'No', 'No', 'Yes', 'Only the reason'],
    ],
    ['a session error', { isError: true, channel: 'unmonitored' }, ['Yes', 'No', 'Yes', 'No', 'No']],
    [
      'time that was up',
      { termination: 'timed_out', exitCode: -1, subtype: 'timeout', isError: true, channel: 'unmonitored' },
      ['No', 'No', 'Yes', 'No', 'No'],
    ],
    [
      'a pattern of another engine',
      { patterns: [{ pattern: '(?<=a)b', state: 'differs' }] },
      ['Yes', 'Yes', 'Not known', 'No', 'Yes'],
    ],
    ['no pattern', { patterns: [] }, ['Yes', 'Yes', 'Not asked', 'No', 'No']],
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
    expect(told(answersOf({ ...unjudged, evidence: { marker: '', patterns: [] } }), 2)).toBe(
      'Not asked. No pattern was expected of the result.',
    )
    expect(told(answersOf({ ...unjudged, evidence: {} }), 2)).toBe(
      'Not known. Nothing tells what was asked for.',
    )
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
    expect(ended({ signal: 'SIGINT', kill_reason: 'natural_exit' })).toBe(
      'No. SIGINT ended it, which did not come from what ran it.',
    )
    expect(ended({ exit_code: 127, kill_reason: 'not_applicable' })).toBe(
      'No. It could not be started, exit code 127.',
    )
    expect(ended({ exit_code: 127, kill_reason: 'natural_exit' })).toBe(
      'Yes. Ended by itself, exit code 127.',
    )
    const there = (evidence: object) =>
      told(answersOf({ ...run, evidence: evidence as AnswerInput['evidence'] }), 1)
    expect(there({ result_chars: 0 })).toBe('No. The result is blank.')
    expect(there({ result_chars: 7, result_tail: 'No way.', marker: 'DONE' })).toBe(
      'No. The result holds 7 characters, but the completion marker is not in it.',
    )
    expect(there({ result_chars: 7, result_tail: ' ', marker: 'DONE' })).toBe(
      'No. The result is blank, or lacks its completion marker.',
    )
  })

  test('tells what is left of the budget', () => {
    const cut = { markerInResult: false, markerInText: false, channel: 'unmonitored' }
    expect(told(answersFor(cut, { earlierInARow: 1 }), 3)).toContain(
      '2 of 3 attempts of the budget are left.',
    )
    expect(told(answersFor(cut, { earlierInARow: 3 }), 3)).toMatch(/^No\. .*used up/)
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
  expect(shorts(answersOf(input))).toEqual(['Not known', 'Not known', 'Not known', 'Not known', 'Not known'])
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
  expect(told(answers, 3)).toBe('No. The agent says that it failed: no key.')
  expect(told(answers, 4)).toBe('No. What the run says of itself stands above every policy.')
})
