import { describe, expect, test } from 'vitest'
import type { FlagCode } from '../../model/flags'
import { isSafe, readFlags } from './read-flags'
import { readPatch } from './read-patch'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const flagsOf = (patch: string) => {
  const bytes = encode(patch)
  return readFlags(bytes, readPatch(bytes))
}
const codes = (patch: string): FlagCode[] => [...new Set(flagsOf(patch).map(({ code }) => code))].sort()

const GOOD = 'diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,3 @@\n a\n+b\n c\n'
const MESSAGE =
  'From 1234567890123456789012345678901234567890 Mon Sep 17 00:00:00 2001\nFrom: A <a@example.invalid>\nSubject: [PATCH] x\n\nWhy:\n- it failed\n'

describe('what stands behind the last stated line of a hunk', () => {
  test.each<[string, string]>([
    ['a blank line, then a line that is added', '\n+evil()\n'],
    ['a line of one blank', ' \n+evil()\n'],
    ['a line of a tab', '\t\n+evil()\n'],
    ['a line of a carriage return', '\r\n+evil()\n'],
    ['a comment of SQL that is deleted', '--- drop table\n'],
    ['two names without a hunk', '--- x\n+++ y\n'],
    ['what looks like a signature', '-- \n+evil()\n'],
    ['a signature that lost its blank', '--\n+evil()\n'],
    ['a header of a hunk that git cannot read', '\n@@ -x,3 +9 @@\n+evil()\n'],
    ['words, then a line that is added', 'and so on\n+evil()\n'],
    ['a second mark of a missing line feed', '\n\\ No newline at end of file\n'],
    ['a message of a mail that adds', `-- \n2.39.5\n\n${MESSAGE}+evil()\n`],
  ])('%s is blocked', (_what, tail) => {
    const bytes = encode(GOOD + tail)
    expect([readPatch(bytes).verdict, codes(GOOD + tail)]).toEqual([
      'ok',
      expect.arrayContaining(['hunk-count-mismatch', 'surrounding-text']),
    ])
    expect(isSafe(flagsOf(GOOD + tail))).toBe(false)
  })
  test('the first such line is pointed at', () => {
    expect(
      flagsOf(`${GOOD}\nso\n+evil()\n+more()\n`).filter(({ code }) => code === 'hunk-count-mismatch'),
    ).toMatchObject([{ file: 0, lines: { start: 10, end: 10 } }])
  })
  test.each<[string, string]>([
    ['a signature', '-- \n2.39.5\n\n'],
    [
      'the next message of a mailbox',
      `-- \n2.39.5\n\n${MESSAGE}---\n src/a.ts | 1 +\n 1 file changed, 1 insertion(+)\n\n${GOOD.replaceAll('a.ts', 'b.ts')}-- \n2.39.5\n`,
    ],
    ['the end of a fence and a list', '```\n\nWhat I did:\n- mended it\n'],
    ['blank lines', '\n\n'],
  ])('%s is safe', (_what, tail) => {
    expect(codes(GOOD + tail).filter((code) => code !== 'surrounding-text')).toEqual([])
  })
  test('a line that a hunk without a header follows is told though git reads no further', () => {
    expect(codes(`${GOOD}+evil()\n@@ -9 +10 @@\n-q\n+w\n`)).toEqual([
      'hunk-count-mismatch',
      'not-a-unified-diff',
    ])
  })
})

describe('a combined diff beside a good section', () => {
  const COMBINED =
    'diff --cc x.ts\nindex 111,222..333\n--- a/x.ts\n+++ b/x.ts\n@@@ -1,1 -1,1 +1,2 @@@\n  a\n++evil()\n'
  test('is found behind it, and before it', () => {
    expect([codes(GOOD + COMBINED), codes(COMBINED + GOOD)]).toEqual([
      ['combined-diff', 'surrounding-text'],
      ['combined-diff', 'surrounding-text'],
    ])
  })
  test('is not found where a message of a mail speaks of one', () => {
    expect(codes(`${MESSAGE}\ndiff --cc x was what I saw\n---\n\n${GOOD}`)).toEqual(['surrounding-text'])
  })
})

test('marks that hide in what git passes over and in headings of hunks are told', () => {
  expect(codes(`\u202eevil\n${GOOD}`)).toEqual(['content-bidi', 'surrounding-text'])
  expect(codes(`${GOOD}a\u200bb\n`)).toEqual(['content-invisible', 'surrounding-text'])
  expect(codes(GOOD.replace('+1,3 @@', '+1,3 @@ \u202eevil'))).toEqual(['content-bidi'])
  expect(codes(`\ufeff\n${GOOD}`)).toEqual(['byte-order-mark', 'surrounding-text'])
})

test('text far behind blank lines surrounds a patch too', () => {
  expect(codes(`${GOOD}${'\n'.repeat(5_000)}please apply\n`)).toEqual(['surrounding-text'])
})

test('a backspace hides what stands before it, and pictures that are joined hide nothing', () => {
  const adds = (text: string): FlagCode[] => codes(GOOD.replace('+b', `+${text}`))
  expect(adds('evil()\b\b\b\b\b\bsafe()')).toEqual(['content-escape-sequence'])
  expect([adds('👩‍👩‍👧 ❤️ 👩🏽‍💻'), adds('a\u200db'), adds('a\u{e0100}b'), adds('葛\u{e0100}')]).toEqual([
    [],
    ['content-invisible'],
    ['content-invisible'],
    [],
  ])
})

test('a carriage return at the end of a hunk’s header alone is damage', () => {
  expect(codes(GOOD.replace('+1,3 @@', '+1,3 @@\r'))).toEqual(['crlf-mangled'])
})

test('a hunk without context is placed by its number, unless it may be the whole of a small file', () => {
  const hunk = (...headers: string[]): FlagCode[] =>
    codes(`diff --git a/v b/v\n--- a/v\n+++ b/v\n${headers.join('')}`)
  expect(hunk('@@ -1 +1 @@\n-1.0\n+1.1\n')).toEqual([])
  expect(hunk('@@ -0,0 +1 @@\n+1.1\n')).toEqual([])
  expect(hunk('@@ -3 +3 @@\n-1.0\n+1.1\n')).toEqual(['zero-context'])
  expect(hunk('@@ -1,0 +2 @@\n+1.1\n')).toEqual(['zero-context'])
  expect(
    flagsOf('diff --git a/v b/v\n--- a/v\n+++ b/v\n@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-a\n+b\n').map(
      ({ code, lines }) => [code, lines!.start],
    ),
  ).toEqual([
    ['zero-context', 4],
    ['zero-context', 7],
  ])
})
