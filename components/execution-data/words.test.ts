import fc from 'fast-check'
import { expect, test } from 'vitest'
import { verdictWords } from '@/lib/words/verdicts'
import { countsSentence, laterWords, summaryWords } from './words'

const counts = (
  calls: number,
  failedCalls: number,
  chains: number,
  recoveredChains: number,
  callsWithoutResult = 0,
) => ({ calls, failedCalls, chains, recoveredChains, callsWithoutResult })

test.each([
  [counts(0, 0, 0, 0), 'No tool was called'],
  [counts(1, 0, 0, 0), 'The only call did not fail'],
  [counts(41, 0, 0, 0), 'None of 41 calls failed'],
  [counts(41, 3, 3, 3), '3 of 41 calls failed; all three fixed on retry'],
  [counts(41, 2, 2, 2), '2 of 41 calls failed; both fixed on retry'],
  [counts(1, 1, 1, 1), '1 of 1 call failed; fixed on retry'],
  [counts(9, 1, 1, 0), '1 of 9 calls failed; not fixed on retry'],
  [counts(9, 4, 4, 0), '4 of 9 calls failed; none fixed on retry'],
  [counts(1_117, 5, 5, 1), '5 of 1,117 calls failed; one fixed on retry'],
  [counts(52, 11, 5, 2), '11 of 52 calls failed; 5 problems, two fixed on retry'],
  [counts(52, 3, 1, 1), '3 of 52 calls failed; 1 problem, fixed on retry'],
  [counts(52, 6, 2, 0), '6 of 52 calls failed; 2 problems, none fixed on retry'],
  [counts(12, 0, 0, 0, 1), 'None of 12 calls failed; 1 call has no result'],
])('%o', (given, want) => expect(countsSentence(given)).toBe(want))

test('no sentence claims success that was not counted', () => {
  fc.assert(
    fc.property(fc.nat(50), fc.nat(50), fc.nat(50), (calls, failed, chains) => {
      const sentence = countsSentence(counts(calls + failed, failed, Math.min(chains, failed), 0))
      expect(sentence).not.toMatch(/(?<!\b(?:none|not) )fixed on retry/)
    }),
  )
})

test.each([
  [1, 0, 'no later success'],
  [10, 0, 'none worked later'],
  [1_100, 3, '3 of 1,100 worked later'],
  [1, 1, 'worked later'],
  [4, 4, 'all worked later'],
])('of %i failures %i had success later', (chains, recoveredChains, want) =>
  expect(laterWords({ chains, recoveredChains })).toBe(want),
)

test('the verdict of an advice is its own words, else those of its answer', () => {
  expect(verdictWords({ retry: 'helped', verdict: 'Helped: it worked with a different input' })).toBe(
    'Helped: it worked with a different input',
  )
  expect(verdictWords({ retry: 'helped' })).toBe('A retry helped')
})

const record = { summary: '', type: '', failureClass: null, oddReason: null }
test.each([
  [
    {
      ...record,
      summary: 'Edit failed: String to replace not found',
      type: 'user',
      failureClass: 'edit_no_match',
    },
    'Edit failed (edit text not found): String to replace not found',
    'edit_no_match',
  ],
  [
    {
      ...record,
      summary: 'Edit failed: File has been modified since read',
      type: 'user',
      failureClass: 'not_read_first',
    },
    'Edit failed (changed since reading): File has been modified since read',
    'not_read_first',
  ],
  [
    { ...record, summary: 'Bash failed (new_class): no', type: 'user', failureClass: 'new_class' },
    'Bash failed (new class): no',
    'new_class',
  ],
  [
    { ...record, summary: 'It failed (edit_no_match): a quote', type: 'assistant' },
    'It failed (edit_no_match): a quote',
    null,
  ],
  [
    {
      ...record,
      summary: 'Bash was refused: it failed: no',
      type: 'system',
      failureClass: 'permission_denied',
    },
    'Bash was refused: it failed: no',
    null,
  ],
  [{ ...record, type: 'system/progress' }, 'system/progress', null],
  [{ ...record, oddReason: 'not_json' }, 'Not understood: not JSON', null],
  [{ ...record, oddReason: 'torn_line' }, 'Not understood: torn line', null],
  [record, 'A record without a type', null],
])('the line of a record says a word, and no code: %o', (event, text, code) =>
  expect(summaryWords(event)).toEqual({ text, code }),
)
