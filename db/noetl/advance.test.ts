import { expect, test } from 'vitest'
import { advance } from './poll-tables'
import type { TablesError } from './tables-problem'

test('a piece ends behind where it began, or the visit ends with a problem', () => {
  expect(advance('-1', '5')).toBe('5')
  expect(advance('620357000000000033', '620357000000000034')).toBe('620357000000000034')
  for (const to of ['5', '4'])
    expect(() => advance('5', to)).toThrow(expect.objectContaining({ problem: 'no_progress' }) as TablesError)
})
