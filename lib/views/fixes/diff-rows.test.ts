import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { limits } from '../../limits'
import { hunkLines } from '../../judge/patches/read-hunk'
import { readPatch } from '../../judge/patches/read-patch'
import { readFileRows, type DiffRow } from './diff-rows'
import { drawHunk, sliceLines } from './drawn-lines'

const utf8 = new TextEncoder()
const rowsOf = (text: string | Uint8Array, firstLine = 1): DiffRow[] =>
  readFileRows(typeof text === 'string' ? utf8.encode(text) : text, firstLine).hunks.flatMap(
    (hunk) => hunk.rows,
  )
const patch = (body: string, counts = '-1,2 +1,2'): string =>
  `diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ ${counts} @@ function f() {\n${body}`

const corpus = new URL('../../../../shared/conformance/patches/', import.meta.url)
const recorded = existsSync(corpus)
  ? ['fixtures', 'hostile', 'real'].flatMap((folder) =>
      readdirSync(new URL(`${folder}/`, corpus))
        .filter((name) => /\.patch(\.gz)?$/.test(name))
        .map((name) => {
          const bytes = readFileSync(new URL(`${folder}/${name}`, corpus))
          return [
            `${folder}/${name}`,
            new Uint8Array(name.endsWith('.gz') ? gunzipSync(bytes) : bytes),
          ] as const
        }),
    )
  : []

/** Reads each file alone, as a browser does, and compares with the same file in its patch. */
function compareAll(name: string, bytes: Uint8Array): number {
  const sections = readPatch(bytes).sections.slice(0, 200)
  for (const section of sections) {
    const { hunks, rowsLeftOut } = readFileRows(bytes.subarray(section.start, section.end), section.line)
    const drawn = hunks.flatMap((hunk) => hunk.rows)
    const want = section.hunks.flatMap((hunk) => [...hunkLines(bytes, hunk)])
    const facts = (rows: Pick<DiffRow, 'kind' | 'oldLine' | 'newLine' | 'line'>[]) =>
      rows.map(({ kind, oldLine, newLine, line }) => ({ kind, oldLine, newLine, line }))
    expect(rowsLeftOut, name).toBe(0)
    expect(facts(drawn), name).toEqual(facts(want))
    for (const layout of ['split', 'unified'] as const) {
      const lines = hunks.flatMap((hunk) => sliceLines(drawHunk(hunk, layout, false).lines, 50)).flat()
      const ofKind = (kind: string) =>
        lines.flatMap((line) => (line.kind === kind ? [line.kind === 'context' ? line.fresh : line.row] : []))
      expect(ofKind('added'), name).toEqual(drawn.filter((row) => row.kind === 'added'))
      expect(ofKind('deleted'), name).toEqual(drawn.filter((row) => row.kind === 'deleted'))
      expect(lines.length, name).toBe(drawn.length)
    }
  }
  return sections.length
}

test('every file, read alone, has the rows that it has in its patch: names with blanks, no prefix, a mail around it', () => {
  const body = '@@ -1,3 +1,4 @@\n a\n-b\n+c\n+d\n e\n@@ -9 +10 @@\n-x\n+y\n\\ No newline at end of file\n'
  const files = [
    `diff --git a/two words.txt b/two words.txt\n--- a/two words.txt\n+++ b/two words.txt\n${body}`,
    `--- a/plain.txt\n+++ b/plain.txt\n${body}`,
    'diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n',
    'diff --git a/old b/new\nsimilarity index 100%\nrename from old\nrename to new\n',
    `diff --git "a/\\303\\244" "b/\\303\\244"\nnew file mode 100644\n--- /dev/null\n+++ "b/\\303\\244"\n@@ -0,0 +1,2 @@\n+-- a\n+++ b\n`,
  ]
  expect(compareAll('own', utf8.encode(`From: somebody\nSubject: a\n\n${files.join('')}-- \n2.39.5\n`))).toBe(
    files.length,
  )
  expect(
    compareAll(
      'no prefix',
      utf8.encode(`--- one.txt\n+++ one.txt\n${body}--- two.txt\n+++ two.txt\n${body}`),
    ),
  ).toBe(2)
})

test.skipIf(recorded.length === 0)(
  'every file of the recorded patches, read alone, has the rows that it has in its patch',
  () => {
    expect(recorded.length).toBeGreaterThan(200)
    expect(recorded.reduce((files, [name, bytes]) => files + compareAll(name, bytes), 0)).toBeGreaterThan(500)
  },
)

test('a row keeps its carriage return, says what is lossy, and where the file ends without a line feed', () => {
  const bytes = new Uint8Array([
    ...utf8.encode(patch('-old\r\n+n'.replace('+n', ''), '-1 +1')),
    ...utf8.encode('+n'),
    0xff,
    ...utf8.encode('w\n\\ No newline at end of file\n'),
  ])
  const [old, fresh] = rowsOf(bytes, 11)
  expect(old).toMatchObject({ kind: 'deleted', text: 'old\r', isLossy: false, line: 15 })
  expect(fresh).toMatchObject({ kind: 'added', text: 'n�w', isLossy: true, noNewline: true, line: 16 })
})

test('a very long line is cut between characters and says by how much', () => {
  const [row] = rowsOf(patch(`+${'é'.repeat(5_000)}\n`, '-0,0 +1'))
  expect(row!.text).toBe('é'.repeat(limits.diffLineBytesShown / 2))
  expect(row!.bytesLeftOut).toBe(10_000 - limits.diffLineBytesShown)
  const [odd] = rowsOf(patch(`+x${'é'.repeat(5_000)}\n`, '-0,0 +1'))
  expect(odd!.isLossy).toBe(false)
  expect(utf8.encode(odd!.text).length + odd!.bytesLeftOut).toBe(10_001)
})

test('split puts what was replaced side by side, unified keeps the order of the patch', () => {
  const [hunk] = readFileRows(utf8.encode(patch('-a\n-b\n+c\n+d\n')), 1).hunks
  const words = (layout: 'split' | 'unified') =>
    drawHunk(hunk!, layout, false)
      .lines.map((line) => (line.kind === 'context' ? line.fresh : line.row).text)
      .join('')
  expect(hunk!.heading).toBe('function f() {')
  expect(words('unified')).toBe('abcd')
  expect(words('split')).toBe('acbd')
})

test('ignoring white space hides only pairs that differ in nothing else, and counts them', () => {
  const [hunk] = readFileRows(
    utf8.encode(patch('-if (a)\n-  b()\n-gone\n+if(a)\n+    b()\n+c()\n', '-1,3 +1,3')),
    1,
  ).hunks
  const { lines, pairsHidden } = drawHunk(hunk!, 'unified', true)
  expect(pairsHidden).toBe(2)
  expect(
    lines.map((line) =>
      line.kind === 'context' ? `${line.old.text}|${line.fresh.text}` : `${line.kind} ${line.row.text}`,
    ),
  ).toEqual(['if (a)|if(a)', '  b()|    b()', 'deleted gone', 'added c()'])
  expect(drawHunk(hunk!, 'unified', false).pairsHidden).toBe(0)
})

test('slices never part lines that stand beside each other', () => {
  const [hunk] = readFileRows(
    utf8.encode(patch(`${'-a\n'.repeat(5)}${'+b\n'.repeat(5)}`, '-1,5 +1,5')),
    1,
  ).hunks
  const slices = sliceLines(drawHunk(hunk!, 'split', false).lines, 3)
  expect(slices.map((slice) => slice.length)).toEqual([4, 4, 2])
})
