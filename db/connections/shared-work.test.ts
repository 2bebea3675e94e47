import { expect, test } from 'vitest'
import { sharedWork } from './shared-work'

function held() {
  let begun = 0
  let ended = false
  let answer = (_: string): void => {}
  const work = (signal: AbortSignal): Promise<string> => {
    begun++
    signal.addEventListener('abort', () => (ended = true))
    return new Promise((resolve) => (answer = resolve))
  }
  return { work, answer: (text: string) => answer(text), begun: () => begun, ended: () => ended }
}

test('what is asked for at once is done once, and anew when it is asked for later', async () => {
  const share = sharedWork<string>()
  const one = held()
  const both = [share('a', one.work), share('a', one.work)]
  one.answer('here')
  expect([await Promise.all(both), one.begun()]).toEqual([['here', 'here'], 1])
  const later = share('a', one.work)
  one.answer('again')
  expect([await later, one.begun()]).toEqual(['again', 2])
  const [left, right] = [held(), held()]
  const apart = [share('left', left.work), share('right', right.work)]
  left.answer('l')
  right.answer('r')
  expect(await Promise.all(apart)).toEqual(['l', 'r'])
})

test('who leaves keeps nothing from the others; when nobody is left the work ends, and is not joined any more', async () => {
  const share = sharedWork<string>()
  const one = held()
  const [first, second] = [new AbortController(), new AbortController()]
  const waiting = [share('a', one.work, first.signal), share('a', one.work, second.signal)]
  first.abort(new Error('the first has gone'))
  await expect(waiting[0]).rejects.toThrow('the first has gone')
  expect(one.ended()).toBe(false)
  second.abort(new Error('so has the second'))
  await expect(waiting[1]).rejects.toThrow('so has the second')
  expect(one.ended()).toBe(true)
  const anew = held()
  const fresh = share('a', anew.work)
  anew.answer('fresh')
  expect(await fresh).toBe('fresh')
})
