import { expect, test } from 'vitest'
import { packageClosure, type Lock } from './package-closure'
import { releaseNotes } from './release-notes'
import { whyNoRelease } from './source-state'

const changelog =
  '# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.10 - 2026-01-02\n\n- Ten.\n\n## 0.1.1 - 2026-01-01\n\nFixes:\n\n- One.\n'

test('the notes of a release are the section of its version', () => {
  expect(releaseNotes(changelog, '0.1.1', false)).toBe('# Inquest 0.1.1\n\nFixes:\n\n- One.\n')
  expect(releaseNotes(changelog, '0.1.10', false)).toBe('# Inquest 0.1.10\n\n- Ten.\n')
  expect(releaseNotes(changelog, '0.1', false)).toBeNull()
})

test('those of a dry run are what is not released yet, if there is anything', () => {
  expect(releaseNotes(changelog, '0.1.1', true)).toBe('# Inquest 0.1.1\n\n- New.\n')
  expect(releaseNotes(changelog.replace('- New.', ''), '0.1.1', true)).toContain('- One.')
})

test('a commit with changes, or without the tag of its version, is no release', () => {
  const state = { commit: 'c', date: '', epoch: 0, tags: ['v0.1.1'], clean: true }
  expect(whyNoRelease(state, '0.1.1')).toBeNull()
  expect(whyNoRelease(state, '0.1.2')).toBe('this commit has no tag v0.1.2')
  expect(whyNoRelease({ ...state, clean: false }, '0.1.1')).toContain('working tree')
})

test('a package brings what it needs, from where Node would find it, and nothing that is optional for it', () => {
  const lock: Lock = {
    packages: {
      'node_modules/a': {
        dependencies: { b: '1', gone: '1' },
        peerDependencies: { peer: '1', maybe: '1' },
        peerDependenciesMeta: { maybe: { optional: true } },
      },
      'node_modules/a/node_modules/b': { dependencies: { c: '1' } },
      'node_modules/b': {},
      'node_modules/c': { dependencies: { a: '1', heavy: '1' } },
      'node_modules/heavy': {},
      'node_modules/maybe': {},
      'node_modules/peer': {},
    },
  }
  expect(packageClosure(lock, ['a'], (name) => name === 'heavy')).toEqual([
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/c',
    'node_modules/peer',
  ])
})
