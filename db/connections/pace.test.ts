import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { inTurn } from './pace'

const fast = { perSecond: 100_000 }
/** A question that is answered when somebody says so. */
function held() {
  let answer = (): void => {}
  const answered = new Promise<void>((resolve) => (answer = resolve))
  return { ask: () => answered, answer: () => answer() }
}

test('questions of one connection are asked one at a time and in order, those of another beside them', async () => {
  const [one, other] = [randomUUID(), randomUUID()]
  const first = held()
  const log: string[] = []
  const ask = (key: string, name: string, work: () => Promise<void> = async () => {}) =>
    inTurn(key, fast, async () => {
      log.push(`${name} begins`)
      await work()
      log.push(`${name} ends`)
    })
  const all = [ask(one, 'first', first.ask), ask(one, 'second'), ask(one, 'third')]
  await ask(other, 'other')
  expect(log).toEqual(['first begins', 'other begins', 'other ends'])
  first.answer()
  await Promise.all(all)
  expect(log.slice(3)).toEqual(['first ends', 'second begins', 'second ends', 'third begins', 'third ends'])
})

test('who stops waiting hears that at once and is never asked for, and those behind have their turn after those before', async () => {
  const key = randomUUID()
  const first = held()
  const stop = new AbortController()
  const asked: string[] = []
  const before = inTurn(key, fast, first.ask)
  const left = inTurn(key, { ...fast, signal: stop.signal }, async () => void asked.push('left'))
  const behind = inTurn(key, fast, async () => void asked.push('behind'))
  stop.abort(new Error('enough'))
  await expect(left).rejects.toThrow('enough')
  expect(asked).toEqual([])
  first.answer()
  await Promise.all([before, behind])
  expect(asked).toEqual(['behind'])
})

test('a question that fails ends its turn, and one that waits for the pace can be left', async () => {
  const key = randomUUID()
  await expect(inTurn(key, fast, () => Promise.reject(new Error('broke')))).rejects.toThrow('broke')
  const stop = new AbortController()
  const waits = inTurn(key, { perSecond: 1e-6, signal: stop.signal }, async () => 'asked')
  stop.abort(new Error('enough'))
  await expect(waits).rejects.toThrow('enough')
  expect(await inTurn(key, fast, async () => 'asked')).toBe('asked')
})
