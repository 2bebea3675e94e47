import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chainsOfAttempts, neighbourAttempts, viewChain } from './chained-attempts'
import type { ChainAttempt, ExecutionChain } from './chain'

const attempt = (id: string, more: Partial<ChainAttempt> = {}): ChainAttempt => ({
  id,
  externalId: id,
  outcome: 'failed',
  outcomeBasis: 'recomputed',
  cause: null,
  title: null,
  startedAt: '2026-11-02T08:00:00.000Z',
  endedAt: '2026-11-02T08:01:00.000Z',
  url: `/executions/${id}`,
  attempt: null,
  contentState: 'contract_violation',
  retryReason: 'none',
  costUsd: 0.5,
  inputTokens: 100,
  outputTokens: 20,
  retry: 'cannot-help',
  ...more,
})
const chain = (attempts: ChainAttempt[], more: Partial<ExecutionChain> = {}): ExecutionChain => ({
  id: 'c',
  name: 'plan',
  rule: 'named_chain',
  basis: 'recorded',
  attempts,
  attemptsLeftOut: 0,
  repeatedEffects: [],
  effectsCut: false,
  ...more,
})

test('an edge says why the next attempt was made, how that is known, and whether it could have helped', () => {
  const view = viewChain(
    chain(
      [
        attempt('a', { retryReason: 'early_stop', retry: 'could-help' }),
        attempt('b', { startedAt: '2026-11-02T08:03:30.000Z', endedAt: null }),
        attempt('c', { outcome: 'succeeded', retry: 'unknown', startedAt: null }),
      ],
      { basis: 'inferred', rule: 'same_command' },
    ),
    'b',
  )
  expect(view.attempts.map(({ edge }) => edge)).toEqual([
    null,
    {
      gapMs: 150_000,
      afterSuccess: false,
      reason: 'early_stop',
      couldHelp: 'could-help',
      asserted: false,
      rule: 'same_command',
      sameInputs: null,
    },
    {
      gapMs: null,
      afterSuccess: false,
      reason: 'none',
      couldHelp: 'cannot-help',
      asserted: false,
      rule: 'same_command',
      sameInputs: null,
    },
  ])
  expect(view.attempts.map(({ place, current, durationMs }) => [place, current, durationMs])).toEqual([
    [1, false, 60_000],
    [2, true, null],
    [3, false, null],
  ])
})

test('attempts that overlap have no gap, and one after a success says so', () => {
  const view = viewChain(
    chain([attempt('a', { outcome: 'succeeded' }), attempt('b', { startedAt: '2026-11-02T08:00:30.000Z' })]),
    'b',
  )
  expect(view.attempts[1]!.edge).toMatchObject({ gapMs: null, afterSuccess: true })
})

test('places are those of the source where it counts', () => {
  expect(
    viewChain(chain([attempt('a', { attempt: 2 }), attempt('b', { attempt: 5 })]), 'a').attempts.map(
      ({ place }) => place,
    ),
  ).toEqual([2, 5])
})

test('what failing attempts took is wasted; in vain were those after which none could help', () => {
  const view = viewChain(
    chain([
      attempt('a', { retry: 'could-help' }),
      attempt('b'),
      attempt('c', { costUsd: null }),
      attempt('d', { outcome: 'succeeded' }),
    ]),
    'd',
  )
  expect(view.wasted).toEqual({ attempts: 3, durationMs: 180_000, costUsd: 1, tokens: 360, atLeast: true })
  expect(view.inVain).toEqual({ attempts: 1, durationMs: 60_000, costUsd: null, tokens: 120, atLeast: true })
  expect([view.first!.attempt.id, view.last!.attempt.id]).toEqual(['a', 'c'])
})

test('an attempt that succeeded after a hopeless one was not in vain', () => {
  expect(viewChain(chain([attempt('a'), attempt('b', { outcome: 'succeeded' })]), 'a').inVain.attempts).toBe(
    0,
  )
})

test('walking to the next attempt passes every attempt once, and back the same way', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.uuid(), { minLength: 1 }), (ids) => {
      const given = chain(ids.map((id) => attempt(id)))
      const walked = [ids[0]!]
      for (
        let next = neighbourAttempts(given, ids[0]!).next;
        next !== null;
        next = neighbourAttempts(given, next).next
      )
        walked.push(next)
      expect(walked).toEqual(ids)
      for (const [i, id] of ids.entries())
        expect(neighbourAttempts(given, id).previous).toBe(ids[i - 1] ?? null)
    }),
  )
})

test('of chains of the same attempts the first is drawn, and none of a single attempt', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => attempt(id)) as [ChainAttempt, ChainAttempt, ChainAttempt]
  const named = chain([a, b], { id: 'named' })
  const more = chain([a, b, c], { id: 'more' })
  const cut = chain([b, a], { id: 'cut', attemptsLeftOut: 3 })
  expect(
    chainsOfAttempts([
      chain([a], { id: 'single' }),
      named,
      chain([b, a], { id: 'ci', rule: 'ci_run_attempts' }),
      more,
      cut,
    ]).map(({ id }) => id),
  ).toEqual(['named', 'more', 'cut'])
})

test('an edge says whether both attempts had the same inputs, where the source tells them of both', () => {
  const shown = ['a', 'a', 'b', undefined].map((inputs, i) => ({
    ...attempt(`t${i}`, {}),
    ...(inputs !== undefined && { inputs }),
  }))
  expect(viewChain(chain(shown), 't0').attempts.map(({ edge }) => edge?.sameInputs)).toEqual([
    undefined,
    true,
    false,
    null,
  ])
})
