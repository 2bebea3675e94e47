import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attemptsInARow, historyRecord, isCut, type HistoryRecord } from './budget'

const tried = (command: string, needsRetry: boolean): HistoryRecord => ({
  command,
  needsRetry,
  exitCode: 0,
  subtype: '',
  retryReason: '',
  stderr: '',
})

describe('attempts in a row', () => {
  test.each<[string, [string, boolean][], number]>([
    ['none', [], 0],
    [
      'up to the newest',
      [
        ['a', false],
        ['a', true],
        ['a', true],
      ],
      2,
    ],
    [
      'ended by one that asked for none',
      [
        ['a', true],
        ['a', true],
        ['a', false],
      ],
      0,
    ],
    [
      'whatever others did between',
      [
        ['a', true],
        ['b', false],
        ['a', true],
        ['b', true],
      ],
      2,
    ],
  ])('%s', (_, history, count) =>
    expect(
      attemptsInARow(
        history.map(([command, needsRetry]) => tried(command, needsRetry)),
        'a',
      ),
    ).toBe(count),
  )

  test('are those behind the last of the command that asked for none', () => {
    const entry = fc.record({ command: fc.constantFrom('a', 'b'), needsRetry: fc.boolean() })
    fc.assert(
      fc.property(fc.array(entry), (history) => {
        const own = history.filter(({ command }) => command === 'a').map(({ needsRetry }) => needsRetry)
        expect(attemptsInARow(history, 'a')).toBe(own.length - 1 - own.lastIndexOf(false))
      }),
    )
  })

  test('what is no record of an attempt is passed over', () => {
    const odd = [
      null,
      1,
      'a',
      [],
      {},
      { command: 7, needsRetry: true },
      tried('a', true),
    ] as unknown as HistoryRecord[]
    expect(attemptsInARow([...odd, ...odd], 'a')).toBe(2)
  })
})

describe('a long command', () => {
  const long = '😀'.repeat(201)

  test('is cut in the history, and never found there', () => {
    expect([isCut('😀'.repeat(200)), isCut(long)]).toEqual([false, true])
    expect(attemptsInARow([historyRecord(tried(long, true))], long)).toBe(0)
    expect(attemptsInARow([historyRecord(tried(long, true))], '😀'.repeat(200))).toBe(1)
  })

  test('and its complaints are cut too', () => {
    const { command, stderr } = historyRecord({ ...tried(long, true), stderr: 'e'.repeat(501) })
    expect([[...command].length, stderr.length]).toEqual([200, 500])
  })
})
