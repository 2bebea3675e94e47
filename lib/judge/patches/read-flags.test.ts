import { describe, expect, test } from 'vitest'
import { FLAGS, weightOf, type FlagCode } from '../../model/flags'
import { pathFlags } from './path-flags'
import { isSafe, readFlags } from './read-flags'
import { readPatch } from './read-patch'
import { signalFlags, type FailureFacts } from './signals'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const flagsOf = (patch: string | Uint8Array, failure?: FailureFacts) => {
  const bytes = typeof patch === 'string' ? encode(patch) : patch
  return readFlags(bytes, readPatch(bytes), { failure })
}
const codes = (patch: string | Uint8Array, failure?: FailureFacts): FlagCode[] =>
  [...new Set(flagsOf(patch, failure).map(({ code }) => code))].sort()

/** A change of one file with these lines in its only hunk. */
const change = (lines: string[], { name = 'src/a.ts', header = '' } = {}): string => {
  const old = lines.filter((line) => line[0] !== '+').length
  const fresh = lines.filter((line) => line[0] !== '-').length
  return `diff --git a/${name} b/${name}\n${header}--- a/${name}\n+++ b/${name}\n@@ -1,${old} +1,${fresh} @@\n${lines.map((line) => `${line}\n`).join('')}`
}
const created = (name: string, text = 'x', mode = '100644'): string =>
  `diff --git a/${name} b/${name}\nnew file mode ${mode}\nindex 0000000..587be6b\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+${text}\n`

test('a plain change has no flag', () => {
  expect(flagsOf(change([' one', '-two', '+zwei', ' three']))).toEqual([])
})

describe('paths', () => {
  test.each<[string, FlagCode[]]>([
    ['src/a.ts', []],
    ['a/../b', ['path-traversal']],
    ['/etc/passwd', ['path-absolute']],
    ['x/.GIT/hooks/a', ['path-dotgit']],
    ['.git. /config', ['path-dotgit', 'path-shell-metacharacter', 'path-windows-reserved']],
    ['C:x', ['path-windows-drive']],
    ['a\\b', ['path-backslash', 'path-shell-metacharacter']],
    ['docs/aux.txt', ['path-windows-reserved']],
    ['nul', ['path-windows-reserved']],
    ['a/x.', ['path-windows-reserved']],
    ['a/x:y', ['path-windows-reserved']],
    ['a\x1b', ['path-control-character']],
    ['a\xff', ['path-not-utf8']],
    ['<b>', ['path-markup', 'path-shell-metacharacter']],
    ['-rf', ['path-leading-dash']],
    ['a b', ['path-shell-metacharacter']],
    ['.gitmodules', ['git-metadata-file']],
    ['x'.repeat(256), ['path-too-long']],
  ])('%j', (path, expected) => {
    expect(pathFlags(path).sort()).toEqual(expected)
  })

  test('marks of direction and letters that look alike are found in UTF-8', () => {
    const name = (text: string): string =>
      Array.from(encode(text), (byte) => String.fromCharCode(byte)).join('')
    expect([
      pathFlags(name('a\u202eb')),
      pathFlags(name('pаypal.ts')),
      pathFlags(name('день.md')),
      pathFlags(name('ü.ts')),
    ]).toEqual([['path-bidi'], ['path-confusable'], ['path-confusable'], []])
  })
})

describe('what a patch makes', () => {
  test('a link out of the repository, and a file behind a link', () => {
    const link = (target: string): string =>
      created('logs', target, '120000').replace(/\n$/, '\n\\ No newline at end of file\n')
    expect(codes(link('../../var'))).toEqual(['symlink', 'symlink-escape'])
    expect(codes(link('C:\\x'))).toContain('symlink-escape')
    expect(codes(link('inside/there'))).toEqual(['symlink'])
    expect(codes(link('inside') + created('logs/x'))).toContain('write-through-symlink')
  })
  test('modes, twins and names that clash', () => {
    expect(codes(created('a', 'x', '100755'))).toEqual(['executable-added'])
    expect(codes(created('a', 'x', '104755'))).toEqual(['executable-added', 'mode-unusual'])
    expect(codes(created('a') + created('a'))).toEqual(['duplicate-create'])
    expect(codes(created('a') + created('A'))).toEqual(['path-case-collision'])
    expect(codes(created('a') + created('a/b'))).toEqual(['path-file-directory-conflict'])
    expect(codes(change([' x', '-a', '+b']) + change([' x', '-a', '+b']))).toEqual(['duplicate-file'])
  })
})

describe('what one system reads as another', () => {
  const bytesOf = (text: string): string =>
    Array.from(encode(text), (byte) => String.fromCharCode(byte)).join('')
  const [composed, decomposed] = ['caf\u00e9.ts', 'cafe\u0301.ts'] as const

  test('paths that differ only in their Unicode form, in a folder too, and in case and form', () => {
    expect(bytesOf(composed)).not.toBe(bytesOf(decomposed))
    expect(codes(created(composed) + created(decomposed))).toEqual(['path-unicode-collision'])
    expect(codes(created(`${composed}/a`) + created(`${decomposed}/b`))).toEqual(['path-unicode-collision'])
    expect(codes(created('CAF\u00c9.ts') + created(decomposed))).toEqual(['path-unicode-collision'])
    expect(codes(created('CAF\u00c9.ts') + created(composed))).toEqual(['path-case-collision'])
    expect(codes(created(composed) + created('cafe.ts'))).toEqual([])
  })

  test('a file of the base in another Unicode form', () => {
    const bytes = encode(created(composed))
    const tree = new Map([[bytesOf(decomposed), { mode: 0o100644, bytes: encode('x\n') }]])
    const flags = readFlags(bytes, readPatch(bytes), { base: { tree: tree as never, applied: [null] } })
    expect(flags.map(({ code }) => code)).toEqual(['path-unicode-collision'])
  })

  test('hunk numbers that git wraps', () => {
    const at = (range: string): string =>
      `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ ${range} @@\n a\n-b\n+c\n d\n`
    expect(codes(at('-4294967297,3 +4294967297,3'))).toContain('hunk-number-out-of-range')
    expect(codes(at('-1,3 +99999999999999999999,3'))).toContain('hunk-number-out-of-range')
    expect(codes(at('-2147483647,3 +1,3'))).toContain('hunk-number-out-of-range')
    expect(codes(at('-2147483000,3 +2147483000,3'))).toEqual([])
    expect(isSafe(flagsOf(at('-4294967297,3 +4294967297,3')))).toBe(false)
  })

  test('a NUL in a path, as it is or quoted', () => {
    for (const patch of [
      created('a.ts\0.txt'),
      created('a.ts').replaceAll('b/a.ts', '"b/a.ts\\000.txt"'),
      '--- a/x\0y\n+++ b/x\0y\n@@ -1 +1 @@\n-a\n+b\n',
      'diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\0z\n',
    ])
      expect(codes(patch), JSON.stringify(patch)).toContain('path-nul')
    expect(codes(created('a.ts', 'x\0y'))).toEqual(['nul-byte'])
    expect(codes(created('a.ts').replaceAll('b/a.ts', '"b/a\\\\000.ts"'))).not.toContain('path-nul')
  })

  test('the mode of a folder', () => {
    expect(codes(created('a', 'x', '040000'))).toEqual(['mode-directory'])
    expect(isSafe(flagsOf(created('a', 'x', '40000')))).toBe(false)
  })
})

describe('structure', () => {
  test('a notice of dropped bytes in front is damage; the same words elsewhere, or without a number, are none', () => {
    const plain = change([' one', '-two', '+[dropped 12 leading bytes]', ' three'])
    expect(codes(plain)).toEqual([])
    expect(codes(`[async-pipeline] 4096 leading bytes dropped\nrest of a line\n${plain}`)).toEqual([
      'content-head-lost',
      'surrounding-text',
    ])
    expect(codes('[dropped 12 leading bytes]\n+rest\n')).toEqual(['content-head-lost', 'not-a-unified-diff'])
    expect(codes(`Subject: keep dropped bytes\n\n${plain}`)).toEqual(['surrounding-text'])
  })
  test('lines behind the stated count, which git ignores and a reader would see, are blocked', () => {
    const hidden = `${change([' one', '-two', '+zwei', ' three'])}+audit()\n`
    expect([readPatch(encode(hidden)).verdict, codes(hidden)]).toEqual([
      'ok',
      ['hunk-count-mismatch', 'surrounding-text'],
    ])
    expect(codes(`${change([' one', '-two', '+zwei', ' three'])}-- \n2.39.5\n`)).toEqual(['surrounding-text'])
  })
  test('names that disagree, headers in words, cut hunks, no patch at all', () => {
    expect(codes(change([' a', '-b', '+c']).replace('+++ b/src/a.ts', '+++ b/src/b.ts'))).toContain(
      'header-mismatch',
    )
    expect(
      codes('diff --git a/x b/x\nindex 1111111..2222222 100644\n--- a/x\n+++ b/x\n@@ ... @@\n-a\n+b\n'),
    ).toContain('hunk-header-malformed')
    expect(codes(change([' a', '-b', '+c', ' d']).replace('-1,3 +1,3', '-1,9 +1,9'))).toContain(
      'truncated-hunk',
    )
    expect(codes('please apply this')).toEqual(['no-final-newline', 'not-a-unified-diff'])
    expect(codes('')).toEqual(['not-a-unified-diff'])
    expect(codes(change([' a', '-b', '+c']).replace('-1,2 +1,2', '-1,2 +1,3'))).toContain(
      'hunk-count-mismatch',
    )
  })
  test('transport that changed the patch is told', () => {
    expect(codes(change([' a', '-b', '+c']).replaceAll('\n', '\r\n'))).toContain('crlf-mangled')
    expect(codes(`\ufeff${change([' a', '-b', '+c'])}`)).toContain('byte-order-mark')
    expect(codes(`Here it is:\n${change([' a', '-b', '+c'])}`)).toContain('surrounding-text')
    expect(codes(change(['', '-b', '+c']))).toContain('blank-context-line')
  })
})

test('what stands in lines is told with the line, once for each, and the rest is counted', () => {
  const lines = (text: string) => codes(change([' a', `+${text}`]))
  expect(lines('a\u202eb')).toEqual(['content-bidi'])
  expect(lines('a\u200bb')).toEqual(['content-invisible'])
  expect(lines('a\x1b[2Jb')).toEqual(['content-escape-sequence'])
  expect(lines('a\rb')).toEqual(['content-lone-cr'])
  expect(lines('a\0b')).toEqual(['nul-byte'])
  expect(lines('a\ufffdb')).toEqual(['content-replacement-character'])
  expect(lines('key = "[redacted]"')).toEqual(['content-redacted'])
  expect(lines('x'.repeat(20_001))).toEqual(['line-too-long'])
  expect(lines('grüße, 世界')).toEqual([])
  const latin1 = new Uint8Array([
    ...encode(change([' a', '+b?'])).map((byte) => (byte === 0x3f ? 0xe9 : byte)),
  ])
  expect(codes(latin1)).toEqual(['content-not-utf8'])
  const many = flagsOf(change([' a', ...Array.from({ length: 30 }, (_, i) => `+${i}\u200b`)]))
  expect([many.length, many[0]!.lines, many.at(-1)!.detail]).toEqual([
    20,
    { start: 6, end: 6 },
    { id: 'more_lines', params: { count: 10, inFile: true } },
  ])
})

test('a line that is said to end the file and does not is told, however many markers there are', () => {
  const marked = change([' a', '+b', '+c']).replace('+b\n', '+b\n\\ No newline at end of file\n')
  expect(codes(marked)).toEqual(['misplaced-no-newline-marker'])
  expect(
    codes(
      change([' a', '-b', '+c'])
        .replace(/\n$/, '\n\\ No newline at end of file\n')
        .replace('-b\n', '-b\n\\ No newline at end of file\n'),
    ),
  ).toEqual([])
})

describe('signals', () => {
  const signals = (patch: string, failure?: FailureFacts): string[] => {
    const bytes = encode(patch)
    return [
      ...new Set(
        signalFlags(bytes, readPatch(bytes), failure).map((flag) => `${flag.code} ${weightOf(flag)}`),
      ),
    ].sort()
  }
  test.each<[string, string, string[]]>([
    ['a skipped test', change([' a', "+it.skip('x', () => {})"]), ['skip-added high']],
    ['a comment that silences', change([' a', '+x() // eslint-disable-line']), ['suppression-added high']],
    [
      'a masked exit status',
      change([' a', '+npm test || true'], { name: 'ci.sh' }),
      ['exit-code-masked high'],
    ],
    [
      'assertions that go',
      change([' a', '-expect(a).toBe(1)', '-expect(b).toBe(2)', '+expect(a).toBe(1)']),
      ['assertions-net-removed high'],
    ],
    [
      'an assertion that asks less',
      change([' a', '-expect(a).toEqual(1)', '+expect(a).toBeTruthy()']),
      ['assertion-loosened high'],
    ],
    [
      'a limit that is raised',
      change([' a', '-  timeout: 500,', '+  timeout: 5000,']),
      ['assertion-loosened high'],
    ],
    ['a limit that is lowered', change([' a', '-  timeout: 5000,', '+  timeout: 500,']), []],
    ['nothing but a test', change([' a', '+b'], { name: 'src/a.test.ts' }), ['only-tests high']],
    [
      'a snapshot',
      change([' a', '+b'], { name: 'x/__snapshots__/a.snap' }) + change([' a', '+b']),
      ['snapshot-changed medium'],
    ],
    ['a lock file alone', change([' a', '+b'], { name: 'package-lock.json' }), ['lockfile-changed high']],
    [
      'a lock file with its manifest',
      change([' a', '+b'], { name: 'package-lock.json' }) + change([' a', '+b'], { name: 'package.json' }),
      ['lockfile-changed medium'],
    ],
    [
      'a CI file',
      change([' a', '+b'], { name: '.github/workflows/ci.yml' }),
      ['check-config-changed high', 'ci-config-changed high'],
    ],
    [
      'a linter’s settings',
      change([' a', '+b'], { name: 'web/eslint.config.mjs' }),
      ['check-config-changed high'],
    ],
  ])('%s', (_what, patch, expected) => {
    expect(signals(patch)).toEqual(expected)
  })
  test('what only the failure can tell is judged where it is known, and not otherwise', () => {
    const test =
      change([' a', '+b'], { name: 'test/cart.test.ts' }) +
      change([' a', '+if (name === "Ümlaut & Söhne") return 3'])
    expect(signals(test)).toEqual([])
    expect(
      signals(test, { text: 'FAIL test/cart.test.ts: expected "Ümlaut & Söhne"', inputs: ['lib/**'] }),
    ).toEqual(['outside-declared-inputs medium', 'special-cased-input medium', 'touches-failing-check high'])
    expect(signals(test, { text: 'boom', inputs: ['src/*.ts', 'test'] })).toEqual([])
  })
  test('a large patch for one task is told', () => {
    expect(signals(change([' a', ...Array.from({ length: 401 }, (_, i) => `+${i}`)]))).toEqual([
      'larger-than-failure low',
    ])
  })
})

test('what blocks comes first, and makes a patch unsafe', () => {
  const flags = flagsOf(created('../x', 'a\u200bb', '100755'))
  expect([
    weightOf(flags[0]!),
    isSafe(flags),
    isSafe(flags.filter(({ code }) => FLAGS[code].weight !== 'blocking')),
  ]).toEqual(['blocking', false, true])
})
