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
  ['mirrors', { id: 'not_absolute', params: { entry: 'mirrors' } }],
  ['shop=mirrors', { id: 'not_absolute', params: { entry: 'shop=mirrors' } }],
  ['/a,/b', { id: 'named_twice', params: { project: null } }],
  ['x=/a,x=/b', { id: 'named_twice', params: { project: 'x' } }],
])('%s cannot be meant', (value, trouble) => {
  expect(rootsOf(value, 'x')).toEqual(trouble)
})
