import { expect, test } from 'vitest'
import { sinceVersion } from './since-version'

test('a file is the same only when its bytes in the patch are, and one that is gone is named', () => {
  const before = [{ name: 'a', sha256: '1' }, { name: 'b', sha256: '2' }, { name: 'twice', sha256: '3' }, { name: 'twice', sha256: '4' }, { name: 'gone', sha256: '5' }]
  const now = [{ ordinal: 0, name: 'a', sha256: '1' }, { ordinal: 1, name: 'b', sha256: '9' }, { ordinal: 2, name: 'twice', sha256: '4' }, { ordinal: 3, name: '__proto__', sha256: '1' }]
  const { files, gone } = sinceVersion(now, before)
  expect([...files]).toEqual([[0, 'same'], [1, 'changed'], [2, 'same'], [3, 'new']])
  expect(gone).toEqual(['gone'])
})
