import { expect, test } from 'vitest'
import { limits } from '@/lib/limits'
import { OddList } from './odd-list'

const entry = (offset: number) => ({ offset, reason: 'not_json', detail: `at ${offset}` })
/** Entries that are held, whatever is private about them. */
const held = (list: OddList): number => (list as unknown as { held: unknown[] }).held.length

test('all odd records are counted, and no more are held than are listed, twice over', () => {
  const list = new OddList()
  for (let n = 9_999; n >= 0; n--) {
    list.add(entry(n))
    expect(held(list)).toBeLessThan(2 * limits.oddListedMax)
  }
  expect(list.total).toBe(10_000)
  expect(list.first()).toEqual(Array.from({ length: limits.oddListedMax }, (_, n) => entry(n)))
})

test('those of a line are counted with the others, at its place', () => {
  const [all, line] = [new OddList(), new OddList()]
  all.add(entry(500))
  for (let n = 0; n < 1_000; n++) line.add(entry(n))
  all.addAll(line, 400)
  expect([all.total, all.first()[0]!.offset, all.first().at(-1)!.offset]).toEqual([1_001, 400, 499])
})
