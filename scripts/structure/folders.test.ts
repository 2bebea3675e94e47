import { expect, test } from 'vitest'
import type { ModuleImport } from '../architecture'
import { folderImports, mutualFolders, stronglyConnected } from './folder-graph'
import { orderFolders } from './folder-order'

const load = (from: string, to: string, kind: Partial<ModuleImport> = {}): ModuleImport => ({
  from,
  to,
  isTypeOnly: false,
  isDynamic: false,
  ...kind,
})
const arrow = (text: string, count = 1) => ({ from: text[0]!, to: text[1]!, count })

test('folders that import each other are found once, with the imports of each side', () => {
  const imports = [
    load('lib/a/x.ts', 'lib/b/y.ts'),
    load('lib/a/z.ts', 'lib/b/y.ts'),
    load('lib/b/v.ts', 'lib/a/w.ts'),
    load('lib/a/x.ts', 'lib/c/y.ts'),
  ]
  expect(mutualFolders(folderImports(imports, 'lib', 2))).toEqual([
    { a: 'lib/a', b: 'lib/b', aImportsB: 2, bImportsA: 1 },
  ])
})

test('type-only imports count; dynamic imports, tests and other rooms do not', () => {
  const there = load('lib/a/x.ts', 'lib/b/y.ts')
  const pairs = (back: ModuleImport) => mutualFolders(folderImports([there, back], 'lib', 2)).length
  expect(pairs(load('lib/b/y.ts', 'lib/a/x.ts', { isTypeOnly: true }))).toBe(1)
  expect(pairs(load('lib/b/y.ts', 'lib/a/x.ts', { isDynamic: true }))).toBe(0)
  expect(pairs(load('lib/b/y.test.ts', 'lib/a/x.ts'))).toBe(0)
  expect(pairs(load('lib/b/testing/y.ts', 'lib/a/x.ts'))).toBe(0)
  expect(pairs(load('db/b/y.ts', 'lib/a/x.ts'))).toBe(0)
})

test('the depth says which folders are one: subfolders apart, or together with their parent', () => {
  const imports = [load('lib/a/one/x.ts', 'lib/a/two/y.ts'), load('lib/top.ts', 'lib/a/one/x.ts')]
  expect(folderImports(imports, 'lib', 2)).toEqual([{ from: 'lib', to: 'lib/a', count: 1 }])
  expect(folderImports(imports, 'lib', 3).map(({ from, to }) => `${from} ${to}`)).toEqual([
    'lib lib/a/one',
    'lib/a/one lib/a/two',
  ])
})

test('without a cycle nothing runs up, and the floors are the longest way down', () => {
  expect(orderFolders(['ab', 'bc', 'ac', 'dc'].map((text) => arrow(text)))).toMatchObject({
    up: [],
    floors: 3,
    isMinimum: true,
  })
})

test('of two folders that import each other the side with fewer imports runs up', () => {
  expect(orderFolders([arrow('ab', 5), arrow('ba', 2)]).up).toEqual([{ from: 'b', to: 'a', count: 2 }])
  expect(orderFolders([arrow('ab', 2), arrow('ba', 5)]).up).toEqual([{ from: 'a', to: 'b', count: 2 }])
})

test('a ring needs one arrow up, two rings that share an arrow need that one', () => {
  expect(orderFolders(['ab', 'bc', 'ca'].map((text) => arrow(text))).up).toHaveLength(1)
  // Cutting ab alone opens both rings, although it stands for most imports.
  expect(orderFolders([arrow('ab', 9), ...['bc', 'ca', 'bd', 'da'].map((text) => arrow(text))]).up).toEqual([
    arrow('ab', 9),
  ])
})

test('the least number of arrows is that of trying every order, for many small graphs', () => {
  const names = ['a', 'b', 'c', 'd', 'e']
  const orders = permutations(names)
  for (let seed = 1; seed <= 40; seed++) {
    let state = seed * 2654435761
    const next = (): number => (state = (state * 1103515245 + 12345) % 2147483648)
    const arrows = names.flatMap((from) =>
      names.filter((to) => to !== from && next() % 5 < 2).map((to) => ({ from, to, count: 1 })),
    )
    const least = Math.min(
      ...orders.map(
        (order) => arrows.filter(({ from, to }) => order.indexOf(from) < order.indexOf(to)).length,
      ),
    )
    expect(orderFolders(arrows)).toMatchObject({ isMinimum: true, up: { length: least } })
  }
})

test('a tangle too large to try every order is marked as such', () => {
  const ring = Array.from({ length: 17 }, (_, i) => ({ from: `f${i}`, to: `f${(i + 1) % 17}`, count: 1 }))
  const { isMinimum, up } = orderFolders(ring)
  expect(isMinimum).toBe(false)
  expect(up.length).toBeGreaterThan(0)
})

test('groups come after what they import', () => {
  expect(
    stronglyConnected(
      ['a', 'b', 'c'],
      ['ab', 'bc', 'cb'].map((text) => arrow(text)),
    ),
  ).toEqual([['b', 'c'], ['a']])
})

function permutations(list: readonly string[]): string[][] {
  return list.length === 0
    ? [[]]
    : list.flatMap((one) => permutations(list.filter((other) => other !== one)).map((rest) => [one, ...rest]))
}
