import { expect, test } from 'vitest'
import type { Advice, FailureRead } from '../../model/execution'
import { placeFailures } from './failing-calls'

const failure = (over: Partial<FailureRead>): FailureRead => ({
  chains: [0],
  failed: 1,
  what: 'Bash failed',
  ended: 'not retried',
  retry: 'unknown',
  retryBecause: 'Words.',
  next: 'Look.',
  ...over,
})
const advice = (...failures: FailureRead[]): Advice => ({
  retry: 'cannot-help',
  retryBecause: 'Because.',
  next: 'Fix it.',
  failures,
})
const call = (
  chain: number | null,
  isMain = false,
): { chain: number | null; isMain: boolean; retry?: unknown } => ({
  chain,
  isMain,
})

test('what the advice says already is not said again below its call; what became of it is', () => {
  const own = failure({ chains: [0], retry: 'cannot-help', next: 'Fix it.', ended: 'not fixed' })
  const { shown, others } = placeFailures(advice(own), [call(0, true)], 1)
  expect(shown).toEqual([
    {
      call: call(0, true),
      heading: 'Only failing call',
      read: { ended: 'not fixed', verdict: null, next: null },
    },
  ])
  expect(others).toEqual([])
})

test('another failure has its own answers, and one of several calls counts them', () => {
  const other = failure({ chains: [1, 2], failed: 3 })
  const { shown } = placeFailures(advice(other), [call(0), call(2)], 4)
  expect(shown.map(({ heading, read }) => [heading, read])).toEqual([
    ['First failing call', undefined],
    [
      'Last failing call',
      {
        ended: '3 similar calls: not retried',
        verdict: 'For this call: unclear if a retry would help',
        next: 'Look.',
      },
    ],
  ])
})

test('what would become of the identical call is said at the call', () => {
  const other = failure({ chains: [1], callRetry: 'wont_help' })
  expect(placeFailures(advice(other), [call(1)], 1).shown[0]!.read!.verdict).toBe(
    "Identical retry: won't help",
  )
})

test('what stands with no call is listed once', () => {
  const [told, rest] = [failure({ chains: [1] }), failure({ chains: [7] })]
  const { others } = placeFailures(advice(told, rest), [call(1)], 2)
  expect(others).toEqual([rest])
})

test('without a failed call there is nothing to show, and requests are listed all the same', () => {
  const requests = failure({ chains: [] })
  expect(placeFailures(advice(requests), [], 0)).toEqual({ shown: [], others: [requests] })
  expect(placeFailures(null, [], 0)).toEqual({ shown: [], others: [] })
})
