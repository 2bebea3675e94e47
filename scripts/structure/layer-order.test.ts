import { expect, test } from 'vitest'
import type { ModuleImport } from '../architecture'
import { checkStructure } from './check'
import { checkLayers } from './layer-order'
import { onlyForConformance } from './reach'

const imports = (...pairs: [string, string][]): ModuleImport[] =>
  pairs.map(([from, to]) => ({ from, to, isTypeOnly: false, isDynamic: false }))
const check = (...pairs: [string, string][]) => checkLayers(pairs.flat(), imports(...pairs))

test('an import from a later layer runs up, one from an earlier layer does not', () => {
  const { up } = check(['lib/text/a.ts', 'lib/model/b.ts'], ['lib/views/a.ts', 'lib/text/b.ts'])
  expect(up).toEqual([{ from: 'lib/text', to: 'lib/model', count: 1 }])
})

test('within judge the domains have an order too', () => {
  const { up } = check(
    ['lib/judge/calls/a.ts', 'lib/judge/groups/b.ts'],
    ['lib/judge/groups/b.ts', 'lib/judge/outcomes/c.ts'],
  )
  expect(up).toEqual([{ from: 'lib/judge/calls', to: 'lib/judge/groups', count: 1 }])
})

test('text and bytes are one layer', () => {
  expect(check(['lib/text/a.ts', 'lib/bytes/b.ts'], ['lib/bytes/b.ts', 'lib/text/c.ts']).up).toEqual([])
})

test('nothing in lib may import the last layer, also not a folder without a place', () => {
  expect(check(['lib/old/a.ts', 'lib/api/b.ts'])).toMatchObject({
    up: [{ from: 'lib/old', to: 'lib/api', count: 1 }],
    unplaced: ['lib/old'],
  })
})

test('an import of a folder without a place is neither up nor down', () => {
  expect(check(['lib/text/a.ts', 'lib/old/b.ts'])).toEqual({
    present: ['lib/text'],
    unplaced: ['lib/old'],
    up: [],
    undecided: [{ from: 'lib/text', to: 'lib/old', count: 1 }],
  })
})

test('a test may import what it likes', () => {
  expect(check(['lib/text/a.test.ts', 'lib/api/b.ts']).up).toEqual([])
})

test('what only conformance reaches is listed, not what the product or only a test uses', () => {
  const pairs: [string, string][] = [
    ['app/page.tsx', 'lib/both.ts'],
    ['scripts/conformance/suite.ts', 'lib/both.ts'],
    ['scripts/conformance/suite.ts', 'lib/reference.ts'],
    ['lib/reference.ts', 'lib/reference-part.ts'],
    ['lib/reference.test.ts', 'lib/unused.ts'],
  ]
  expect(onlyForConformance([...new Set(pairs.flat())], imports(...pairs))).toEqual([
    'lib/reference-part.ts',
    'lib/reference.ts',
  ])
})

test('two folders that import each other, a ring and a folder without a place are refused', () => {
  const found = (...pairs: [string, string][]) =>
    checkStructure({ modules: pairs.flat(), imports: imports(...pairs) })
  const there: [string, string] = ['db/jobs/a.ts', 'db/writes/b.ts']
  expect(found(there)).toEqual([])
  expect(found(there, ['db/writes/b.ts', 'db/jobs/c.ts'])).toContain(
    'db/jobs and db/writes import each other',
  )
  expect(
    found(
      ['components/a/x.ts', 'components/b/x.ts'],
      ['components/b/x.ts', 'components/c/x.ts'],
      ['components/c/x.ts', 'components/a/x.ts'],
    ),
  ).toEqual([expect.stringMatching(/in a ring$/)])
  expect(found(['lib/old/a.ts', 'lib/text/b.ts'])).toEqual([expect.stringMatching(/^lib\/old has no place/)])
})

test('a place may be one module', () => {
  expect(check(['lib/limits.ts', 'lib/text/a.ts'])).toMatchObject({
    up: [{ from: 'lib/limits.ts', to: 'lib/text', count: 1 }],
    unplaced: [],
  })
})
