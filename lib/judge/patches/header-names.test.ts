import { describe, expect, test } from 'vitest'
import type { FlagCode } from '../../model/flags'
import { gitLineSays } from './names'
import { pathFlags } from './path-flags'
import { readFlags } from './read-flags'
import { readPatch } from './read-patch'
import { strtoul } from './strtoul'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const codes = (patch: string): FlagCode[] => {
  const bytes = encode(patch)
  return [...new Set(readFlags(bytes, readPatch(bytes)).map(({ code }) => code))].sort()
}
const HUNK = '@@ -1,2 +1,3 @@\n a\n+b\n c\n'
const named = (line: string, before: string, after: string): string =>
  `diff --git ${line}\n--- ${before}\n+++ ${after}\n${HUNK}`
const moved = (line: string, before: string, after: string): string =>
  `diff --git ${line}\nsimilarity index 100%\nrename from ${before}\nrename to ${after}\n`
const deleted = (name: string, line = `a/${name} b/${name}`): string =>
  `diff --git ${line}\ndeleted file mode 100644\n--- a/${name}\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n`
const created = (name: string): string =>
  `diff --git a/${name} b/${name}\nnew file mode 100644\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+x\n`

describe('a git line that names other files than git goes by', () => {
  test.each<[string, string]>([
    ['of a change', named('a/docs/x.md b/docs/y.md', 'a/src/a.ts', 'b/src/a.ts')],
    ['of a rename', moved('a/docs/x.md b/docs/y.md', 'src/a.ts', 'src/b.ts')],
    ['of a rename, one name twice', moved('a/docs/x.md b/docs/x.md', 'src/a.ts', 'src/b.ts')],
    ['of a deletion', deleted('src/a.ts', 'a/docs/x.md b/docs/y.md')],
  ])('%s is told', (_what, patch) => {
    expect([readPatch(encode(patch)).verdict, codes(patch)]).toEqual(['ok', ['header-mismatch']])
  })
  test.each<[string, string, FlagCode[]]>([
    ['a rename', moved('a/src/a.ts b/src/b.ts', 'src/a.ts', 'src/b.ts'), []],
    ['names with blanks', moved('a/x b/y b/x b/z', 'x b/y', 'x b/z'), ['path-shell-metacharacter']],
    [
      'quoted names',
      moved('"a/t\\tt" "b/\\303\\244"', '"t\\tt"', '"\\303\\244"'),
      ['path-control-character', 'path-shell-metacharacter'],
    ],
    ['one quoted name', moved('a/x "b/\\303\\244"', 'x', '"\\303\\244"'), []],
    ['prefixes of other letters', named('i/src/a.ts w/src/a.ts', 'i/src/a.ts', 'w/src/a.ts'), []],
    ['line ends of another system', named('a/x b/x\r', 'a/x\r', 'b/x\r'), ['crlf-mangled']],
    ['a new file', created('src/a.ts'), []],
    ['slashes that are one', named('a/x//y b/x//y', 'a/x//y', 'b/x//y'), []],
    ['a rename without prefixes', moved('src/a.ts src/b.ts', 'src/a.ts', 'src/b.ts'), ['no-prefix']],
  ])('%s is none', (_what, patch, expected) => {
    expect([readPatch(encode(patch)).verdict, codes(patch)]).toEqual(['ok', expected])
  })
  test('a line is parted in one way or another, and not in any', () => {
    const says = (line: string, before: string, after: string): boolean => gitLineSays(line, 1, before, after)
    expect([
      says('a/b c/d b/e\n', 'b', 'd b/e'),
      says('a/b c/d b/e\n', 'b c/d', 'e'),
      says('a/b c/d b/e\n', 'b', 'e'),
      says('a/bb/x\n', 'b', 'x'),
    ]).toEqual([true, true, false, false])
  })
})

describe('names without a git line', () => {
  const plain = (name: string): string => `--- ${name}\n+++ ${name}\n${HUNK}`
  test('that are the same before a folder is taken off have no prefix', () => {
    expect([
      codes(plain('src/a.ts')),
      codes(plain('a.ts')),
      codes(`--- a/src/a.ts\n+++ b/src/a.ts\n${HUNK}`),
    ]).toEqual([['no-prefix'], [], []])
  })
  test('are judged as they are written too', () => {
    expect([
      codes(plain('/etc/passwd')),
      codes(`--- ../x.ts\n+++ b/x.ts\n${HUNK}`),
      codes(`--- C:/x.ts\n+++ b/x.ts\n${HUNK}`),
    ]).toEqual([['no-prefix', 'path-absolute'], ['path-traversal'], ['path-windows-drive']])
  })
})

describe('numbers of a header', () => {
  const read = (text: string, radix: 8 | 10): string | null =>
    strtoul(encode(text), 0, radix)?.value.toString(radix) ?? null
  test('are read as C reads them: white space, a sign, no more than 64 bits', () => {
    expect(
      [
        '+100644',
        '\r\n\v\f 100644',
        '-1',
        '-18446744073709551615',
        '18446744073709551616',
        '-18446744073709551616',
        '',
        '+',
        ' x',
        '007',
      ].map((text) => read(text, 10)),
    ).toEqual([
      '100644',
      '100644',
      '18446744073709551615',
      '1',
      '18446744073709551615',
      '18446744073709551615',
      null,
      null,
      null,
      '7',
    ])
    expect([read('100648', 8), read(`${'0'.repeat(40)}17`, 8), read('7777777777777777777777', 8)]).toEqual([
      '10064',
      '17',
      '1777777777777777777777',
    ])
  })
  test('a mode that git takes is taken, with its 32 bits', () => {
    const modes = (lines: string): unknown => {
      const { verdict, sections } = readPatch(encode(`diff --git a/x b/x\n${lines}`))
      return [verdict, sections[0]?.oldMode.toString(8), sections[0]?.newMode.toString(8)]
    }
    expect(modes('old mode +100644\nnew mode \t100755\n')).toEqual(['ok', '100644', '100755'])
    expect(modes('new file mode \r100644\nindex 0000000..e69de29\n')).toEqual(['ok', '0', '100644'])
    expect(modes('index 1234567..89abcde -100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n a\n+b\n c\n')).toEqual([
      'ok',
      '37777677134',
      '0',
    ])
    expect(modes('old mode \n100644\nnew mode 100755\n')).toEqual(['ok', '100644', '0'])
    expect(modes('old mode 100644x\nnew mode 100755\n')).toEqual(['error', undefined, undefined])
  })
})

describe('what paths hide', () => {
  const bytes = (text: string): string =>
    Array.from(encode(text), (byte) => String.fromCharCode(byte)).join('')
  test('a folder of git with characters that a system leaves out, and any character that is not seen', () => {
    expect([
      pathFlags(bytes('.g\u200cit/config')),
      pathFlags(bytes('a\u200bb')),
      pathFlags(bytes('👩‍💻.md')),
    ]).toEqual([['path-dotgit', 'path-control-character'], ['path-control-character'], []])
  })
})

describe('sections against each other', () => {
  test('a file that has gone is not changed or deleted again, and may be made again', () => {
    const changed = 'diff --git a/q b/q\n--- a/q\n+++ b/q\n@@ -1,2 +1,3 @@\n a\n+b\n c\n'
    expect([
      codes(deleted('q') + changed),
      codes(deleted('q') + deleted('q')),
      codes(deleted('q') + created('q')),
      codes(changed + deleted('q')),
    ]).toEqual([['duplicate-file'], ['duplicate-file'], [], ['duplicate-file']])
    expect(codes(moved('a/x b/y', 'x', 'y') + moved('a/y b/x', 'y', 'x'))).toEqual([])
  })
  test('folders that differ in case alone are one on some systems', () => {
    expect([
      codes(created('A/x') + created('a/y')),
      codes(created('src/A/x') + created('lib/a/y')),
      codes(created('É/x') + created('é/y')),
    ]).toEqual([['path-case-collision'], [], ['path-case-collision']])
  })
  test('a file below files is told of the nearest', () => {
    expect(codes(created('a') + created('a-b') + created('a/b/c') + created('a/b'))).toEqual([
      'path-file-directory-conflict',
    ])
  })
})
