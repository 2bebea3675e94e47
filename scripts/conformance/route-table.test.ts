import { expect, test } from 'vitest'
import { routeTable } from './route-table'
import type { FileResult } from './run-files'

const result = (
  suite: string,
  passed: number,
  failed: number,
  reference?: FileResult['reference'],
): FileResult => ({
  file: 'f',
  suite,
  passed,
  failed,
  failing: [],
  differences: [],
  ...(reference && { reference }),
})

test('cases of the product and of reference code are counted apart, with the reason', () => {
  const table = routeTable([
    result('a', 2, 1),
    result('b', 4, 0, { applies: 1, post: 1 }),
    result('b', 3, 2, { applies: 2 }),
  ])
  expect(table.map((line) => line.replace(/ +/g, ' '))).toEqual([
    'a 3 product 0 reference',
    'b 5 product 4 reference',
    'all suites 8 product 4 reference',
    'applies 3 reference: git applies patches in the product; this simulates it in memory',
    'post 1 reference: files after the simulated application',
  ])
})
