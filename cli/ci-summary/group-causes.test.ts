import { expect, test } from 'vitest'
import { groupCauses } from './group-causes'
import type { CiExecution } from '@/lib/views/attempts/chain'

const failed = (id: string, text: string | null, category = 'exit_code'): CiExecution => ({
  id,
  externalId: id,
  outcome: 'failed',
  outcomeBasis: 'inferred',
  cause: text === null ? null : { headline: text, text, rule: null, category, pointer: null },
  title: null,
  startedAt: null,
  endedAt: null,
  url: '',
  attempt: null,
  contentState: 'unknown',
  retryReason: 'unknown',
  costUsd: null,
  inputTokens: 0,
  outputTokens: 0,
  retry: 'unknown',
  ciAttempt: null,
  job: null,
  runUrl: null,
  commit: null,
})
const grouped = (...items: CiExecution[]): string[] =>
  groupCauses(items).map(({ executions }) => executions.map(({ id }) => id).join(' '))

test.each([
  ['numbers', 'expected 19.98 to be 19.99', 'expected 3 to be 4'],
  [
    'ids',
    'no session 0a0a0a0a-0000-4000-8000-000000000002 here',
    'no session 5034460f-c7c4-4c43-9457-de07e2029e7b here',
  ],
  ['commits', 'unknown revision 1bf6fcf1d2', 'unknown revision 9988776f'],
  ['temporary folders', 'no file /tmp/abc-1/x.ts', 'no file /tmp/zzz/deep/y.ts'],
  ['line breaks', 'it broke\nhere', 'it  broke here'],
])('%s make no other cause', (_what, a, b) =>
  expect(grouped(failed('1', a), failed('2', b))).toEqual(['1 2']),
)

test('other words, another category, or no known cause are another one; the order is that of the run', () => {
  expect(
    grouped(
      failed('1', 'the oven is cold'),
      failed('2', null),
      failed('3', 'the oven is hot'),
      failed('4', 'the oven is cold', 'contract'),
      failed('5', 'the oven is cold'),
      failed('6', null),
    ),
  ).toEqual(['1 5', '2 6', '3', '4'])
  expect(groupCauses([failed('2', null)])[0]!.text).toBe('Failed (cause unknown)')
})

test('words of letters that could be digits stay words', () => {
  expect(grouped(failed('1', 'the defaced facade'), failed('2', 'the effaced facade'))).toEqual(['1', '2'])
})
