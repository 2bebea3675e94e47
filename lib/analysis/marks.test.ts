import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CONTENT_STATES, RETRY_REASONS } from '../judge/decisions/vocabulary'
import { MARKED_FACETS } from '../model/filter-types'
import {
  ATTEMPT_COUNTS,
  attemptsOf,
  countValues,
  markedValues,
  markOf,
  marksOf,
  soughtMarks,
  splitMark,
  withAttempts,
} from './marks'
import { BASES, RETRY_ANSWERS } from '../model/execution'
import { SILENCE_KINDS } from '../model/silence'
import { RETRY_ANSWER_OF } from '../model/advice'
import { RETRY_VERDICTS } from '../model/retry'

const facet = fc.constantFrom(...MARKED_FACETS)
const value = fc.oneof(
  fc.string(),
  fc.constantFrom('state:absent', 'class:state:absent', 'class:', 'attempts', ':', 'exit_code'),
)

const some = {
  failedByClass: {},
  records: 0,
  calls: 0,
  failedCalls: 0,
  callsWithoutResult: 0,
  chains: 0,
  recoveredChains: 0,
}
/** Executions of any kind, values that nobody knows included. */
const executions = fc.record({
  counts: fc
    .dictionary(
      value.filter((name) => name !== ''),
      fc.nat(2),
      { maxKeys: 4, noNullPrototype: true },
    )
    .map((failedByClass) => ({ ...some, failedByClass })),
  decision: fc.option(
    fc.record({
      contentState: fc.constantFrom(...CONTENT_STATES, 'unknown', 'brand_new'),
      retryReason: fc.constantFrom(...RETRY_REASONS, 'unknown', 'brand_new'),
      differs: fc.boolean(),
    }),
  ),
  advice: fc.option(
    fc.record({
      runRetry: fc.constantFrom(...RETRY_VERDICTS),
      callRetry: fc.constantFrom(...RETRY_VERDICTS),
      recoveredBy: fc.constant(null),
      afterOtherWork: fc.constant(null),
      because: fc.constant({ id: 'nothing_known' as const, params: {} }),
      next: fc.constant({ id: 'read_last_events' as const, params: {} }),
    }),
  ),
  attention: fc.boolean().map((needed) => ({ needed, rule: 'run_failed' as const, params: {} })),
  outcomeBasis: fc.constantFrom(...BASES),
  silence: fc.option(
    fc
      .dictionary(fc.constantFrom(...SILENCE_KINDS), fc.integer({ min: 1, max: 3 }), {
        noNullPrototype: true,
      })
      .map((kinds) => ({ counts: kinds, findings: [] })),
  ),
})
const attempts = fc.integer({ min: 1, max: 9 })

describe('marks', () => {
  test('a mark tells its facet and its value, whatever the value looks like', () => {
    fc.assert(
      fc.property(facet, value, (f, v) => void expect(splitMark(markOf(f, v))).toEqual([f, v])),
      { numRuns: 1_000 },
    )
  })

  test('a failure class is its own mark', () =>
    expect([markOf('class', 'exit_code'), markOf('state', 'absent')]).toEqual(['exit_code', 'state:absent']))

  test('of an execution tell exactly what is known of it', () => {
    fc.assert(
      fc.property(executions, attempts, (e, n) => {
        const marks = marksOf(e, n)
        expect(marks).toEqual([...new Set(marks)].sort())
        const told = (f: string) =>
          markedValues(marks)
            .filter(([of]) => of === f)
            .map(([, v]) => v)
        expect(told('class').sort()).toEqual(
          Object.entries(e.counts.failedByClass)
            .filter(([, count]) => count > 0)
            .map(([name]) => name)
            .sort(),
        )
        const known = (v: string | undefined, ...silent: string[]) =>
          v === undefined || v === 'unknown' || silent.includes(v) ? [] : [v]
        expect(told('state')).toEqual(known(e.decision?.contentState))
        expect(told('reason')).toEqual(known(e.decision?.retryReason, 'none'))
        expect(told('attention')).toEqual(e.attention.needed ? ['yes'] : [])
        expect(told('differs')).toEqual(e.decision?.differs ? ['yes'] : [])
        expect(told('help')).toEqual(e.advice ? [RETRY_ANSWER_OF[e.advice.runRetry]] : [])
        expect(told('decided')).toEqual([e.outcomeBasis])
        expect(told('silence').sort()).toEqual(Object.keys(e.silence?.counts ?? {}).sort())
        expect(told('attempts')).toEqual(n === 1 ? [] : [n >= 5 ? '5+' : String(n)])
        expect(attemptsOf(marks)).toBe(Math.min(n, 5))
      }),
      { numRuns: 1_000 },
    )
  })

  test('most executions have none', () =>
    expect(
      marksOf(
        {
          attention: { needed: false, rule: 'nothing_failed', params: {} },
          counts: some,
          decision: null,
          advice: null,
          outcomeBasis: 'inferred',
          silence: null,
        },
        1,
      ),
    ).toEqual([]))

  test('another number of attempts changes that mark alone', () => {
    fc.assert(
      fc.property(
        executions,
        attempts,
        attempts,
        (e, before, after) => void expect(withAttempts(marksOf(e, before), after)).toEqual(marksOf(e, after)),
      ),
    )
  })
})

describe('looking for marks', () => {
  const counted = fc.array(fc.tuple(executions, attempts), { maxLength: 20 })
  const matches = (held: string[], { has, marks }: ReturnType<typeof soughtMarks>): boolean =>
    held.some((mark) => marks.includes(mark)) === has

  test('finds the executions that have one of the values, and no others', () => {
    fc.assert(
      fc.property(
        executions,
        attempts,
        fc
          .constantFrom(
            ['decided', BASES] as const,
            ['help', RETRY_ANSWERS] as const,
            ['state', CONTENT_STATES] as const,
            ['attempts', ATTEMPT_COUNTS] as const,
            ['silence', SILENCE_KINDS] as const,
            ['class', ['exit_code', 'state:absent']] as const,
          )
          .chain(([f, all]) => fc.tuple(fc.constant(f), fc.subarray<string>([...all], { minLength: 1 }))),
        (e, n, [f, values]) => {
          const marks = marksOf(e, n)
          expect(matches(marks, soughtMarks(f, values))).toBe(
            markedValues(marks).some(([of, v]) => of === f && values.includes(v)),
          )
        },
      ),
      { numRuns: 1_000 },
    )
  })

  test('counts of marks are counts of values, those that make no mark included', () => {
    fc.assert(
      fc.property(counted, (many) => {
        const tally = (keys: string[]) =>
          [...new Set(keys)].map((key) => [key, keys.filter((one) => one === key).length] as const).sort()
        const lists = many.map(([e, n]) => marksOf(e, n))
        const marks = tally(lists.flat()).map(([mark, count]) => ({ mark, count }))
        const wanted = tally(lists.flatMap(markedValues).map(([f, v]) => `${f} ${v}`))
        expect(
          countValues(marks, many.length)
            .map((c) => [`${c.facet} ${c.value}`, c.count] as const)
            .sort(),
        ).toEqual(wanted)
      }),
    )
  })
})
