import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decide } from './decide'
import { pathOf, type PathInput } from './path'
import { POLICIES } from './policies'
import { pathInputOf } from './kept'
import { stageOfRule } from '../../model/decision-rules'
import { arbitraryWhatIf } from './testing/arbitrary-facts'

const given = (more: Partial<PathInput>): PathInput => ({
  trace: [],
  exitCode: 0,
  termination: 'natural_exit',
  channel: 'unmonitored',
  subtype: 'success',
  gates: null,
  ...more,
})
const fired = (rule: string, inputs: PathInput['trace'][number]['inputs'] = {}) => ({
  rule,
  stage: stageOfRule(rule)!,
  inputs,
  effect: '',
})
const lanes = (input: PathInput) => pathOf(input).map(({ stage, lane }) => [stage, lane])

test('a contract violation that a channel confirmed goes straight into failure, and the guard keeps it there', () => {
  const input = given({
    trace: [
      fired('content:fail:expected_artifact_absent'),
      fired('retry:none'),
      fired('guard:dead_end_terminal:contract_violation'),
    ],
    channel: 'channel_a',
  })
  expect(lanes(input)).toEqual([
    ['recovery', 'open'],
    ['content', 'open'],
    ['success', 'open'],
    ['retry', 'failed'],
    ['contradiction', 'failed'],
    ['dead_end', 'failed'],
    ['gates', 'failed'],
  ])
  const dead = pathOf(input).find(({ stage }) => stage === 'dead_end')!
  expect(dead).toMatchObject({
    moved: false,
    passed: null,
    rules: [{ rule: 'guard:dead_end_terminal:contract_violation' }],
  })
})

test('a success that asks for another attempt changes its lane at the contradiction guard', () => {
  const input = given({
    trace: [fired('success:channel_b_bypass'), fired('retry:api_signal'), fired('guard:contradiction')],
    channel: 'channel_b',
  })
  expect(lanes(input).map(([, lane]) => lane)).toEqual([
    'open',
    'open',
    'succeeded',
    'succeeded',
    'retriable',
    'retriable',
    'retriable',
  ])
  expect(pathOf(input).find(({ stage }) => stage === 'content')!.passed!.why.id).toBe('decided_by_channel')
})

test('gates are walked in the order in which they closed', () => {
  const input = given({
    trace: [
      fired('content:ok'),
      fired('retry:none'),
      fired('gate:path_contamination'),
      fired('gate:budget_exhausted'),
    ],
  })
  expect(pathOf(input).at(-1)).toMatchObject({ stage: 'gates', lane: 'failed', moved: true })
})

test('what the run says of itself has a stage of its own, only where it decided', () => {
  const trace = [fired('content:ok'), fired('retry:none')]
  expect(pathOf(given({ trace: [...trace, fired('agent_signal')] })).at(-1)).toMatchObject({
    stage: 'signal',
    lane: 'failed',
    moved: true,
  })
  expect(pathOf(given({ trace })).map(({ stage }) => stage)).not.toContain('signal')
})

describe('where no rule fired the stage says why, with the value that made it so', () => {
  test.each([
    [
      'time was up',
      { termination: 'timed_out', trace: [fired('retry:none')] },
      'content',
      'content_skipped',
      { termination: 'timed_out' },
    ],
    [
      'exit code',
      { exitCode: 3, trace: [fired('retry:none')] },
      'success',
      'exit_code_stands',
      { exit_code: 3 },
    ],
    [
      'no channel',
      { trace: [fired('content:fail:is_error'), fired('retry:none')] },
      'dead_end',
      'no_channel',
      { channel: 'unmonitored' },
    ],
    ['silence', { termination: 'stale' }, 'retry', 'silent_run_retried', { termination: 'stale' }],
  ] as const)('%s', (_, more, stage, why, values) => {
    const found = pathOf(given(more)).find((stop) => stop.stage === stage)!
    expect(found.passed!.why.id).toBe(why)
    expect(found.passed!.values).toEqual(values)
  })
})

const anyFacts = arbitraryWhatIf.map(({ actual }) => actual)

test('the path ends where the verdict does, for whatever facts and under every policy', () => {
  fc.assert(
    fc.property(anyFacts, fc.constantFrom(...POLICIES), (facts, policy) => {
      const decided = decide(facts, policy)
      expect(pathOf(pathInputOf(facts, decided)).at(-1)!.lane).toBe(decided.outcome)
    }),
    { numRuns: 2_000 },
  )
})

test('every stage has either a rule or a reason why none fired, and every rule that fires is in the list', () => {
  fc.assert(
    fc.property(anyFacts, fc.constantFrom(...POLICIES), (facts, policy) => {
      const decided = decide(facts, policy)
      for (const { rules, passed } of pathOf(pathInputOf(facts, decided)))
        expect(rules.length > 0).toBe(passed === null)
      for (const { rule, stage } of decided.trace) expect(stageOfRule(rule), rule).toBe(stage)
    }),
    { numRuns: 2_000 },
  )
})
