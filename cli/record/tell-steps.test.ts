import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { reportSteps } from './tell-steps'

let written: string[]
const write = (text: string): void => void written.push(text)
beforeEach(() => {
  written = []
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

describe('in a log', () => {
  test('what is quick tells nothing', () => {
    const reporter = reportSteps(write, false)
    reporter.step('sending 1 MB … 0 %')
    vi.advanceTimersByTime(1_999)
    reporter.stop()
    vi.advanceTimersByTime(60_000)
    expect(written).toEqual([])
  })

  test('what takes longer is told after 2 s, then every 5 s where anything changed', () => {
    const reporter = reportSteps(write, false)
    for (let s = 0; s < 13; s++) {
      reporter.step(`sending 50 MB … ${Math.min(s * 10, 70)} %`)
      vi.advanceTimersByTime(1_000)
    }
    vi.advanceTimersByTime(20_000)
    reporter.stop()
    expect(written).toEqual([
      'inquest: sending 50 MB … 10 %\n',
      'inquest: sending 50 MB … 60 %\n',
      'inquest: sending 50 MB … 70 %\n',
    ])
  })
})

test('on a terminal it is one line, which is gone at the end', () => {
  const reporter = reportSteps(write, true)
  reporter.step('sending 50 MB … 0 %')
  vi.advanceTimersByTime(2_000)
  reporter.step('sending 50 MB … 10 %')
  vi.advanceTimersByTime(1_000)
  reporter.stop()
  expect(written).toEqual([
    '\r\u001b[Kinquest: sending 50 MB … 0 %',
    '\r\u001b[Kinquest: sending 50 MB … 10 %',
    '\r\u001b[K',
  ])
})
