import { createTwoFilesPatch } from 'diff'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limits } from '../../limits'
import { applyPatch } from '@/scripts/conformance/reference/apply-patch'
import { readPatch } from '../../judge/patches/read-patch'
import { type Interdiff, readInterdiff } from './interdiff'
import type { PatchPart } from './patched-lines'

const utf8 = new TextEncoder()
const part = (text: string, firstLine = 1): PatchPart => ({ bytes: utf8.encode(text), firstLine })
const patchOf = (before: string, after: string, context = 3): string =>
  createTwoFilesPatch('a/f', 'b/f', before, after, undefined, undefined, { context })

/** What our own applying makes of the base; null where the patch does not apply. */
function applied(base: string, patch: string): string | null {
  const bytes = utf8.encode(patch)
  const { tree } = applyPatch(
    bytes,
    readPatch(bytes),
    new Map([['f', { mode: 0o100644, content: utf8.encode(base) }]]),
  )
  return tree && new TextDecoder().decode(tree.get('f')!.content)
}

/** The file after the earlier version, changed as the interdiff says, each line at its place. */
function changed(text: string, { hunks }: Interdiff): string {
  const lines = text.split(/(?<=\n)/)
  let moved = 0
  const drawn = (row: { text: string; noNewline: boolean }): string =>
    `${row.text}${row.noNewline ? '' : '\n'}`
  for (const { oldStart, oldLines, newStart, rows } of hunks) {
    const old = rows.filter((row) => row.kind !== 'added')
    const fresh = rows.filter((row) => row.kind !== 'deleted')
    const at = oldLines === 0 ? newStart - 1 : oldStart - 1 + moved
    expect(lines.slice(at, at + old.length)).toEqual(old.map(drawn))
    expect([old.map((row) => row.oldLine! - 1 + moved), fresh.map((row) => row.newLine! - 1)]).toEqual([
      old.map((_, i) => at + i),
      fresh.map((_, i) => at + i),
    ])
    lines.splice(at, old.length, ...fresh.map(drawn))
    moved += fresh.length - old.length
  }
  return lines.join('')
}

const line = fc.constantFrom('', 'a', 'b', 'b', 'käse', '}', '\tx', 'y\r', '-1', '+2', '@@ -1 +1 @@')
const edits = fc.array(fc.tuple(fc.nat(40), fc.nat(2), fc.array(line, { maxLength: 3 })), { maxLength: 4 })
const files = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 40 }), edits, edits, fc.boolean(), fc.boolean())
  .map(([base, one, two, closed, opens]) => {
    const edited = (list: typeof one): string[] => {
      const lines = [...base]
      for (const [at, gone, come] of list) lines.splice(at % (lines.length + 1), gone, ...come)
      return lines
    }
    const text = (lines: string[], isClosed: boolean): string =>
      lines.length === 0 ? '' : lines.join('\n') + (isClosed ? '\n' : '')
    return [text(base, closed), text(edited(one), closed), text(edited(two), closed !== opens)] as const
  })

test('the file after the earlier version, changed as the interdiff says, is the file after the later one', () => {
  fc.assert(
    fc.property(
      files,
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 4 }),
      ([base, one, two], contextA, contextB) => {
        const [a, b] = [patchOf(base, one, contextA), patchOf(base, two, contextB)]
        const partOf = (patch: string, to: string): PatchPart | null => (to === base ? null : part(patch))
        fc.pre(one === base || applied(base, a) === one)
        fc.pre(two === base || applied(base, b) === two)
        const found = readInterdiff(partOf(a, one), partOf(b, two))
        expect([found.refusal, found.basesDiffer, found.isCoarse]).toEqual([null, false, false])
        expect(changed(one, found)).toBe(two)
        expect(readInterdiff(partOf(a, one), partOf(a, one)).hunks).toEqual([])
      },
    ),
    { numRuns: 500 },
  )
})

const BASE = Array.from({ length: 30 }, (_, i) => `line ${i + 1}\n`).join('')
const put = (changes: Record<number, string>): string =>
  BASE.replace(/line (\d+)\n/g, (all, number: string) => changes[Number(number)] ?? all)
const shown = ({ hunks }: Interdiff): string[] =>
  hunks.flatMap(({ rows }) =>
    rows
      .filter(({ kind }) => kind !== 'context')
      .map(
        ({ kind, oldLine, newLine, text }) => `${kind === 'added' ? '+' : '-'}${oldLine ?? newLine} ${text}`,
      ),
  )

test('only what both versions make otherwise is shown, with the numbers that lines have after each of them', () => {
  const a = part(patchOf(BASE, put({ 3: 'three\nand more\n', 20: 'twenty\n' })), 10)
  const b = part(patchOf(BASE, put({ 3: 'three\n', 20: 'twenty\n', 29: '' })))
  const found = readInterdiff(a, b)
  expect(shown(found)).toEqual(['-4 and more', '-30 line 29'])
  expect(
    found.hunks.map(({ oldStart, oldLines, newStart, newLines }) => [oldStart, oldLines, newStart, newLines]),
  ).toEqual([
    [1, 7, 1, 6],
    [27, 5, 26, 4],
  ])
  const numbers = found.hunks.flatMap(({ rows }) => rows.map((row) => row.line))
  expect(numbers).toEqual(numbers.map((_, i) => i + 1))
  const gone = found.hunks[0]!.rows.find(({ kind }) => kind === 'deleted')!
  expect(found.origins.get(gone.line)).toEqual({ earlier: 18, later: null })
})

test('a file that only one version has is shown with all its lines, against the base', () => {
  const only = part(patchOf(BASE, put({ 3: 'three\n' })))
  expect([shown(readInterdiff(null, only)), shown(readInterdiff(only, null))]).toEqual([
    ['-3 line 3', '+3 three'],
    ['-3 three', '+3 line 3'],
  ])
  const fresh = part(
    'diff --git a/f b/f\nnew file mode 100644\n--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+one\n+two\n',
  )
  const other = part(
    'diff --git a/f b/f\nnew file mode 100644\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+two\n',
  )
  expect([shown(readInterdiff(fresh, null)), shown(readInterdiff(fresh, other))]).toEqual([
    ['-1 one', '-2 two'],
    ['-1 one'],
  ])
})

test('lines of the base that are not the same are told', () => {
  const moved = part(patchOf(`new first line\n${BASE}`, `new first line\n${put({ 4: 'four\n' })}`))
  expect(readInterdiff(part(patchOf(BASE, put({ 4: 'four\n' }))), moved).basesDiffer).toBe(true)
})

test('hunks that lie over each other are not compared, and lines that differ in bytes that are not shown do differ', () => {
  const hunk = '@@ -1,2 +1,2 @@\n-a\n+b\n c\n'
  const twice = part(`--- a/f\n+++ b/f\n${hunk}${hunk}`)
  expect(readInterdiff(twice, null).refusal).toEqual({ version: 'earlier', why: 'out-of-order' })
  const long = (end: string): PatchPart =>
    part(`--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+${'x'.repeat(limits.diffLineBytesShown)}${end}\n`)
  expect(
    readInterdiff(long('1'), long('2')).hunks[0]!.rows.map(({ kind, bytesLeftOut }) => [kind, bytesLeftOut]),
  ).toEqual([
    ['deleted', 1],
    ['added', 1],
  ])
})

test('a place in which very much differs stands whole, and a file that is very long is not compared', () => {
  const added = (word: string, count: number): PatchPart =>
    part(
      `--- /dev/null\n+++ b/f\n@@ -0,0 +1,${count} @@\n${Array.from({ length: count }, (_, i) => `+${i === 0 ? 'same' : `${word} ${i}`}\n`).join('')}`,
    )
  const found = readInterdiff(added('one', limits.interdiffEditsMax), added('two', limits.interdiffEditsMax))
  expect([found.isCoarse, found.hunks[0]!.rows[0]!.kind, found.hunks[0]!.rows.length]).toEqual([
    true,
    'context',
    2 * limits.interdiffEditsMax - 1,
  ])
  expect(readInterdiff(null, added('one', limits.diffRowsMax + 1)).refusal).toEqual({
    version: 'later',
    why: 'too-long',
  })
})
