import { describe, expect, test } from 'vitest'
import { withSecondTry, type Counts } from './second-try'

const failing = (...names: string[]): Counts => ({
  passed: 10,
  failed: names.length,
  failures: names.map((name) => ({ file: `${name[0]}.test.ts`, text: name })),
})
const fine = (passed: number): Counts => ({ passed, failed: 0, failures: [] })

/** A runner that gives these answers in order, and what it was asked to run. */
function runner(...answers: Counts[]) {
  const asked: string[][] = []
  const run = async (files: string[]): Promise<Counts> => {
    asked.push(files)
    const answer = answers.shift()
    if (!answer) throw new Error('asked once more than expected')
    return answer
  }
  return { run, asked }
}

describe('a second try', () => {
  test('is not made when nothing failed', async () => {
    const { run, asked } = runner(fine(12))
    expect(await withSecondTry(run)).toEqual({ ...fine(12), unstable: [] })
    expect(asked).toEqual([[]])
  })

  test('runs each file with a failure once, and names what passed then', async () => {
    const { run, asked } = runner(failing('a1', 'a2', 'b1'), fine(7))
    expect(await withSecondTry(run)).toEqual({
      passed: 13,
      failed: 0,
      failures: [],
      unstable: ['a1', 'a2', 'b1'],
    })
    expect(asked).toEqual([[], ['a.test.ts', 'b.test.ts']])
  })

  test('takes nothing back when anything fails again, or nothing ran', async () => {
    for (const second of [failing('a1'), { passed: 0, failed: 0, failures: [] }]) {
      const { run } = runner(failing('a1', 'b1'), second)
      expect(await withSecondTry(run)).toEqual({ ...failing('a1', 'b1'), unstable: [] })
    }
  })

  test('is not made for a crash without a name, nor for many files', async () => {
    const crash = { passed: 10, failed: 2, failures: [{ file: 'a.test.ts', text: 'a1' }] }
    const many = failing('a', 'b', 'c', 'd', 'e')
    for (const first of [crash, many, { passed: 0, failed: 1, failures: [] }]) {
      const { run, asked } = runner(first)
      expect(await withSecondTry(run)).toEqual({ ...first, unstable: [] })
      expect(asked).toHaveLength(1)
    }
  })
})
