import { describe, expect, test } from 'vitest'
import { contaminatedPath, worktreeOf, writeWarnings } from './paths-outside'

describe('a path that the agent named as its output', () => {
  test.each<[string, string, string, string | null]>([
    ['outside', 'plan_path = /elsewhere/x', '/w', '/elsewhere/x'],
    ['inside', 'plan_path = /w/x', '/w', null],
    ['the folder itself', 'plan_path=/w/', '/w', null],
    ['beside a folder whose name begins alike', 'plan_path = /work/x', '/w', '/work/x'],
    ['the last of its name counts', 'plan_path = /elsewhere\nplan_path = /w/x', '/w', null],
    ['of several names any one', 'plan_path = /w/x\nreport_path = /elsewhere', '/w', '/elsewhere'],
    ['not whole', 'plan_path = ../x', '/w', null],
    ['in the middle of a line', 'so plan_path = /elsewhere', '/w', null],
    ['with stars', '**plan_path** = /elsewhere', '/w', null],
    [
      'under a name that is left out',
      'worktree_path = /elsewhere\nbranch_name = /elsewhere\nfoo_path = /elsewhere',
      '/w',
      null,
    ],
    ['without a folder', 'plan_path = /elsewhere', '', null],
    ['in no whole folder', 'plan_path = /elsewhere', 'w', null],
    ['in the root', 'plan_path = /elsewhere', '/', null],
    ['behind white space of Python', 'plan_path\x1f=\xa0/elsewhere\u3000', '/w', '/elsewhere'],
  ])('%s', (_, message, cwd, path) =>
    expect(contaminatedPath(['before', message], cwd)?.path ?? null).toBe(path),
  )
})

test('calls are told by tool, path and folder', () => {
  const paths = [
    { tool: 'Write', path: '/x' },
    { tool: 'Edit', path: '/w/x' },
    { tool: 'Bash', path: '/tmp/y' },
  ]
  expect(writeWarnings(paths, '/w')).toEqual([
    "Write tool targeted '/x' outside session cwd '/w'",
    "Bash command contained path '/tmp/y' outside session cwd '/w'",
  ])
  expect(writeWarnings(paths, '')).toEqual([])
})

describe('the work tree', () => {
  test.each<[string, string[], string | null]>([
    ['the first of a message', ['a\nworktree_path = /a \nworktree_path = /b'], '/a'],
    [
      'the last message that names one',
      ['worktree_path=/a', 'worktree_path = /b', 'worktree_path = c', 'none'],
      '/b',
    ],
    ['on a line behind', ['worktree_path =\n\n  /a b'], '/a b'],
    ['a line ends with a line feed and nothing else', ['worktree_path = /a\u2028b\rc'], '/a\u2028b\rc'],
    ['not behind a carriage return', ['x\rworktree_path = /a'], null],
    ['not whole', ['worktree_path = a'], null],
  ])('%s', (_, messages, path) => expect(worktreeOf(messages)).toBe(path))

  test('long runs of white space are no trap', () => {
    expect(
      worktreeOf([
        `worktree_path${' '.repeat(2_000_000)}`,
        `worktree_path =${'\n'.repeat(2_000_000)}`,
        'worktree_path\n'.repeat(100_000),
      ]),
    ).toBeNull()
  })
})
