import { expect, test } from 'vitest'
import { isEmpty, onlyFailure, openedOf, placeOf, viewCiRun } from './ci-view'
import { ciRunWords, ciSentence, shortRun } from '../../words/ci'
import type { CiExecution } from '../attempts/chain'

const one = (id: string, outcome: string, ciAttempt: number | null = 1): CiExecution => ({
  id,
  externalId: id,
  outcome,
  outcomeBasis: 'inferred',
  cause: null,
  title: null,
  startedAt: null,
  endedAt: null,
  url: '',
  attempt: ciAttempt,
  contentState: 'unknown',
  retryReason: 'unknown',
  costUsd: null,
  inputTokens: 0,
  outputTokens: 0,
  retry: 'unknown',
  ciAttempt,
  job: null,
  runUrl: null,
  commit: null,
})
const view = (items: CiExecution[], attempt: number | null, provider = 'github') =>
  viewCiRun(items, { provider, attempt })
const ids = (items: CiExecution[]): string => items.map(({ id }) => id).join(' ')
const many = (...outcomes: string[]): CiExecution[] => outcomes.map((outcome, n) => one(String(n), outcome))

test('of several attempts the newest that anything has arrived of is shown, and all are counted', () => {
  const items = [
    one('a', 'failed', 2),
    one('b', 'retriable', 10),
    one('c', 'interrupted', 2),
    one('d', 'succeeded', 10),
    one('e', 'failed', 2),
  ]
  const seen = view(items, null)
  expect([seen.attempt, ids(seen.failed), ids(seen.succeeded)]).toEqual([10, 'b', 'd'])
  expect(seen.attempts).toEqual([
    { attempt: 10, executions: 2, failed: 1 },
    { attempt: 2, executions: 3, failed: 3 },
  ])
  expect(ids(view(items, 2).failed)).toBe('a c e')
})

test('an attempt that nothing has arrived of is empty, and the others are still named', () => {
  const seen = view([one('a', 'failed', 1)], 3)
  expect([seen.attempt, isEmpty(seen), seen.attempts.length]).toEqual([3, true, 1])
  expect(view([], null)).toEqual({ attempt: null, attempts: [], failed: [], open: [], succeeded: [] })
})

test('what names no attempt is shown with each of them', () => {
  const items = [one('a', 'failed', null), one('b', 'failed', 1), one('c', 'failed', 2)]
  expect(ids(view(items, null).failed)).toBe('a c')
  expect(ids(view(items, 1).failed)).toBe('a b')
  expect(view(items, 1).attempts.map(({ failed }) => failed)).toEqual([2, 2])
  expect(view([items[0]!], null)).toMatchObject({ attempt: null, attempts: [] })
})

test('where single jobs are tried again, the newest attempt of each job makes the run', () => {
  const items = [
    { ...one('a', 'failed', 1), job: 'bake' },
    { ...one('b', 'succeeded', 2), job: 'bake' },
    { ...one('c', 'failed', 1), job: 'plan' },
    { ...one('d', 'failed', 1), job: 'plan' },
  ]
  const seen = view(items, null, 'buildkite')
  expect([seen.attempt, ids(seen.failed), ids(seen.succeeded), seen.attempts.length]).toEqual([
    null,
    'c d',
    'b',
    2,
  ])
  expect(ids(view(items, 1, 'buildkite').failed)).toBe('a c d')
  expect(ids(view(items, null).failed)).toBe('')
})

test('the first failure stands open, unless the address asks for another execution', () => {
  const seen = view(
    [one('a', 'failed'), one('b', 'failed'), one('c', 'running'), one('d', 'succeeded')],
    null,
  )
  expect(openedOf(seen, null)?.id).toBe('a')
  expect(openedOf(seen, 'd')?.id).toBe('d')
  expect(openedOf(seen, 'of another run')?.id).toBe('a')
  expect(openedOf(view(many('succeeded', 'unknown'), null), null)?.id).toBe('1')
  expect(openedOf(view(many('succeeded'), null), null)).toBeNull()
})

test('an execution has its place among its own kind: a failure is one of the failures that stand beside it', () => {
  const seen = view(
    [
      one('a', 'failed'),
      one('b', 'retriable'),
      one('c', 'running'),
      one('d', 'cancelled'),
      one('e', 'succeeded'),
    ],
    null,
  )
  const told = (id: string | undefined) => {
    const { group, place, kind } = placeOf(seen, id)
    return `${place + 1} of ${group.length} ${kind}`
  }
  expect(['a', 'b', 'c', 'd', 'e'].map(told)).toEqual([
    '1 of 2 failed',
    '2 of 2 failed',
    '1 of 2 open',
    '2 of 2 open',
    '1 of 1 succeeded',
  ])
  expect(placeOf(view(many('running', 'running', 'failed'), null), '1').kind).toBe('running')
  for (const id of ['of another run', undefined])
    expect(placeOf(seen, id)).toMatchObject({ group: [], place: -1 })
})

test('the only failure is opened by the address itself; where there is a choice or nothing none is', () => {
  expect(onlyFailure(view(many('succeeded', 'retriable', 'running'), null))?.id).toBe('1')
  expect(onlyFailure(view(many('failed', 'failed'), null))).toBeNull()
  expect(onlyFailure(view(many('succeeded', 'running', 'unknown', 'cancelled'), null))).toBeNull()
})

test.each([
  [[], 'No data yet'],
  [['failed'], 'The only execution failed'],
  [['failed', 'retriable', 'interrupted'], 'All 3 executions failed'],
  [['failed', 'succeeded', 'running'], '1 of 3 executions failed; 1 is running'],
  [['succeeded'], 'The only execution succeeded'],
  [['succeeded', 'succeeded'], 'All 2 executions succeeded'],
  [['running', 'running', 'succeeded'], 'Nothing failed so far; 2 are running'],
  [
    ['cancelled', 'unknown', 'from a later version'],
    'Nothing failed; 1 was cancelled; 2 with unknown outcome',
  ],
])('%j reads: %s', (outcomes, sentence) => expect(ciSentence(view(many(...outcomes), null))).toBe(sentence))

test('a run is called what its provider calls it', () => {
  const words = (provider: string, attempt: number | null = null) =>
    ciRunWords({ provider, path: 'a/b', run: '7', attempt })
  expect(words('github', 2)).toBe('a/b, run 7, attempt 2')
  expect(words('gitlab')).toBe('a/b, pipeline 7')
  expect(words('constructor')).toBe('a/b, run 7')
  expect(shortRun('5034460f-c7c4-4c43-9457-de07e2029e7b')).toBe('5034460f…')
  expect(shortRun('9012345678')).toBe('9012345678')
})
