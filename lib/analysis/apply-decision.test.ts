import { expect, test } from 'vitest'
import { inReadingOrder, nameWords, valueWords } from '../words/decision-values'
import { createAnalysis } from './analyse'
import { applyDecision } from './apply-decision'
import { CAUSE_CATEGORIES } from '../model/cause-categories'
import { categoryWords } from '../words/categories'
import { decideExecution } from '../judge/decisions/decide-execution'
import { storyOf } from './story.support'
import { worded } from './worded.support'
import type { ExecutionSummary } from '../model/summary'
import type { RunFact } from '../model/run-facts'

const analyse = (story: ReturnType<typeof storyOf>): ExecutionSummary => {
  const analysis = createAnalysis()
  for (const e of story.events) analysis.add(e)
  return analysis.finish()
}

const run = (more: Partial<RunFact>): RunFact => ({
  recordId: 'r',
  command: ['claude', '-p', 'go'],
  cwd: null,
  startedAt: '2026-11-02T08:00:00.000Z',
  endedAt: '2026-11-02T08:10:06.000Z',
  exitCode: null,
  signal: 'SIGTERM',
  termination: 'timed_out',
  channelConfirmation: 'unmonitored',
  killReason: 'infra_kill',
  marker: '',
  patterns: [],
  chain: null,
  ci: null,
  stdout: { bytes: 5, sha256: null, kind: 'claude-stream', sentBytes: null },
  stderrTail: '',
  verdict: null,
  span: { start: 0, end: 1 },
  ...more,
})
const known = (story: ReturnType<typeof storyOf>, fact: RunFact): ExecutionSummary => {
  const summary = analyse(story)
  return {
    ...summary,
    evidence: {
      ...summary.evidence,
      runs: [{ fact, at: null, pointer: { received: 'p', byteStart: 0, byteEnd: 1 } }],
    },
  }
}
const decided = (story: ReturnType<typeof storyOf>, fact: RunFact) =>
  worded(applyDecision(known(story, fact), decideExecution(known(story, fact), null)))
const open = () => storyOf('t').prompt('go').call('b', 'Bash', 'make all', { looseTarget: 'make' })

test('of a record that breaks off because the time was up, the time is what broke, and what was open stands below', () => {
  const { cause, outcome, advice } = decided(open(), run({}))
  expect(outcome).toBe('failed')
  expect(cause).toMatchObject({
    message: { id: 'process_timed_out', params: { limitS: null, afterS: 606 } },
    earlier: { id: 'by_records', params: { cause: { id: 'call_unanswered' } } },
    text: 'Timed out after 10 min 06 s\nThe record ends before Bash “make all” returned',
    category: 'limit',
    pointer: { received: 'p', byteStart: 0, byteEnd: 1 },
  })
  expect(advice).toMatchObject({ retry: 'unknown', next: expect.stringContaining('Raise the limit') })
})

test('the limit that was up is named where the record holds it, in the cause and among the inputs of the decision', () => {
  expect(decided(open(), run({ timeoutS: 600 })).cause!.text).toMatch(
    /^Timed out after 10 min 06 s \(limit 10 min 00 s\)\n/,
  )
  const decideOn = (fact: RunFact) => decideExecution(known(open(), fact), null)!
  const { reason, evidence } = decideOn(run({ timeoutS: 600 }))
  expect(reason).toEqual({ id: 'timed_out', params: { limitS: 600 } })
  expect(
    inReadingOrder(evidence).map(([name, value]) => [
      nameWords(name),
      valueWords(name, value).map(({ text }) => text),
    ]),
  ).toContainEqual(['Time limit', ['600 seconds']])
  expect(decideOn(run({})).evidence).not.toHaveProperty('timeout_s')
})

test('the tag by which its recorder looked for a failure signal stands among the inputs where the record names it', () => {
  const { evidence } = decideExecution(known(open(), run({ failureTag: 'x-failed' })), null)!
  expect(
    inReadingOrder(evidence).map(([name, value]) => [
      nameWords(name),
      valueWords(name, value).map(({ text }) => text),
    ]),
  ).toContainEqual(['Failure signal tag', ['x-failed']])
  expect(decideExecution(known(open(), run({})), null)!.evidence).not.toHaveProperty('failure_tag')
})

test('of one whose process was not stopped the break stays what it is', () =>
  expect(
    decided(open(), run({ termination: 'natural_exit', signal: null, exitCode: 0 })).cause,
  ).toMatchObject({ category: 'cut_off' }))

test('a record without an end says that its recorder was ended, and guesses nothing of the command', () => {
  const half = {
    endedAt: null,
    signal: null,
    exitCode: null,
    termination: null,
    channelConfirmation: null,
    killReason: null,
  }
  const { outcome, cause, advice } = decided(storyOf('t'), run(half))
  expect([outcome, cause?.category, cause?.pointer?.received, advice?.retry]).toEqual([
    'unknown',
    'cut_off',
    'p',
    'unknown',
  ])
  expect(cause!.text).toMatch(/^The recorder stopped before its command/)
  expect(decided(open(), run(half)).cause!.text).toMatch(/^The record ends before Bash/)
})

test('a cause that the records tell themselves is not taken over by how the process ended', () => {
  const { cause, outcome } = decided(
    storyOf('t', 'stream').prompt('go').result({ subtype: 'error_max_turns', isError: true, result: null }),
    run({ termination: 'natural_exit', signal: null, exitCode: 1 }),
  )
  expect([outcome, cause!.category]).toEqual(['failed', 'limit'])
  expect(cause!.text).toContain('turn limit')
})

test('every category has words of its own, and one that is new reads as itself', () => {
  const words = CAUSE_CATEGORIES.map(categoryWords)
  expect(new Set(words).size).toBe(CAUSE_CATEGORIES.length)
  for (const word of words) expect(word).not.toMatch(/_/)
  expect(categoryWords('moon_phase')).toBe('moon phase')
})
