import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyPatch } from '@/scripts/conformance/reference/apply-patch'
import { byteText } from './bytes'
import { numstat } from '../fixes/testing/numstat'
import { readFlags } from './read-flags'
import { readPatch } from './read-patch'
import type { Tree } from './tree'

/** Any two trees: git makes the patch between them, git says what is in it, and our reader has to say and do the same. */

let repository: string
beforeAll(() => {
  repository = mkdtempSync(join(tmpdir(), 'inquest-made-by-git-'))
  git(['init', '-q'])
  // A file is its bytes here, whatever it is called.
  writeFileSync(join(repository, '.git/info/attributes'), '* -text -eol -ident -filter\n')
})
afterAll(() => rmSync(repository, { recursive: true, force: true }))

const git = (args: string[], input?: Uint8Array): Buffer =>
  execFileSync(
    'git',
    ['-c', 'core.autocrlf=false', '-c', 'user.name=a', '-c', 'user.email=a@example.test', ...args],
    {
      cwd: repository,
      input,
      stdio: ['pipe', 'pipe', 'pipe'],
      maxBuffer: 1 << 26,
      env: { ...process.env, HOME: repository, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' },
    },
  )

interface File {
  mode: number
  content: Buffer
}
type Files = Record<string, File>

const name = fc.constantFrom(
  'a',
  'b.txt',
  'with blank',
  'tab\there',
  'quote"d',
  'back\\slash',
  'ünï',
  'deep/er/file',
  'deep/other',
  '-dash',
  'b/a',
  'dev/null',
  'new\nline',
)
const line = fc.oneof(
  fc.constantFrom(
    '',
    'one',
    'two',
    '-three',
    '+four',
    ' five',
    '@@ -1 +1 @@',
    'diff --git a/a b/a',
    '--- a/a',
    '\\ No newline at end of file',
    'käse',
    '\u2028',
  ),
  fc.string({ maxLength: 12 }).map((text) => text.replace(/[\r\n\0]/g, '.')),
)
const ending = fc.constantFrom('\n', '\n', '\n', '\r\n')
const text = fc
  .tuple(fc.array(line, { maxLength: 25 }), ending, fc.boolean())
  .map(([lines, end, closed]) => Buffer.from(lines.join(end) + (closed && lines.length > 0 ? end : '')))
const binary = fc
  .uint8Array({ minLength: 1, maxLength: 400 })
  .map((bytes) => Buffer.concat([Buffer.from([0]), bytes]))
const mode = fc.constantFrom(0o100644, 0o100644, 0o100644, 0o100755)
const file: fc.Arbitrary<File> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ mode, content: text }) },
  { weight: 1, arbitrary: fc.record({ mode, content: binary }) },
  {
    weight: 1,
    arbitrary: fc.record({
      mode: fc.constant(0o120000),
      content: fc.constantFrom('a', 'deep/er', 'b.txt').map((target) => Buffer.from(target)),
    }),
  },
)
/** A path cannot be a file and a folder at once. */
const files = fc
  .dictionary(name, file, { maxKeys: 5 })
  .map(
    (all): Files =>
      Object.fromEntries(
        Object.entries(all).filter(
          ([path]) => !Object.keys(all).some((other) => other.startsWith(`${path}/`)),
        ),
      ),
  )
/** Much of the second tree is the first one, changed, moved or as it was: else git has nothing to compare. */
const trees = fc
  .tuple(files, files, fc.array(fc.tuple(name, fc.nat(30), line), { maxLength: 4 }))
  .map(([before, fresh, edits]) => {
    const after: Files = { ...before, ...fresh }
    for (const [path, at, words] of edits) {
      const found = after[path]
      if (!found || found.mode === 0o120000) continue
      const lines = found.content.toString('latin1').split('\n')
      lines.splice(at % (lines.length + 1), at % 3, Buffer.from(words).toString('latin1'))
      after[path] = { ...found, content: Buffer.from(lines.join('\n'), 'latin1') }
    }
    const [moved] = Object.keys(before)
    if (moved !== undefined && edits.length % 2 === 1) {
      after['moved here'] = after[moved]!
      delete after[moved]
    }
    return {
      before,
      after: Object.fromEntries(
        Object.entries(after).filter(
          ([path]) => !Object.keys(after).some((other) => other.startsWith(`${path}/`)),
        ),
      ),
    }
  })

function writeTree(tree: Files): string {
  for (const one of readdirSync(repository))
    if (one !== '.git') rmSync(join(repository, one), { recursive: true, force: true })
  for (const [path, { mode: bits, content }] of Object.entries(tree)) {
    const place = join(repository, path)
    mkdirSync(dirname(place), { recursive: true })
    if (bits === 0o120000) symlinkSync(content, place)
    else {
      writeFileSync(place, content)
      chmodSync(place, bits & 0o777)
    }
  }
  git(['add', '-A', '-f'])
  return git(['write-tree']).toString().trim()
}

const treeOf = (tree: Files): Tree =>
  new Map(
    Object.entries(tree).map(([path, one]) => [
      byteText(Buffer.from(path)),
      { mode: one.mode, content: one.content },
    ]),
  )
const plain = (tree: Tree) =>
  [...tree]
    .map(([path, { mode: bits, content }]) => [path, bits, Buffer.from(content).toString('latin1')])
    .sort()

test('what git says and makes of its own patches, the reader says and makes', () => {
  fc.assert(
    fc.property(
      trees,
      fc.constantFrom('-U3', '-U0', '-U1'),
      fc.constantFrom('--no-renames', '-M', '-C'),
      ({ before, after }, context, renames) => {
        const [from, to] = [writeTree(before), writeTree(after)]
        const bytes = new Uint8Array(git(['diff', '--binary', context, renames, from, to]))
        if (bytes.length === 0) return
        const patch = readPatch(bytes)
        const told = git(['apply', '--numstat', '-z', '-'], bytes).toString('latin1').split('\0').slice(0, -1)
        expect(
          numstat(bytes, patch).map(
            ({ added, deleted, name: path }) => `${added ?? '-'}\t${deleted ?? '-'}\t${path}`,
          ),
        ).toEqual(told)
        if (context === '-U0') return
        const applied = applyPatch(bytes, patch, treeOf(before))
        expect(applied.faults).toEqual([])
        expect(plain(applied.tree!)).toEqual(plain(treeOf(after)))
      },
    ),
    { numRuns: 120, seed: 20261123 },
  )
})

test('a binary change whose stated size is false is named so, and git refuses it', () => {
  writeFileSync(
    join(repository, 'icon.bin'),
    Buffer.from([0, 1, 2, 3, ...'some bytes that compress'.repeat(9)].map(Number)),
  )
  git(['add', 'icon.bin'])
  const patch = git(['diff', '--cached', '--binary', '--full-index', '--', 'icon.bin'])
  const text = patch.toString('latin1')
  const [, size] = /^literal (\d+)$/m.exec(text)!
  const codes = (bytes: Buffer) => readFlags(bytes, readPatch(bytes)).map(({ code }) => code)
  expect(codes(patch)).toEqual([])
  for (const stated of [Number(size) + 1, Number(size) - 1, 999_999_999]) {
    const changed = Buffer.from(text.replace(`literal ${size}`, `literal ${stated}`), 'latin1')
    expect(codes(changed)).toEqual(['binary-size-mismatch'])
    expect(() => git(['apply', '--numstat'], changed)).toThrow(/corrupt binary patch/)
  }
})
