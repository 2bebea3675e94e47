import fc from 'fast-check'
import { expect, test } from 'vitest'
import { resumeChains, type Resumed } from './resume-chains'

const at = (minute: number): string => `2026-11-02T08:0${minute}:00.000Z`
const firsts = (links: Resumed[], times = new Map<string, string>()) =>
  Object.fromEntries([...resumeChains(links, times)].map(([key, { first }]) => [key, first]))

test('whatever hangs together is one chain, named by the session that goes on from none', () => {
  expect(
    firsts([
      { session: 's2', from: 's1' },
      { session: 's1', from: 'x' },
      { session: 'b', from: 'a' },
    ]),
  ).toEqual({ s2: 'x', s1: 'x', x: 'x', b: 'a', a: 'a' })
  expect(
    firsts([
      { session: 'c', from: 'b' },
      { session: 'c', from: 'a' },
    ]),
  ).toEqual({ a: 'a', b: 'a', c: 'a' })
  expect(
    firsts([
      { session: 'b', from: 'a' },
      { session: 'a', from: 'b' },
    ]),
  ).toEqual({ a: 'a', b: 'a' })
  expect(firsts([])).toEqual({})
})

test('a copy that is as old as what it was copied from stands behind it', () => {
  const places = resumeChains(
    [
      { session: 'a', from: 'b' },
      { session: 'b', from: 'c' },
      { session: 'd', from: 'c' },
    ],
    new Map([
      ['a', at(1)],
      ['b', at(1)],
      ['c', at(1)],
      ['d', at(5)],
    ]),
  )
  expect([...places].sort((x, y) => x[1].sortAt.localeCompare(y[1].sortAt)).map(([key]) => key)).toEqual([
    'c',
    'b',
    'a',
    'd',
  ])
  expect(places.get('d')!.sortAt).toBe(at(5))
})

test('in whatever order the links came, and however they run in rings, the chains are the same', () => {
  const session = fc.constantFrom(...'abcdefgh')
  const times = new Map([...'abcdef'].map((key, i) => [key, at(i)]))
  fc.assert(
    fc.property(
      fc
        .array(fc.record({ session, from: session }), { maxLength: 12 })
        .chain((links) =>
          fc.tuple(fc.constant(links), fc.shuffledSubarray(links, { minLength: links.length })),
        ),
      ([links, shuffled]) => {
        const sorted = (all: Resumed[]) => [...resumeChains(all, times)].sort(([a], [b]) => (a < b ? -1 : 1))
        expect(sorted(shuffled)).toEqual(sorted(links))
        for (const { session: one, from } of links) expect(firsts(links)[one]).toBe(firsts(links)[from])
      },
    ),
  )
})

test('a chain of many thousands is no deeper than one of two', () => {
  const links = Array.from({ length: 20_000 }, (_, n) => ({ session: `s${n + 1}`, from: `s${n}` }))
  const places = resumeChains(links, new Map([['s0', at(0)]]))
  expect(new Set([...places.values()].map(({ first }) => first))).toEqual(new Set(['s0']))
  expect(places.get('s20000')!.sortAt).toBe('2026-11-02T08:00:20.000Z')
})
