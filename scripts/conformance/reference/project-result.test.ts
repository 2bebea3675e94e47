import { expect, test } from 'vitest'
import { projectionOf, projectResult } from './project-result'

test.each<[string, string | null]>([
  ['v2.35.8', 'scalars_only'],
  ['2.34.99', 'scalars_only'],
  ['v2.35.9', 'flat_diagnosis'],
  ['2.37.0', 'flat_diagnosis'],
  ['v2.37.1', 'whole_diagnosis'],
  ['3.0.0', 'current'],
  ['current', 'current'],
  ['x', null],
])('version %s: %s', (version, projection) => expect(projectionOf(version)).toBe(projection))

test('a reply with rows is taken as it is, nothing and what is too large are left out', () => {
  expect(projectResult({ rows: [1, 2], data: { a: 1 } }, 'call.done', 'current')).toEqual({
    status: 'COMPLETED',
    context: { rows: [1, 2], data: { a: 1 }, row_count: 2 },
  })
  expect(projectResult('x', 'call.error', 'current')).toEqual({ status: 'FAILED' })
  expect(projectResult({ a: 'x'.repeat(100 * 1024) }, 'call.done', 'current')).toEqual({
    status: 'COMPLETED',
  })
})
