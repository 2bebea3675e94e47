import { describe, expect, test } from 'vitest'
import type { ReplayedPair } from '@/lib/api/replay-schemas'
import { matrixRows } from './matrix-model'
import { cellWords, changesSentence, lackingSentences, spentWords, totalWords, verdictsOf } from './words'

const policies = { from: 'legacy-promote-all', to: 'current' }

test.each([
  [
    { retriable: { failed: 7, retriable: 5 }, failed: { failed: 1 } },
    { retriable: 2, failed: 1 },
    '7 of 13 change outcome (no longer retried); 3 change only the reason.',
  ],
  [
    { retriable: { failed: 7 }, failed: { succeeded: 9, retriable: 1 } },
    {},
    '17 of 13 change outcome (9 now successful, 7 no longer retried, 1 now retried).',
  ],
  [{ failed: { failed: 13 } }, { failed: 13 }, 'No outcome changes; 13 change only the reason.'],
  [{ succeeded: { succeeded: 13 } }, {}, 'No outcome changes.'],
])('the picture %o reads as a sentence', (matrix, otherReason, want) =>
  expect(changesSentence({ matrix, otherReason, replayable: 13 })).toBe(want),
)

test('a cell says what stands in it', () => {
  expect(cellWords({ matrix: 'policies', row: 'retriable', column: 'failed' }, policies)).toBe(
    'Retriable under legacy-promote-all, failed under current',
  )
  expect(cellWords({ matrix: 'stored', row: 'failed', column: 'unknown' }, policies)).toBe(
    'Stored as failed, cannot be replayed',
  )
})

test('who has no evidence and whose pattern cannot be looked for are told apart', () => {
  expect(lackingSentences({ total: 9, replayable: 9, unsearchable: 0 })).toEqual([])
  expect(lackingSentences({ total: 9, replayable: 5, unsearchable: 0 })).toEqual([
    '4 not replayed: inputs of the rules are missing, or the agent itself declared the failure.',
  ])
  expect(lackingSentences({ total: 9, replayable: 8, unsearchable: 1 })).toEqual([
    '1 not replayed: it expects a pattern that cannot be searched here.',
  ])
  expect(lackingSentences({ total: 9, replayable: 3, unsearchable: 2 })).toEqual([
    '4 not replayed: inputs of the rules are missing, or the agent itself declared the failure.',
    '2 not replayed: they expect a pattern that cannot be searched here.',
  ])
})

test('sums say of how many attempts they are', () => {
  const known = {
    attempts: 3,
    durationMs: 27_000,
    timed: 3,
    inputTokens: 3_600,
    outputTokens: 900,
    costUsd: 0.75,
    costed: 3,
  }
  expect(spentWords(known)).toEqual(['27 s', '4,500 tokens', '$0.75'])
  expect(spentWords({ ...known, timed: 2, costed: 1 })).toEqual([
    '27 s (2 known)',
    '4,500 tokens',
    '$0.75 (1 known)',
  ])
  expect(
    spentWords({ ...known, timed: 0, inputTokens: 0, outputTokens: 0, costUsd: null, costed: 0 }),
  ).toEqual(['time unknown', 'tokens unknown', 'cost unknown'])
})

test('more than were replayed is said', () => {
  expect(totalWords({ total: 10_000, totalCapped: true })).toBe('10,000+')
  expect(totalWords({ total: 10_000, totalCapped: false })).toBe('10,000')
})

test('a row starts from the verdict of the picture that it was opened in', () => {
  const verdict = (outcome: string) => ({ outcome, retryReason: 'none', contentState: 'absent' })
  const pair = {
    stored: 'failed',
    from: verdict('retriable'),
    to: null,
    execution: { retryReason: 'stale' },
  } as unknown as ReplayedPair
  expect(verdictsOf(pair, null)).toMatchObject([{ outcome: 'retriable' }, { outcome: 'unknown' }])
  expect(verdictsOf(pair, { matrix: 'stored', row: 'failed', column: 'unknown' })).toMatchObject([
    { outcome: 'failed', retryReason: 'stale' },
    { outcome: 'unknown' },
  ])
})

describe('the cells of a picture', () => {
  test('stand in the order of verdicts, with others only where something has them', () => {
    const { columns, rows } = matrixRows({
      running: { unknown: 2 },
      from_later: { failed: 1 },
      failed: { failed: 3, retriable: 1 },
    })
    expect(columns).toEqual(['succeeded', 'retriable', 'failed', 'unknown'])
    expect(rows.map(({ outcome, total }) => [outcome, total])).toEqual([
      ['succeeded', 0],
      ['retriable', 0],
      ['failed', 4],
      ['running', 2],
      ['from_later', 1],
    ])
    expect(rows[2]!.cells.map(({ count, move, share01 }) => [count, move, share01])).toEqual([
      [0, 'succeeds', 0],
      [1, 'retries', 0.25],
      [3, 'same', 0.75],
      [0, 'unknown', 0],
    ])
  })

  test('are there before anything is', () => expect(matrixRows({}).rows).toHaveLength(3))
})
