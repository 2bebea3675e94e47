import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { comparePolicies, flips, isIn } from './compare-policies'
import type { DecisionFacts } from './decide'
import { CURRENT_POLICY, FORMER_POLICY, POLICIES } from './policies'
import { replay, type ReplayRun } from './replay'
import { formatCell, MATRICES, parseCell } from './replay-cell'
import { sumAttempts } from './sum-attempts'
import type { VerdictFacts } from './verdict-facts'

/** A contract violation that a channel confirmed: the false positive that was once tried again. */
const violation: VerdictFacts = {
  exitCode: 0,
  termination: 'natural_exit',
  channel: 'channel_a',
  subtype: 'success',
  isError: false,
  blank: false,
  exhaustion: null,
  exhaustionSigns: [],
  markerSet: true,
  markerInResult: true,
  markerInText: true,
  onlyMarker: false,
  patterns: [{ pattern: 'plan_path', state: 'missing' }],
}
const delivered: VerdictFacts = { ...violation, patterns: [{ pattern: 'plan_path', state: 'found' }] }
/** Lost on the way: tried again under any policy, for a reason of its own. */
const absent: VerdictFacts = {
  ...violation,
  subtype: 'unparseable',
  blank: true,
  markerInResult: false,
  markerInText: false,
}

const facts = (verdict: VerdictFacts): DecisionFacts => ({
  way: { kind: 'session', recovery: [], verdict },
  gates: {
    contaminated: null,
    warnings: 0,
    writeCount: 0,
    earlierInARow: null,
    commandIsCut: false,
    maxConsecutiveRetries: 3,
    expectsWrites: false,
  },
})

const chainOf = (verdicts: (VerdictFacts | null)[], outcome = 'failed'): ReplayRun[] =>
  verdicts.map((verdict, i) => ({
    id: `t${i + 1}`,
    facts: verdict && facts(verdict),
    outcome,
    chain: { id: 'c', place: i + 1 },
    asked: true,
  }))
const attempts = (n: number): ReplayRun[] => chainOf(Array<VerdictFacts>(n).fill(violation))
const compare = (runs: ReplayRun[]) => comparePolicies(runs, FORMER_POLICY, CURRENT_POLICY)
const unaskedOf = (runs: ReplayRun[]) =>
  Object.fromEntries(
    compare(runs).chains.flatMap((chain) => chain.attempts.map(({ id, unrequested }) => [id, unrequested])),
  )

describe('the false positive that the guard was made for', () => {
  test('is retried until the budget stops it under the old policy, and never under the current one', () => {
    expect(
      [...replay(attempts(4), FORMER_POLICY).values()].map((v) => `${v.outcome} ${v.retryReason}`),
    ).toEqual(['retriable resume', 'retriable resume', 'retriable resume', 'failed budget_exhausted'])
    expect(
      [...replay(attempts(4), CURRENT_POLICY).values()].map((v) => `${v.outcome} ${v.retryReason}`),
    ).toEqual(Array(4).fill('failed none'))
  })

  test('three of its four attempts are needless, each attempt flips, the last in its reason only', () => {
    const { pairs, matrix, otherReason, stored, replayable } = compare(attempts(4))
    expect(unaskedOf(attempts(4))).toEqual({ t1: null, t2: 'needless', t3: 'needless', t4: 'needless' })
    expect(pairs.filter(flips).map(({ id }) => id)).toEqual(['t1', 't2', 't3', 't4'])
    expect(matrix).toEqual({ retriable: { failed: 3 }, failed: { failed: 1 } })
    expect(otherReason).toEqual({ failed: 1 })
    expect(stored).toEqual({ failed: { failed: 4 } })
    expect([pairs.length, replayable]).toEqual([4, 4])
  })
})

describe('an attempt that nobody asked for', () => {
  test('is no waste when it, or one after it, succeeded; what follows the success is', () => {
    expect(unaskedOf(chainOf([violation, violation, delivered, violation]))).toEqual({
      t1: null,
      t2: 'helped',
      t3: 'helped',
      t4: 'needless',
    })
  })

  test('is told by what is stored where its own evidence was not kept', () => {
    const runs = chainOf([violation, null])
    expect(unaskedOf(runs)).toEqual({ t1: null, t2: 'needless' })
    expect(unaskedOf(runs.map((run, i) => ({ ...run, outcome: i === 1 ? 'succeeded' : 'failed' })))).toEqual({
      t1: null,
      t2: 'helped',
    })
  })

  test('is none behind an attempt that asked for it, or that nothing is known of', () => {
    expect(compare(chainOf([absent, violation])).chains).toEqual([])
    expect(compare(chainOf([null, violation])).chains).toEqual([])
  })

  test('is none outside of the filter', () => {
    expect(unaskedOf(attempts(3).map((run, i) => ({ ...run, asked: i === 2 })))).toEqual({
      t1: null,
      t2: null,
      t3: 'needless',
    })
  })
})

test('the order of the runs does not matter for verdicts, only their place in the chain; pairs keep the given order', () => {
  const runs = attempts(4)
  expect(replay(runs.toReversed(), FORMER_POLICY)).toEqual(replay(runs, FORMER_POLICY))
  expect(compare(runs.toReversed()).pairs.map(({ id }) => id)).toEqual(['t4', 't3', 't2', 't1'])
})

test('of the runs that cannot be judged again those whose pattern cannot be looked for are counted apart, where they were asked for', () => {
  const [one, two, three, four] = chainOf([violation, null, null, null])
  expect(
    compare([one!, two!, { ...three!, unsearchable: true }, { ...four!, unsearchable: true, asked: false }]),
  ).toMatchObject({ replayable: 1, unsearchable: 1 })
})

test('a run without evidence is unknown, ends no row that it says nothing about, and is not replayed', () => {
  const { stored, replayable, chains } = compare(chainOf([null, violation]))
  expect(stored).toEqual({ failed: { unknown: 1, failed: 1 } })
  expect([replayable, chains]).toEqual([1, []])
})

test('a policy compared with itself flips nothing', () => {
  for (const policy of POLICIES)
    expect(comparePolicies(attempts(5), policy, policy).pairs.filter(flips)).toEqual([])
})

describe('cells', () => {
  const verdicts = [violation, delivered, absent, null]
  const some = fc
    .array(
      fc.tuple(fc.constantFrom(...verdicts), fc.constantFrom('failed', 'succeeded', 'running'), fc.boolean()),
      { maxLength: 12 },
    )
    .map((drawn) =>
      drawn.map(
        ([verdict, outcome, chained], i): ReplayRun => ({
          id: `r${i}`,
          facts: verdict && facts(verdict),
          outcome,
          chain: chained ? { id: `c${i % 2}`, place: i } : null,
          asked: i % 5 !== 4,
        }),
      ),
    )

  test('hold as many runs as they count, and every run that was asked for stands in one cell of what is stored', () => {
    fc.assert(
      fc.property(some, (runs) => {
        const compared = compare(runs)
        for (const matrix of MATRICES) {
          const cells = Object.entries(matrix === 'stored' ? compared.stored : compared.matrix)
          for (const [row, columns] of cells)
            for (const [column, n] of Object.entries(columns))
              expect(compared.pairs.filter((pair) => isIn({ matrix, row, column }, pair))).toHaveLength(n)
        }
        const sum = Object.values(compared.stored)
          .flatMap((columns) => Object.values(columns))
          .reduce((a, b) => a + b, 0)
        expect(sum).toBe(runs.filter(({ asked }) => asked).length)
      }),
    )
  })

  test('are read as they are written, and anything else is none', () => {
    for (const matrix of MATRICES) {
      const cell = { matrix, row: 'retriable', column: 'a_newer-word' }
      expect(parseCell(formatCell(cell))).toEqual(cell)
    }
    for (const text of [
      null,
      undefined,
      '',
      'policies',
      'policies.failed',
      'others.failed.failed',
      'policies..failed',
      'policies.a.b.c',
    ])
      expect(parseCell(text)).toBeNull()
  })
})

describe('sums of attempts', () => {
  const spent = new Map([
    ['t2', { durationMs: 5, inputTokens: 1, outputTokens: 2, costUsd: 0.5 }],
    ['t3', { durationMs: null, inputTokens: 10, outputTokens: 20, costUsd: null }],
  ])

  test('tell of how many time and cost are known', () => {
    const { sum, chains } = sumAttempts(compare(attempts(4)), 'needless', spent)
    expect(sum).toEqual({
      attempts: 3,
      durationMs: 5,
      timed: 1,
      inputTokens: 11,
      outputTokens: 22,
      costUsd: 0.5,
      costed: 1,
    })
    expect(chains.map(({ chain, ...rest }) => [chain.id, rest])).toEqual([['c', sum]])
    expect(sumAttempts(compare(attempts(4)), 'helped', spent)).toEqual({
      sum: {
        attempts: 0,
        durationMs: 0,
        timed: 0,
        inputTokens: 0,
        outputTokens: 0,
        costUsd: null,
        costed: 0,
      },
      chains: [],
    })
  })

  test('name the chain first that took longest', () => {
    const two = [
      ...attempts(3),
      ...attempts(2).map((run) => ({ ...run, id: `u${run.id}`, chain: { ...run.chain!, id: 'd' } })),
    ]
    const long = new Map([['ut2', { durationMs: 9, inputTokens: 0, outputTokens: 0, costUsd: null }]])
    expect(sumAttempts(compare(two), 'needless', long).chains.map(({ chain }) => chain.id)).toEqual([
      'd',
      'c',
    ])
    expect(sumAttempts(compare(two), 'needless', new Map()).chains.map(({ chain }) => chain.id)).toEqual([
      'c',
      'd',
    ])
  })
})
