import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { showProgress } from './show-progress'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const start = (isTTY: boolean) => {
  const written: string[] = []
  return {
    written,
    progress: showProgress('building the pages', {
      isTTY,
      columns: 60,
      write: (text: string) => written.push(text),
    }),
  }
}

test('on a terminal one line tells what is done and since when, and goes away at the end', () => {
  const { written, progress } = start(true)
  vi.advanceTimersByTime(2_000)
  progress.stage('compiling')
  expect(written).toEqual([
    '\rinquest: building the pages (0 s)\u001b[K',
    '\rinquest: building the pages (1 s)\u001b[K',
    '\rinquest: building the pages (2 s)\u001b[K',
    '\rinquest: building the pages: compiling (2 s)\u001b[K',
  ])
  progress.stage('a stage of many words which would not fit on one line')
  expect(written.at(-1)!.replace(/[\r\u001b]|\[K/g, '')).toHaveLength(59)
  progress.end()
  vi.advanceTimersByTime(10_000)
  expect(written.at(-1)).toBe('\r\u001b[K')
  expect(written).toHaveLength(6)
})

test('elsewhere whole lines come now and then, and nothing for what is quickly done', () => {
  const { written, progress } = start(false)
  progress.stage('compiling')
  vi.advanceTimersByTime(9_000)
  expect(written).toEqual([])
  vi.advanceTimersByTime(12_000)
  progress.end()
  vi.advanceTimersByTime(60_000)
  expect(written).toEqual([
    'inquest: building the pages: compiling (10 s)\n',
    'inquest: building the pages: compiling (20 s)\n',
  ])
})
