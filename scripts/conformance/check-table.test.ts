import { expect, test } from 'vitest'
import { checkTable } from './check-table'
import type { FileResult } from './run-files'

const result = (checks?: Record<string, boolean>): FileResult => ({
  file: 'f',
  suite: 's',
  passed: 0,
  failed: 0,
  failing: [],
  differences: [],
  ...(checks && { checks }),
})

test('a check passes when all its cases do, in whichever file', () => {
  expect(checkTable([])).toEqual([])
  expect(
    checkTable([
      result(),
      result({ 'b.py#x': false, 'a#y': true }),
      result({ 'b.py#x': true, 'b.py#z': true }),
    ]),
  ).toEqual(['a     1 of 1 checks', 'b.py  1 of 2 checks, not x'])
})

test('a script with parts has a line for each', () => {
  expect(
    checkTable([
      result({
        'p.py#static_a': true,
        'p.py#static_b': true,
        'p.py#cluster_a': false,
        'p.py#cluster_b': true,
        'q.py#a_static': true,
        'q.py#clusters': true,
        'r.py#constructor_x': true,
      }),
    ]),
  ).toEqual([
    'p.py, live    1 of 2 checks, not cluster_a',
    'p.py, static  2 of 2 checks',
    'q.py          2 of 2 checks',
    'r.py          1 of 1 checks',
  ])
})
