import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChainAttempt, ExecutionChain } from '../api/decision-schemas'
import { chainsOfTries, neighbourTries, viewChain } from './tries'

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

test('an edge says why the next try was made, how that is known, and whether it could have helped', () => {
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
  expect(view.tries.map(({ edge }) => edge)).toEqual([
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
  expect(view.tries.map(({ place, current, durationMs }) => [place, current, durationMs])).toEqual([
    [1, false, 60_000],
    [2, true, null],
    [3, false, null],
  ])
})

test('tries that overlap have no gap, and one after a success says so', () => {
  const view = viewChain(
    chain([attempt('a', { outcome: 'succeeded' }), attempt('b', { startedAt: '2026-11-02T08:00:30.000Z' })]),
    'b',
  )
  expect(view.tries[1]!.edge).toMatchObject({ gapMs: null, afterSuccess: true })
})

test('places are those of the source where it counts', () => {
  expect(
    viewChain(chain([attempt('a', { attempt: 2 }), attempt('b', { attempt: 5 })]), 'a').tries.map(
      ({ place }) => place,
    ),
  ).toEqual([2, 5])
})

test('what failing tries took is wasted; in vain were those after which none could help', () => {
  const view = viewChain(
    chain([
      attempt('a', { retry: 'could-help' }),
      attempt('b'),
      attempt('c', { costUsd: null }),
      attempt('d', { outcome: 'succeeded' }),
    ]),
    'd',
  )
  expect(view.wasted).toEqual({ tries: 3, durationMs: 180_000, costUsd: 1, tokens: 360, atLeast: true })
  expect(view.inVain).toEqual({ tries: 1, durationMs: 60_000, costUsd: null, tokens: 120, atLeast: true })
  expect([view.first!.attempt.id, view.last!.attempt.id]).toEqual(['a', 'c'])
})

test('a try that succeeded after a hopeless one was not in vain', () => {
  expect(viewChain(chain([attempt('a'), attempt('b', { outcome: 'succeeded' })]), 'a').inVain.tries).toBe(0)
})

test('walking to the next try passes every try once, and back the same way', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.uuid(), { minLength: 1 }), (ids) => {
      const given = chain(ids.map((id) => attempt(id)))
      const walked = [ids[0]!]
      for (
        let next = neighbourTries(given, ids[0]!).next;
        next !== null;
        next = neighbourTries(given, next).next
      )
        walked.push(next)
      expect(walked).toEqual(ids)
      for (const [i, id] of ids.entries()) expect(neighbourTries(given, id).previous).toBe(ids[i - 1] ?? null)
    }),
  )
})

test('of chains of the same tries the first is drawn, and none of a single try', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => attempt(id)) as [ChainAttempt, ChainAttempt, ChainAttempt]
  const named = chain([a, b], { id: 'named' })
  const more = chain([a, b, c], { id: 'more' })
  const cut = chain([b, a], { id: 'cut', attemptsLeftOut: 3 })
  expect(
    chainsOfTries([
      chain([a], { id: 'single' }),
      named,
      chain([b, a], { id: 'ci', rule: 'ci_run_attempts' }),
      more,
      cut,
    ]).map(({ id }) => id),
  ).toEqual(['named', 'more', 'cut'])
})

test('an edge says whether both tries had the same inputs, where the source tells them of both', () => {
  const tries = ['a', 'a', 'b', undefined].map((inputs, i) => ({
    ...attempt(`t${i}`, {}),
    ...(inputs !== undefined && { inputs }),
  }))
  expect(viewChain(chain(tries), 't0').tries.map(({ edge }) => edge?.sameInputs)).toEqual([
    undefined,
    true,
    false,
    null,
  ])
})
