import { expect, test } from 'vitest'
import { earlierVersions, lineOfVersions, pairFiles, sameBase } from './since-version'
import type { FixDetail } from '../../model/fix'

const file = (name: string, sha256: string, oldName: string | null = name) => ({ name, sha256, oldName })
const told = (pairs: ReturnType<typeof pairFiles<ReturnType<typeof file>>>): string[] =>
  pairs.map(
    ({ now, before, what }) =>
      `${what} ${now?.name}${now?.sha256 ?? ''} ${before?.name}${before?.sha256 ?? ''}`,
  )

test('a file is the same only when its bytes in the patch are, and one that is gone is named', () => {
  const before = [file('a', '1'), file('b', '2'), file('twice', '3'), file('twice', '4'), file('gone', '5')]
  const now = [file('a', '1'), file('b', '9'), file('twice', '4'), file('__proto__', '1')]
  expect(told(pairFiles(now, before))).toEqual([
    'same a1 a1',
    'changed b9 b2',
    'same twice4 twice4',
    'new __proto__1 undefined',
    'gone undefined twice3',
    'gone undefined gone5',
  ])
})

test('a file that is renamed otherwise is compared with what it was, and each file with one other at most', () => {
  expect(told(pairFiles([file('y', '1', 'x')], [file('z', '2', 'x')]))).toEqual(['changed y1 z2'])
  expect(told(pairFiles([file('y', '1', 'x'), file('x', '2')], [file('x', '3')]))).toEqual([
    'new y1 undefined',
    'changed x2 x3',
  ])
  expect(told(pairFiles([file('new', '1', null)], [file('other', '2', null)]))).toEqual([
    'new new1 undefined',
    'gone undefined other2',
  ])
})

test('the line of versions goes back by what each of them names, and leaves out what stands beside it', () => {
  const version = (id: string, supersedes: string | null): FixDetail['versions'][number] => ({
    id,
    supersedes,
    ordinal: Number(id),
    state: 'superseded',
    sha256: '',
    receivedAt: '',
    requests: [],
  })
  const versions = [version('1', null), version('2', null), version('3', '1'), version('4', '3')]
  expect(earlierVersions({ supersedes: '3', versions }).map(({ id }) => id)).toEqual(['3', '1'])
  expect(earlierVersions({ supersedes: null, versions })).toEqual([])
  expect(earlierVersions({ supersedes: 'elsewhere', versions })).toEqual([])
})

test('versions are what names another one, in both directions; what was proposed beside them is told apart', () => {
  const version = (id: string, supersedes: string | null): FixDetail['versions'][number] => ({
    id,
    supersedes,
    ordinal: Number(id),
    state: 'proposed',
    sha256: '',
    receivedAt: '',
    requests: [],
  })
  const versions = [
    version('1', null),
    version('2', null),
    version('3', '1'),
    version('4', '3'),
    version('5', null),
  ]
  const ids = (id: string) => {
    const { line, others } = lineOfVersions({
      id,
      supersedes: versions.find((one) => one.id === id)!.supersedes,
      versions,
    })
    return [line.map((one) => one.id), others.map((one) => one.id)]
  }
  for (const id of ['1', '3', '4'])
    expect(ids(id)).toEqual([
      ['1', '3', '4'],
      ['2', '5'],
    ])
  expect(ids('2')).toEqual([['2'], ['1', '3', '4', '5']])
})

test('bases are the same, others, or not known to be either', () => {
  const base = {
    repository: null,
    commit: null,
    tree: null,
    branch: null,
    dirty: null,
    dirtyDigest: null,
    subDir: null,
  }
  const at = (more: object) => ({ ...base, ...more })
  expect(sameBase(at({ commit: 'abcdef1' }), at({ commit: 'abcdef1234' }))).toBe(true)
  expect(sameBase(at({ commit: 'abcdef1' }), at({ commit: '1234567' }))).toBe(false)
  expect(
    sameBase(at({ commit: 'abcdef1', tree: '7777777' }), at({ commit: '1234567', tree: '7777777' })),
  ).toBe(true)
  expect(sameBase(base, at({ commit: 'abcdef1' }))).toBe(null)
  expect(sameBase(at({ commit: 'abcdef1', dirty: true }), at({ commit: 'abcdef1' }))).toBe(null)
  expect(
    sameBase(
      at({ commit: 'abcdef1', dirty: true, dirtyDigest: 'x' }),
      at({ commit: 'abcdef1', dirty: true, dirtyDigest: 'x' }),
    ),
  ).toBe(true)
})
