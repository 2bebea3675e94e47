import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { tellSteps } from './tell-steps'

let written: string[]
const write = (text: string): void => void written.push(text)
beforeEach(() => {
  written = []
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

describe('in a log', () => {
  test('what is quick tells nothing', () => {
    const teller = tellSteps(write, false)
    teller.step('sending 1 MB … 0 %')
    vi.advanceTimersByTime(1_999)
    teller.stop()
    vi.advanceTimersByTime(60_000)
    expect(written).toEqual([])
  })

  test('what takes longer is told after 2 s, then every 5 s where anything changed', () => {
    const teller = tellSteps(write, false)
    for (let s = 0; s < 13; s++) {
      teller.step(`sending 50 MB … ${Math.min(s * 10, 70)} %`)
      vi.advanceTimersByTime(1_000)
    }
    vi.advanceTimersByTime(20_000)
    teller.stop()
    expect(written).toEqual([
      'inquest: sending 50 MB … 10 %\n',
      'inquest: sending 50 MB … 60 %\n',
      'inquest: sending 50 MB … 70 %\n',
    ])
  })
})

test('on a terminal it is one line, which is gone at the end', () => {
  const teller = tellSteps(write, true)
  teller.step('sending 50 MB … 0 %')
  vi.advanceTimersByTime(2_000)
  teller.step('sending 50 MB … 10 %')
  vi.advanceTimersByTime(1_000)
  teller.stop()
  expect(written).toEqual([
    '\r\u001b[Kinquest: sending 50 MB … 0 %',
    '\r\u001b[Kinquest: sending 50 MB … 10 %',
    '\r\u001b[K',
  ])
})
