import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applySteps, shellWord } from './apply-commands'
import { formatPosition, parsePosition } from '../../model/patch-position'
import { threadsOf } from './threads'
import type { FixComment } from '../../model/fix'

test('a place of a patch survives its address, and no fragment breaks the reading', () => {
  const lines = fc
    .tuple(fc.constantFrom('old' as const, 'new' as const), fc.nat(), fc.nat())
    .map(([side, a, b]) => ({ side, start: Math.min(a, b), end: Math.max(a, b) }))
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.option(lines), (file, at) => {
      expect(parsePosition(`#${formatPosition({ file, lines: at })}`)).toEqual({ file, lines: at })
    }),
  )
  fc.assert(fc.property(fc.string(), (text) => void parsePosition(text)))
  expect(['#file-0', '#file-3-mid-1', '#file-3-new', '/result/context', ''].map(parsePosition)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ])
  expect(parsePosition('#file-3-new-12-7')).toEqual({ file: 2, lines: { side: 'new', start: 7, end: 12 } })
})

test('a shell reads back exactly the word that was quoted', () => {
  const words = [
    "a'b",
    '$(touch x)',
    '`id`',
    '-rf',
    'a b',
    '"',
    '\\',
    'plain-name.patch',
    'ä',
    '!',
    '',
    '*',
    '\n',
    '~root',
  ]
  const read = execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${words.map(shellWord).join(' ')}`], {
    encoding: 'utf8',
  })
  expect(read.split('\0').slice(0, -1)).toEqual(words)
})

test('hostile names stay inside their quotes, and findings change how git is called', () => {
  const steps = applySteps({
    address: 'http://127.0.0.1:4790/fixes/x.patch',
    digest: 'a'.repeat(64),
    fileName: "x'; rm -rf ~ #.patch",
    run: '../../etc',
    task: '$(reboot)',
    baseCommit: null,
    subDir: null,
    codes: ['zero-context', 'no-prefix'],
  })
  expect(steps.map((step) => step.command)).toEqual([
    `curl -fsS -H "Authorization: Bearer $INQUEST_TOKEN" -o "$(git rev-parse --git-dir)"/'x'\\''; rm -rf ~ #.patch' http://127.0.0.1:4790/fixes/x.patch && (cd "$(git rev-parse --git-dir)" && echo '${'a'.repeat(64)}  x'\\''; rm -rf ~ #.patch' | sha256sum --check)`,
    'test -z "$(git status --porcelain)" && git switch -c fix/etc/reboot',
    `git apply --check --index --whitespace=nowarn -p0 --unidiff-zero "$(git rev-parse --git-dir)"/'x'\\''; rm -rf ~ #.patch'`,
    `git apply --index --whitespace=nowarn -p0 --unidiff-zero "$(git rev-parse --git-dir)"/'x'\\''; rm -rf ~ #.patch'`,
    'git diff --cached --stat',
    "async-pipeline run-task '$(reboot)'",
  ])
  expect(steps.map(({ step, note }) => [step, note])).toEqual([
    ['download', 'scope'],
    ['branch', 'base-unknown'],
    ['check', null],
    ['apply', null],
    ['compare', null],
    ['run', 'async-pipeline'],
  ])
})

test('a patch of a folder of the repository is applied in that folder, by the commands as they are pasted', () => {
  const repository = mkdtempSync(join(tmpdir(), 'inquest-apply-'))
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.invalid', ...args], {
      cwd: repository,
      encoding: 'utf8',
      stdio: 'pipe',
    })
  try {
    git('init', '-q')
    mkdirSync(join(repository, 'an app'))
    writeFileSync(join(repository, 'an app', 'x.txt'), 'one\n')
    git('add', '-A')
    git('commit', '-qm', 'base')
    writeFileSync(join(repository, 'an app', 'x.txt'), 'two\n')
    writeFileSync(join(repository, '.git', 'x.patch'), git('diff', '--relative=an app'))
    git('reset', '-q', '--hard')
    const steps = applySteps({
      address: '',
      digest: '',
      fileName: 'x.patch',
      run: 'r',
      task: '',
      baseCommit: null,
      subDir: 'an app',
      codes: [],
    })
    for (const { command } of steps.slice(2, 4))
      execFileSync('/bin/sh', ['-c', command], { cwd: repository, stdio: 'pipe' })
    expect(git('diff', '--cached', '--name-only')).toBe('an app/x.txt\n')
  } finally {
    rmSync(repository, { recursive: true, force: true })
  }
})

test('the branch is named after the run and the task, and git takes its name', () => {
  const branch = (run: string, task: string): string =>
    /switch -c (\S+)$/.exec(
      applySteps({
        address: '',
        digest: '',
        fileName: 'x',
        run,
        task,
        baseCommit: null,
        subDir: null,
        codes: [],
      })[1]!.command,
    )![1]!
  expect(branch('2026-06-14T10-43-12-345Z-1a2b3c4d', 'storefront:test')).toBe(
    'fix/2026-06-14T10-43-12-345Z-1a2b3c4d/storefront-test',
  )
  for (const hostile of [
    '..',
    'a.lock',
    'a.lock.',
    `${'x'.repeat(58)}..y`,
    `${'x'.repeat(55)}.lock1`,
    '-x',
    '@{1}',
    'a..b',
    'ä',
    '',
  ]) {
    const name = branch(hostile, hostile)
    expect([
      hostile,
      execFileSync('git', ['check-ref-format', '--branch', name], { encoding: 'utf8' }).trim(),
    ]).toEqual([hostile, name])
  }
})

test('a thread is open again after it was opened again, and one without any comment is none', () => {
  const comment = (id: string, thread: string, kind: string): FixComment => ({
    id,
    thread,
    fix: 'f',
    ordinal: 1,
    kind,
    by: 'ana',
    isMine: false,
    at: '',
    text: id,
    sha256: '',
    file: 0,
    path: 'a',
    side: 'new',
    lineStart: 1,
    lineEnd: 2,
  })
  const list = [
    comment('1', '1', 'comment'),
    comment('2', '2', 'comment'),
    comment('3', '1', 'comment'),
    comment('4', '1', 'resolve'),
    comment('5', '2', 'resolve'),
    comment('6', '1', 'reopen'),
    comment('7', '9', 'resolve'),
  ]
  expect(
    threadsOf(list).map(({ id, comments, isResolved, resolvedBy }) => [
      id,
      comments.map((one) => one.id),
      isResolved,
      resolvedBy,
    ]),
  ).toEqual([
    ['1', ['1', '3'], false, null],
    ['2', ['2'], true, 'ana'],
  ])
})
