import { describe, expect, test } from 'vitest'
import { answer, reading, session } from './constructed.support'
import { figuresOf } from './figures'
import type { CallReading } from './labels'
import type { CallAnswer } from './product-answer'
import { everySession, totalsOf, rateOf } from './resample'
import {
  falseAlarmPart,
  headlinePart,
  kindPart,
  outcomePart,
  projectOf,
  recoveredParts,
  retryAbstainedPart,
  retryPrecisionPart,
  retryRecallPart,
  retryRightPart,
} from './score'

const none = { a: {}, b: {}, c: {} }
const seen = (first: string[], second: string[], shown: { raises?: boolean; causeCallId?: string | null }) =>
  session(reading(first, none), reading(second, none), answer(none, shown))

describe('headline', () => {
  test.each([
    ['a call of both readings', ['a'], ['a'], 'a', [1, 1]],
    ['a call that only the first reading names', ['a'], ['b'], 'a', [1, 1]],
    ['a call that only the second reading names', ['a'], ['b', 'c'], 'c', [1, 1]],
    ['a call beside an empty reading', [], ['b'], 'b', [1, 1]],
    ['a call that no reading names', ['a'], ['b'], 'c', [0, 1]],
    ['a call that no reading names, where one is empty', [], ['b'], 'c', [0, 1]],
    ['a cause that points at no call', ['a'], [], null, [0, 1]],
  ])('%s', (_name, first, second, causeCallId, part) => {
    expect(headlinePart(seen(first, second, { causeCallId }))).toEqual(part)
  })

  test('silence is right where either reading is empty', () => {
    expect(headlinePart(seen(['a'], [], { raises: false }))).toEqual([1, 1])
    expect(headlinePart(seen([], ['a'], { raises: false }))).toEqual([1, 1])
  })

  test('silence is wrong where both readings name a call', () => {
    expect(headlinePart(seen(['a'], ['b'], { raises: false }))).toEqual([0, 1])
  })

  test('a session in which both readings are empty counts among false alarms only', () => {
    expect(headlinePart(seen([], [], { causeCallId: 'a' }))).toEqual([0, 0])
    expect(falseAlarmPart(seen([], [], { causeCallId: 'a' }))).toEqual([1, 1])
    expect(falseAlarmPart(seen([], [], { raises: true }))).toEqual([1, 1])
    expect(falseAlarmPart(seen([], [], { raises: false }))).toEqual([0, 1])
    expect(falseAlarmPart(seen([], ['a'], { causeCallId: 'b' }))).toEqual([0, 0])
  })
})

const called = (first: Partial<CallReading>, second: Partial<CallReading>, of: Partial<CallAnswer> = {}) =>
  session(reading([], { a: first }), reading([], { a: second }), answer({ a: of }))

describe('recovered', () => {
  test('a call counts in the class on which both readings agree', () => {
    expect(
      recoveredParts(
        called({ recovered: 'other_way' }, { recovered: 'other_way' }, { recovered: 'other_way' }),
      ),
    ).toEqual([
      [0, 0],
      [1, 1],
      [0, 0],
    ])
    expect(
      recoveredParts(called({ recovered: 'other_way' }, { recovered: 'other_way' }, { recovered: 'same' })),
    ).toEqual([
      [0, 0],
      [0, 1],
      [0, 0],
    ])
  })

  test('a call on which they differ, or either is unclear, does not count', () => {
    const nothing = [
      [0, 0],
      [0, 0],
      [0, 0],
    ]
    expect(recoveredParts(called({ recovered: 'same' }, { recovered: 'no' }, { recovered: 'same' }))).toEqual(
      nothing,
    )
    expect(recoveredParts(called({ recovered: 'unclear' }, { recovered: 'no' }))).toEqual(nothing)
    expect(recoveredParts(called({ recovered: 'unclear' }, { recovered: 'unclear' }))).toEqual(nothing)
    expect(recoveredParts(session(reading([], { a: {} }), reading([], {}), answer({ a: {} })))).toEqual(
      nothing,
    )
  })

  test('a failed call that the product does not know is a miss', () => {
    expect(recoveredParts(session(reading([], { a: {} }), reading([], { a: {} }), answer({})))).toEqual([
      [0, 0],
      [0, 0],
      [0, 1],
    ])
  })

  test('the mean is over classes and not over calls', () => {
    const sessions = [
      ...Array.from({ length: 9 }, () =>
        called({ recovered: 'same' }, { recovered: 'same' }, { recovered: 'same' }),
      ),
      called({ recovered: 'no' }, { recovered: 'no' }, { recovered: 'same' }),
    ]
    const mean = figuresOf(sessions).find(
      ({ name, baseline }) => name === 'recovered, mean recall' && baseline === null,
    )!
    expect(rateOf(totalsOf(mean, everySession(mean)))).toBe(0.5)
  })

  test('a class that does not occur is left out of the mean', () => {
    expect(
      rateOf([
        [1, 2],
        [0, 0],
        [3, 3],
      ]),
    ).toBe(0.75)
    expect(
      rateOf([
        [0, 0],
        [0, 0],
      ]),
    ).toBeNull()
  })
})

describe('unchanged retry', () => {
  const one = (label: CallReading['unchangedRetry'], said: CallAnswer['unchangedRetry'], second = label) => {
    const of = called({ unchangedRetry: label }, { unchangedRetry: second }, { unchangedRetry: said })
    return {
      precision: [retryPrecisionPart(of, 'would_not'), retryPrecisionPart(of, 'would_help')],
      recall: [retryRecallPart(of, 'would_not'), retryRecallPart(of, 'would_help')],
      right: retryRightPart(of),
      abstained: retryAbstainedPart(of),
    }
  }

  test('a right answer counts for its precision and its recall', () => {
    expect(one('would_not', 'would_not')).toEqual({
      precision: [
        [1, 1],
        [0, 0],
      ],
      recall: [
        [1, 1],
        [0, 0],
      ],
      right: [1, 1],
      abstained: [0, 1],
    })
    expect(one('would_help', 'would_help')).toEqual({
      precision: [
        [0, 0],
        [1, 1],
      ],
      recall: [
        [0, 0],
        [1, 1],
      ],
      right: [1, 1],
      abstained: [0, 1],
    })
  })

  test('a wrong answer costs the precision of what was said and the recall of what was true', () => {
    expect(one('would_help', 'would_not')).toEqual({
      precision: [
        [0, 1],
        [0, 0],
      ],
      recall: [
        [0, 0],
        [0, 1],
      ],
      right: [0, 1],
      abstained: [0, 1],
    })
  })

  test('an abstention costs recall and no precision', () => {
    expect(one('would_not', null)).toEqual({
      precision: [
        [0, 0],
        [0, 0],
      ],
      recall: [
        [0, 1],
        [0, 0],
      ],
      right: [0, 1],
      abstained: [1, 1],
    })
  })

  test('a call on which the readings differ, or either is unclear, does not count', () => {
    const nothing = {
      precision: [
        [0, 0],
        [0, 0],
      ],
      recall: [
        [0, 0],
        [0, 0],
      ],
      right: [0, 0],
      abstained: [0, 0],
    }
    expect(one('would_not', 'would_not', 'would_help')).toEqual(nothing)
    expect(one('would_not', 'would_not', 'unclear')).toEqual(nothing)
    expect(one('unclear', 'would_not')).toEqual(nothing)
    expect(one('unclear', null)).toEqual(nothing)
  })
})

test('a kind is right when it is that of either reading, or acceptable to either', () => {
  const readings = [
    { kind: 'not_found', acceptable: ['bad_input'] },
    { kind: 'permission', acceptable: ['refused'] },
  ] as const
  const right = (['not_found', 'bad_input', 'permission', 'refused', 'other'] as const).map(
    (kind) => kindPart(called(...readings, { kind }))[0],
  )
  expect(right).toEqual([1, 1, 1, 1, 0])
})

test('an outcome counts where both readings agree on it', () => {
  const of = (first: 'open' | 'failed', second: 'open' | 'failed') =>
    outcomePart(session(reading([], {}, first), reading([], {}, second), answer({}, { outcome: 'open' })))
  expect([of('open', 'open'), of('failed', 'failed'), of('open', 'failed')]).toEqual([
    [1, 1],
    [0, 1],
    [0, 0],
  ])
})

test('a project is the file name up to its first dash', () => {
  expect(['claude-code/entire-26-2.jsonl', 'x/erk.jsonl', 'one-1'].map(projectOf)).toEqual([
    'entire',
    'erk',
    'one',
  ])
})
