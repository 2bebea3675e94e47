import { CHECK_VERDICTS, DIFFERENCE_KINDS, SEVERITIES } from '../../model/parity'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  parityWords,
  PARITY_WINDOWS,
  readParityQuestion,
  sinceOf,
  type ParityQuestion,
} from './parity-question'

const inOrder = <T>(all: readonly T[]) => fc.subarray([...all])
const cell = fc.record({
  path: fc.string(),
  from: fc.string({ minLength: 1 }),
  to: fc.string({ minLength: 1 }),
})
const question: fc.Arbitrary<ParityQuestion> = fc.oneof(
  fc.record({
    window: fc.constantFrom(...PARITY_WINDOWS),
    kinds: inOrder(DIFFERENCE_KINDS),
    severities: inOrder(SEVERITIES),
    show: fc.constant('different' as const),
    cell,
  }),
  fc.record({
    window: fc.constantFrom(...PARITY_WINDOWS),
    kinds: inOrder(DIFFERENCE_KINDS),
    severities: inOrder(SEVERITIES),
    show: fc.constantFrom(...CHECK_VERDICTS),
    cell: fc.constant(null),
  }),
)

test('what an address says is what was asked', () =>
  fc.assert(
    fc.property(question, (asked) => {
      expect(readParityQuestion(parityWords(asked))).toEqual({ question: asked, problems: [] })
    }),
  ))

test('reading never fails, and names what it could not take', () => {
  fc.assert(
    fc.property(
      fc.record({
        window: fc.string(),
        kind: fc.string(),
        severity: fc.string(),
        show: fc.string(),
        path: fc.string(),
        from: fc.string(),
        to: fc.string(),
      }),
      (words) => void readParityQuestion(words),
    ),
  )
  expect(
    readParityQuestion({ window: '1y', kind: 'missing,gone', severity: 'bad', show: 'all', from: 'source' }),
  ).toEqual({
    question: { window: '7d', kinds: ['missing'], severities: [], show: 'different', cell: null },
    problems: [
      expect.stringMatching(/^window: “1y”/),
      expect.stringMatching(/^kind: “gone”/),
      expect.stringMatching(/^severity: “bad”/),
      expect.stringMatching(/^show: “all”/),
      expect.stringMatching(/^A cell/),
    ],
  })
})

test('a window begins so long before now', () => {
  const now = new Date('2026-11-23T12:00:00Z')
  expect(PARITY_WINDOWS.map((window) => sinceOf(window, now))).toEqual([
    '2026-11-22T12:00:00.000Z',
    '2026-11-16T12:00:00.000Z',
    '2026-10-24T12:00:00.000Z',
    null,
  ])
})
