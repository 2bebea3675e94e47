import { createTwoFilesPatch } from 'diff'
import { expect, test } from 'vitest'
import { type FileRows, readFileRows } from './diff-rows'
import { keptLines } from './kept-lines'
import { openByVersion, threadsOf } from './threads'
import type { FixComment } from '../../model/fix'

const BASE = Array.from({ length: 40 }, (_, i) => (i % 10 === 5 ? '}\n' : `line ${i + 1}\n`)).join('')
const rowsOf = (changes: Record<number, string>): FileRows => {
  const after = BASE.split('\n')
    .map((line, i) => changes[i + 1] ?? line)
    .join('\n')
  return readFileRows(new TextEncoder().encode(createTwoFilesPatch('a/f', 'b/f', BASE, after)), 1)
}
const at = (side: 'old' | 'new', start: number, end = start) => ({ side, start, end })

test('a line that the newer patch still has is found at its new place, on its own side', () => {
  const before = rowsOf({ 4: 'four' })
  const later = rowsOf({ 2: 'two\nand more', 4: 'four' })
  expect(keptLines(at('new', 4), before, later)).toMatchObject({
    quote: [{ text: 'four' }],
    lines: at('new', 5),
  })
  expect(keptLines(at('old', 4), before, later)).toMatchObject({
    quote: [{ text: 'line 4' }],
    lines: at('old', 4),
  })
  expect(keptLines(at('new', 3, 4), before, later).lines).toEqual(at('new', 4, 5))
  expect(keptLines(at('new', 3, 4), before, rowsOf({ 3: 'three', 4: 'four' })).lines).toBeNull()
})

test('a line that is gone, came from the base or is in no hunk is not kept; what is known of it is quoted', () => {
  const before = rowsOf({ 4: 'four' })
  expect(keptLines(at('new', 4), before, rowsOf({ 4: 'FOUR' }))).toMatchObject({
    quote: [{ text: 'four' }],
    lines: null,
  })
  expect(keptLines(at('new', 4), before, null)).toMatchObject({ quote: [{ text: 'four' }], lines: null })
  expect(keptLines(at('new', 4), rowsOf({ 4: 'line 30' }), rowsOf({ 31: 'x' })).lines).toBeNull()
  expect(keptLines(at('new', 39), before, before)).toEqual({ quote: [], lines: null })
})

test('of equal lines the nearest in the base is the one, and a line of signs only where it stood', () => {
  const twice = rowsOf({ 4: 'same', 24: 'same' })
  expect(keptLines(at('new', 24), twice, rowsOf({ 3: 'x\ny', 4: 'same', 24: 'same' })).lines).toEqual(
    at('new', 25),
  )
  expect(
    keptLines(at('new', 24), twice, rowsOf({ 3: `${'more\n'.repeat(20)}line 3`, 4: 'same', 24: 'same' }))
      .lines,
  ).toEqual(at('new', 44))
  expect(keptLines(at('new', 6), rowsOf({ 5: 'x' }), rowsOf({ 5: 'y' })).lines).toEqual(at('new', 6))
  expect(keptLines(at('new', 6), rowsOf({ 5: 'x' }), rowsOf({ 25: 'y' })).lines).toBeNull()
})

test('a line of which a part is not held is not known to be kept', () => {
  const long = rowsOf({ 4: 'x'.repeat(5_000) })
  expect(keptLines(at('new', 4), long, long).lines).toBeNull()
})

test('open threads are counted by version; one that was withdrawn or resolved is not', () => {
  const comment = (thread: string, ordinal: number, more: Partial<FixComment> = {}): FixComment => ({
    id: thread,
    thread,
    fix: 'f',
    ordinal,
    kind: 'comment',
    by: 'ana',
    isMine: false,
    at: '',
    text: 'x',
    sha256: '',
    file: null,
    path: null,
    side: null,
    lineStart: null,
    lineEnd: null,
    ...more,
  })
  const list = [
    comment('1', 3),
    comment('2', 1),
    comment('3', 1),
    comment('4', 1, { text: null }),
    comment('5', 2),
    comment('5', 2, { kind: 'resolve' }),
  ]
  expect(openByVersion(threadsOf(list))).toEqual([
    { version: 1, open: 2 },
    { version: 3, open: 1 },
  ])
})
