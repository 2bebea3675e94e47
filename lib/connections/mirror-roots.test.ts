import { expect, test } from 'vitest'
import { readMirrorRoots } from './mirror-roots'

const rootsOf = (value: string | undefined, ...projects: string[]) => {
  const read = readMirrorRoots({ INQUEST_MIRRORS: value })
  return 'trouble' in read ? read.trouble : projects.map(read.roots)
}

test('a project has its own folder, else the one for all, else none', () => {
  expect(rootsOf(undefined, 'shop')).toEqual([null])
  expect(rootsOf('', 'shop')).toEqual([null])
  expect(rootsOf('/srv/mirrors', 'shop', 'tools')).toEqual(['/srv/mirrors', '/srv/mirrors'])
  expect(rootsOf('shop=/srv/shop, /srv/other', 'shop', 'tools')).toEqual(['/srv/shop', '/srv/other'])
  expect(rootsOf('shop=/srv/a=b', 'shop', 'tools')).toEqual(['/srv/a=b', null])
})

test.each([
  ['mirrors', /absolute path/],
  ['shop=mirrors', /absolute path/],
  ['/a,/b', /two folders for all/],
  ['x=/a,x=/b', /two folders for x/],
])('%s cannot be meant', (value, words) => {
  expect(rootsOf(value, 'x')).toMatch(words)
})
