import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyPatch } from '@/scripts/conformance/reference/apply-patch'
import { hunkLines } from '../patches/read-hunk'
import { readPatch } from '../patches/read-patch'
import { movedRanges, suggestPatch, type Suggestion } from './suggest'

const latin = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'))
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
const patchOf = (...lines: string[]): string => lines.map((line) => `${line}\n`).join('')
const made = (patch: string, suggestion: Suggestion): string => {
  const done = suggestPatch(latin(patch), suggestion)
  return 'refused' in done ? done.refused : textOf(done.bytes)
}

const HEAD = [
  'From someone',
  'diff --git a/a.txt b/a.txt',
  'index 1111111..2222222 100644',
  '--- a/a.txt',
  '+++ b/a.txt',
]
const PATCH = patchOf(
  ...HEAD,
  '@@ -1,4 +1,4 @@ fn',
  ' one',
  '-two',
  '+zwei',
  ' three',
  ' four',
  '@@ -10,3 +10,4 @@',
  ' ten',
  '+more',
  ' eleven',
  ' twelve',
  'diff --git a/b.txt b/b.txt',
  '--- a/b.txt',
  '+++ b/b.txt',
  '@@ -5 +5 @@',
  '-\xff',
  '+\xfe',
)

describe('the patch with other lines', () => {
  test('has those lines, corrected counts and following starts of that file, and nothing else', () => {
    expect(made(PATCH, { file: 0, start: 2, end: 2, lines: ['deux', 'trois'] })).toBe(
      PATCH.replace('+1,4 @@ fn', '+1,5 @@ fn')
        .replace('+zwei\n', '+deux\n+trois\n')
        .replace('-10,3 +10,4', '-10,3 +11,4'),
    )
  })

  test('takes out a context line as a deleted one, and keeps the lines that stay as they were', () => {
    expect(made(PATCH, { file: 0, start: 1, end: 3, lines: ['one', 'zwei', '3'] })).toBe(
      PATCH.replace(' three\n', '-three\n+3\n'),
    )
    expect(made(PATCH, { file: 0, start: 1, end: 2, lines: ['zwei'] })).toBe(
      PATCH.replace('+1,4', '+1,3')
        .replace(' one\n-two\n+zwei\n', '-one\n-two\n+zwei\n')
        .replace('+10,4', '+9,4'),
    )
  })

  test('writes a count that was left out once it is not one', () => {
    const one = patchOf('--- a/a', '+++ b/a', '@@ -1 +1 @@', '-a', '+b')
    expect(made(one, { file: 0, start: 1, end: 1, lines: ['c'] })).toBe(one.replace('+b', '+c'))
    expect(made(one, { file: 0, start: 1, end: 1, lines: ['c', 'd'] })).toBe(
      one.replace('+1 @@', '+1,2 @@').replace('+b\n', '+c\n+d\n'),
    )
    expect(made(one, { file: 0, start: 1, end: 1, lines: [] })).toBe(
      one.replace('+1 @@', '+0,0 @@').replace('+b\n', ''),
    )
  })

  test('keeps each line ending, and the end of a file without one', () => {
    const crlf = patchOf('--- a/a', '+++ b/a', '@@ -1,2 +1,2 @@', ' x\r', '-a\r', '+b\r')
    expect(made(crlf, { file: 0, start: 2, end: 2, lines: ['c', 'd'] })).toBe(
      crlf.replace('+1,2', '+1,3').replace('+b\r\n', '+c\r\n+d\r\n'),
    )
    const open = patchOf(
      '--- a/a',
      '+++ b/a',
      '@@ -1,2 +1,2 @@',
      '-x',
      '+y',
      ' z',
      '\\ No newline at end of file',
    )
    expect(made(open, { file: 0, start: 2, end: 2, lines: ['z', 'w'] })).toBe(
      patchOf(
        '--- a/a',
        '+++ b/a',
        '@@ -1,2 +1,3 @@',
        '-x',
        '+y',
        '-z',
        '\\ No newline at end of file',
        '+z',
        '+w',
        '\\ No newline at end of file',
      ),
    )
  })

  test.each<[string, string, Suggestion]>([
    ['unreadable', 'no patch\n', { file: 0, start: 1, end: 1, lines: [] }],
    ['no-such-file', PATCH, { file: 2, start: 1, end: 1, lines: [] }],
    [
      'binary',
      patchOf('diff --git a/a b/a', 'index 1..2', 'Binary files a/a and b/a differ'),
      { file: 0, start: 1, end: 1, lines: [] },
    ],
    ['file-twice', PATCH + PATCH, { file: 0, start: 2, end: 2, lines: ['x'] }],
    ['no-such-lines', PATCH, { file: 0, start: 4, end: 10, lines: ['x'] }],
    ['no-such-lines', PATCH, { file: 0, start: 99, end: 99, lines: ['x'] }],
    ['not-text', PATCH, { file: 1, start: 5, end: 5, lines: ['x'] }],
    ['same', PATCH, { file: 0, start: 1, end: 3, lines: ['one', 'zwei', 'three'] }],
    ['nothing-left', PATCH, { file: 0, start: 11, end: 11, lines: [] }],
    ['last-line', PATCH, { file: 0, start: 4, end: 4, lines: ['vier'] }],
    ['last-line', PATCH, { file: 0, start: 4, end: 4, lines: ['four', 'five'] }],
    [
      'bad-numbers',
      PATCH.replace('+10,4', '+99999999999999999999,4'),
      { file: 0, start: 2, end: 2, lines: [] },
    ],
  ])('is refused: %s', (refused, patch, suggestion) => expect(made(patch, suggestion)).toBe(refused))
})

test('ranges of the old patch are found in the new one; what was written anew is taken in whole', () => {
  const done = suggestPatch(latin(PATCH), { file: 0, start: 2, end: 2, lines: ['deux', 'trois'] })
  if ('refused' in done) throw new Error(done.refused)
  const place = (word: string) => ({ start: PATCH.indexOf(word), end: PATCH.indexOf(word) + word.length })
  const after = movedRanges(['From', 'wei', 'more', '\xfe'].map(place), done.edits)
  expect(after.map(({ start, end }) => textOf(done.bytes.subarray(start, end)))).toEqual([
    'From',
    '+deux\n+trois\n',
    'more',
    '\xfe',
  ])
})

const word = fc.oneof(
  fc.constantFrom('', 'a', 'b', '-x', '+y', ' z', '@@ -1 +1 @@', '\\ No', '\xff', 'k\u00e4se'),
  fc
    .string({ maxLength: 5 })
    .map((text) => Buffer.from(text.replace(/[\r\n]/g, '.'), 'utf8').toString('latin1')),
)
const line = fc.tuple(word, fc.constantFrom('\n', '\n', '\n', '\r\n')).map((parts) => parts.join(''))
const kind = fc.constantFrom(' ', ' ', '-', '+')
/** A file as parts: what no hunk shows, then a hunk. Hunks begin and end with a line that stays, so that git can find them. */
const parts = fc.array(
  fc.record({
    apart: fc.array(line, { minLength: 1, maxLength: 4 }),
    body: fc.array(fc.tuple(kind, line), { minLength: 1, maxLength: 9 }),
    first: line,
    last: line,
  }),
  { minLength: 1, maxLength: 3 },
)
const files = fc.record({ parts, rest: fc.array(line, { minLength: 1, maxLength: 3 }), isOpen: fc.boolean() })
const suggested = fc.record({
  hunk: fc.nat(),
  from: fc.nat(),
  length: fc.nat({ max: 4 }),
  lines: fc.array(fc.constantFrom('a', 'b', 'new', '+plus', '\\ back', 'ä', ''), { maxLength: 4 }),
})

interface Drawn {
  before: string
  after: string[]
  patch: string
  shown: number[][]
}
/** The old file, the new one line by line, the patch between them, and numbers of the new lines that each hunk shows. */
function draw({
  parts: all,
  rest,
  isOpen,
}: {
  parts: { apart: string[]; body: [string, string][]; first: string; last: string }[]
  rest: string[]
  isOpen: boolean
}): Drawn {
  const [before, after, shown]: [string[], string[], number[][]] = [[], [], []]
  let patch = patchOf('diff --git a/f b/f', '--- a/f', '+++ b/f')
  for (const [at, { apart, body, first, last }] of all.entries()) {
    before.push(...apart)
    after.push(...apart)
    const lines: [string, string][] = [[' ', first], ...body, ['+', 'always\n'], [' ', last]]
    // The last hunk may reach to the end of the file, and that may be open.
    if (at === all.length - 1 && isOpen) lines.push([' ', 'end'])
    const [old, fresh] = ['+', '-'].map((other) =>
      lines.filter(([sign]) => sign !== other).map(([, text]) => text),
    ) as [string[], string[]]
    patch += `@@ -${before.length + 1},${old.length} +${after.length + 1},${fresh.length} @@\n`
    patch += lines
      .map(([sign, text]) => sign + text + (text === 'end' ? '\n\\ No newline at end of file\n' : ''))
      .join('')
    shown.push(fresh.map((_, i) => after.length + i + 1))
    before.push(...old)
    after.push(...fresh)
  }
  if (!isOpen) {
    before.push(...rest)
    after.push(...rest)
  }
  return { before: before.join(''), after, patch, shown }
}

test('any suggestion that is taken is a patch by git’s rules, for the same file, which makes the file with those lines', () => {
  let taken = 0
  fc.assert(
    fc.property(files, suggested, (file, { hunk, from, length, lines }) => {
      const { before, after, patch, shown } = draw(file)
      const offered = shown[hunk % shown.length]!
      const start = offered[from % offered.length]!
      const end = Math.min(start + length, offered.at(-1)!)
      const bytes = latin(
        patch + patchOf('diff --git a/g b/g', '--- a/g', '+++ b/g', '@@ -1 +1 @@', '-\xff\xfe', '+\xfd'),
      )
      const done = suggestPatch(bytes, { file: 0, start, end, lines })
      if ('refused' in done) {
        expect(['not-text', 'same', 'last-line', 'nothing-left']).toContain(done.refused)
        return
      }
      taken++
      const read = readPatch(done.bytes)
      expect([read.verdict, read.problem, read.sections.length]).toEqual(['ok', null, 2])
      const applied = applyPatch(
        done.bytes,
        read,
        new Map([
          ['f', { mode: 0o100644, content: latin(before) }],
          ['g', { mode: 0o100644, content: latin('\xff\xfe\n') }],
        ]),
      )
      expect(applied.faults).toEqual([])
      const got = textOf(applied.tree!.get('f')!.content)
      const wanted = [
        ...after.slice(0, start - 1),
        ...lines.map((text) => Buffer.from(text).toString('latin1')),
        ...after.slice(end),
      ]
      const isOpen = file.isOpen && lines.length + after.length - end > 0
      const bare = (text: string): string => text.replace(/\r?\n$/, '')
      // Endings of new lines are those of the lines in whose place they stand; the test of endings looks at them.
      expect(got.split('\n').map((text) => text.replace(/\r$/, ''))).toEqual([
        ...wanted.map(bare),
        ...(isOpen ? [] : ['']),
      ])
      for (const [i, text] of after.entries()) if (i < start - 1 || i >= end) expect(got).toContain(text)
      // What hunks state of their places in the new file is so.
      const places = read.sections[0]!.hunks.flatMap((one) =>
        [...hunkLines(done.bytes, one)].flatMap(({ newLine, start: a, end: b }) =>
          newLine === null ? [] : [[newLine, textOf(done.bytes.subarray(a, b))]],
        ),
      )
      for (const [at, text] of places) expect(bare(wanted[(at as number) - 1]!)).toBe(text)
    }),
    { numRuns: 600, seed: 20261123 },
  )
  expect(taken).toBeGreaterThan(200)
})

test('git itself takes the new patch where it took the old one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'inquest-suggest-'))
  try {
    const git = (args: string[], input: Uint8Array): void =>
      void execFileSync('git', args, {
        cwd: folder,
        input,
        env: { ...process.env, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' },
      })
    const file = ['one', 'two', 'three', 'four', '5', '6', '7', '8', '9', 'ten', 'eleven', 'twelve']
      .map((text) => `${text}\n`)
      .join('')
    writeFileSync(join(folder, 'a.txt'), file)
    writeFileSync(join(folder, 'b.txt'), latin('1\n2\n3\n4\n\xff\n'))
    git(['apply', '--check', '-'], latin(PATCH))
    const done = suggestPatch(latin(PATCH), {
      file: 0,
      start: 2,
      end: 3,
      lines: ['deux', 'et demi', 'trois'],
    })
    if ('refused' in done) throw new Error(done.refused)
    git(['apply', '--check', '-'], done.bytes)
    git(['apply', '-'], done.bytes)
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe(
      file.replace('two\nthree\n', 'deux\net demi\ntrois\n').replace('ten\n', 'ten\nmore\n'),
    )
    expect(textOf(readFileSync(join(folder, 'b.txt')))).toBe('1\n2\n3\n4\n\xfe\n')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
