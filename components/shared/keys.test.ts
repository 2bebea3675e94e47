import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSingleKey, keyName, type KeyState, matchKey } from './keys'

const press = (
  key: string,
  held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey', boolean>> = {},
) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
})

test.each([
  [press('j'), 'j'],
  [press('N', { shiftKey: true }), 'N'],
  [press('<', { shiftKey: true }), '<'],
  [press(' '), 'Space'],
  [press('Enter'), 'Enter'],
  [press('k', { ctrlKey: true }), 'Mod+k'],
  [press('K', { metaKey: true, shiftKey: true }), 'Mod+k'],
  [press('f', { ctrlKey: true }), null],
  [press('1', { metaKey: true }), null],
  [press('j', { altKey: true }), null],
])('%o is named %s', (event, want) => expect(keyName(event)).toBe(want))

const run = (names: string[], keys: string[]): string[] => {
  let state: KeyState = { pending: null }
  const hits: string[] = []
  for (const key of keys) {
    const matched = matchKey(names, state, key)
    state = matched.state
    if (matched.hit) hits.push(matched.hit)
  }
  return hits
}

test('a sequence needs its keys in a row, and its second key does not act for itself', () => {
  const names = ['g e', 'e', 'j']
  expect(run(names, ['g', 'e'])).toEqual(['g e'])
  expect(run(names, ['g', 'j', 'e'])).toEqual(['j', 'e'])
  expect(run(names, ['g', 'g', 'e'])).toEqual(['g e'])
  expect(run(names, ['x', 'e'])).toEqual(['e'])
})

test('a key that is in no table never fires anything', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'g', 'e')), (keys) => {
      for (const hit of run(['g e', 'j'], keys)) expect(hit).toBe('g e')
    }),
  )
})

test('only characters count as single keys', () => {
  expect(['j', '?', '1', 'Space'].every(isSingleKey)).toBe(true)
  expect(['Enter', 'ArrowDown', 'Escape', 'Mod+k', 'g e'].some(isSingleKey)).toBe(false)
})
