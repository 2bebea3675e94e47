import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyOptions } from '../fixes/apply-options'
import { readFix } from '../fixes/read-fix'
import { NOTHING_KNOWN } from './signals'
import { readAsMade } from './read-as-made'
import { isSafe, readFlags } from './read-flags'

let repository: string
beforeAll(() => {
  repository = mkdtempSync(join(tmpdir(), 'inquest-noprefix-'))
  git(['init', '-q'])
  mkdirSync(join(repository, 'src/deep'), { recursive: true })
  mkdirSync(join(repository, 'a'))
  put('top.txt', 'one\ntwo\nthree\n')
  put('src/deep/app.ts', 'one\ntwo\nthree\n')
  put('a/in-a.ts', 'one\ntwo\nthree\n')
  put('moved.ts', 'a\nb\nc\nd\ne\nf\n')
  put('gone.ts', 'gone\n')
  put('run.sh', 'run\n')
  put('icon.bin', '\0\x01binary')
  git(['add', '-A'])
  git(['commit', '-qm', 'base'])
})
afterAll(() => rmSync(repository, { recursive: true, force: true }))

const put = (name: string, text: string): void => writeFileSync(join(repository, name), text)
const git = (args: string[], input?: Uint8Array): Buffer =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.invalid', ...args], {
    cwd: repository,
    input,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, HOME: repository, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' },
  })
const diff = (...paths: string[]): Buffer =>
  git(['-c', 'diff.noprefix=true', 'diff', '--cached', '-M', '--binary', '--full-index', '--', ...paths])
const codes = (bytes: Uint8Array) =>
  readFlags(bytes, readAsMade(bytes)).map(({ code, weight }) => `${code} ${weight ?? ''}`.trim())

describe('a diff made with diff.noprefix', () => {
  let whole: Buffer
  beforeAll(() => {
    put('top.txt', 'one\nzwei\nthree\n')
    put('src/deep/app.ts', 'one\nzwei\nthree\n')
    put('a/in-a.ts', 'one\nzwei\nthree\n')
    put('new file.txt', 'new\n')
    put('src/new.ts', 'new\n')
    rmSync(join(repository, 'gone.ts'))
    git(['mv', 'moved.ts', 'src/moved.ts'])
    chmodSync(join(repository, 'run.sh'), 0o755)
    put('icon.bin', '\0\x02binary')
    git(['add', '-A'])
    whole = diff()
  })

  test('is read with the names that git gives it with -p0', () => {
    const patch = readAsMade(whole)
    expect(patch).toMatchObject({ verdict: 'ok', problem: null, withoutPrefix: true })
    const names = git(['apply', '--numstat', '-z', '-p0'], whole)
      .toString()
      .split('\0')
      .filter((entry) => entry !== '')
      .map((entry) => entry.split('\t')[2])
    expect(patch.sections.map(({ oldName, newName }) => newName ?? oldName)).toEqual(names)
  })

  test.each(['top.txt', 'src/deep/app.ts', 'a/in-a.ts', 'new file.txt', 'gone.ts', 'run.sh', 'icon.bin'])(
    'of %s alone, too',
    (path) => {
      const bytes = diff(path)
      expect(readAsMade(bytes).withoutPrefix).toBe(true)
      expect(isSafe(readFlags(bytes, readAsMade(bytes)))).toBe(true)
    },
  )

  test('has a flag that forbids nothing, and applies with the options it asks for', async () => {
    expect(codes(whole)).toEqual(expect.arrayContaining(['no-prefix warning']))
    const { summary } = await readFix(whole, NOTHING_KNOWN)
    expect(summary).toMatchObject({ safe: true, blocking: [] })
    const options = applyOptions({ codes: summary.warnings, subDir: null })
    expect(options).toContain('-p0')
    const tree = git(['write-tree']).toString()
    git(['reset', '-q', '--hard'])
    expect(() => git(['apply', '--check', '--index'], whole)).toThrow()
    git(['apply', '--check', '--index', ...options], whole)
    git(['apply', '--index', ...options], whole)
    expect(git(['write-tree']).toString()).toBe(tree)
    expect(readFileSync(join(repository, 'src/deep/app.ts'), 'utf8')).toContain('zwei')
  })

  test('beside parts with a prefix it stays forbidden', () => {
    const mixed = Buffer.concat([diff('src/deep/app.ts'), git(['diff', '--cached', '--', 'top.txt'])])
    expect(readAsMade(mixed).withoutPrefix).toBeUndefined()
    expect(codes(mixed)).toContain('no-prefix')
    expect(isSafe(readFlags(mixed, readAsMade(mixed)))).toBe(false)
  })
})

test('a diff with prefixes is read as ever', () => {
  const bytes = git(['diff', '--cached', '-M', '--binary', '--full-index'])
  const patch = readAsMade(bytes)
  expect(patch.withoutPrefix).toBeUndefined()
  expect(codes(bytes)).not.toContain('no-prefix')
  expect(patch.sections.map(({ newName }) => newName)).toContain('src/moved.ts')
})
