import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../../limits'
import { compareLayers } from './compare-layers'
import { pathPattern } from './path-pattern'
import { findingsOf } from './stored-check'

const layers = (left: unknown, right: unknown) =>
  compareLayers([
    { layer: 'source', text: JSON.stringify(left) },
    { layer: 'persisted', text: JSON.stringify(right) },
  ])

describe('the pattern of a place', () => {
  test.each([
    ['', ''],
    ['/events/0/facts', '/events/*/facts'],
    ['/events/10/12', '/events/*/*'],
    ['/a/01', '/a/01'],
    ['/a~1b/2', '/a~1b/*'],
    ['/', '/'],
  ])('of %s is %s', (pointer, pattern) => expect(pathPattern(pointer)).toBe(pattern))

  test('fits into an index, whatever the keys are', () =>
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 400 })), (tokens) => {
        const pattern = pathPattern(
          tokens.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
        )
        return pattern.length <= 300 && Buffer.byteLength(pattern) < 2_000
      }),
    ))
})

test('the same loss in every row is one place, with the worst of its severities', () => {
  const row = (n: number, extra: object) => ({ id: `r${n}`, ...extra })
  const { places, differencesTotal, worst, verdict, lost } = findingsOf(
    layers(
      {
        rows: [
          row(1, { result: { context: { error: { diagnosis: { a: 1 } } } } }),
          row(2, { note: 'x' }),
          row(3, { note: 'y' }),
        ],
      },
      { rows: [row(1, { result: { context: { error: {} } } }), row(2, {}), row(3, {})] },
    ),
    [],
  )
  expect({ verdict, differencesTotal, worst, lost }).toEqual({
    verdict: 'different',
    differencesTotal: 3,
    worst: 'critical',
    lost: { from: 'source', to: 'persisted' },
  })
  expect(places).toEqual([
    {
      from: 'source',
      to: 'persisted',
      path: '/rows/*/result/context/error/diagnosis',
      kind: 'missing',
      severity: 'critical',
      differences: 1,
    },
    {
      from: 'source',
      to: 'persisted',
      path: '/rows/*/note',
      kind: 'missing',
      severity: 'medium',
      differences: 2,
    },
  ])
})

test('a difference is stored with the rule that decided its kind', () => {
  const { differences } = findingsOf(layers({ a: 1 }, {}), [])
  expect(differences.map(({ kind, kindRule }) => [kind, kindRule])).toEqual([['missing', 'value_gone']])
})

test('what is stored is bounded, and says how much there was', () => {
  const long = 'k'.repeat(2 * limits.parityPathCharsStored)
  const found = findingsOf(
    layers(Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`${long}${i}`, i])), {}),
    [],
  )
  expect([found.differences.length, found.differencesTotal, found.places.length]).toEqual([
    limits.parityDifferencesStored,
    500,
    1,
  ])
  expect(
    found.differences.every(({ path }) => path.length === limits.parityPathCharsStored && path.endsWith('…')),
  ).toBe(true)
})

test('of a comparison that fails its controls nothing is drawn, whatever it says', () => {
  expect(findingsOf(layers({ a: 1 }, { a: 1 }), ['an intact pair'])).toMatchObject({
    verdict: 'not_trustworthy',
    places: [],
  })
  expect(findingsOf(layers({ a: 1 }, {}), ['an intact pair'])).toMatchObject({
    verdict: 'not_trustworthy',
    places: [],
    differencesTotal: 1,
  })
})

test('layers that agree and are known not to hold everything are in doubt, whatever could not be read beside them; differences stay differences', () => {
  const left = { layer: 'source', text: '{}' }
  expect(
    findingsOf({ ...compareLayers([left, { layer: 'persisted', text: '{}' }]), verdict: 'unknown' }, [], true)
      .verdict,
  ).toBe('in_doubt')
  expect(findingsOf(compareLayers([left, { layer: 'api', text: null }]), [], true).verdict).toBe('in_doubt')
  expect(findingsOf(layers({ a: 1 }, {}), [], true).verdict).toBe('different')
  expect(
    findingsOf(compareLayers([left, { layer: 'api', text: null }]), ['an intact pair'], true).verdict,
  ).toBe('not_trustworthy')
})
