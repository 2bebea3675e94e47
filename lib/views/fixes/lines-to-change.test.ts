import { expect, test } from 'vitest'
import { readFileRows } from './diff-rows'
import { linesToChange } from './lines-to-change'

const latin = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'))
const rows = readFileRows(
  latin(
    [
      '--- a/a',
      '+++ b/a',
      '@@ -1,5 +1,5 @@',
      ' one',
      '-two',
      '-three',
      '+zwei\r',
      '+drei',
      '+vier',
      '-four',
      ' five',
      '@@ -20,2 +21,3 @@',
      ' \xff',
      '+a\rb',
      ' long',
      '',
    ].join('\n'),
  ),
  1,
)
const NONE: ReadonlySet<number> = new Set()

test.each([
  [
    'lines of the new file, without their endings',
    { side: 'new', start: 1, end: 2 },
    { start: 1, end: 2, lines: ['one', 'zwei'] },
  ],
  [
    'those added in the place of a deleted one',
    { side: 'old', start: 2, end: 2 },
    { start: 2, end: 4, lines: ['zwei', 'drei', 'vier'] },
  ],
  [
    'the line after a deleted one that nothing took the place of',
    { side: 'old', start: 4, end: 4 },
    { start: 5, end: 5, lines: ['five'] },
  ],
  ['a line that both files have', { side: 'old', start: 1, end: 1 }, { start: 1, end: 1, lines: ['one'] }],
  ['lines of two hunks', { side: 'new', start: 5, end: 21 }, { why: 'several-hunks' }],
  ['a line that is no text', { side: 'new', start: 21, end: 21 }, { why: 'not-utf8' }],
  ['a line with a carriage return inside', { side: 'new', start: 22, end: 22 }, { why: 'carriage-return' }],
  ['nothing', null, { why: 'none-selected' }],
] as const)('%s', (_name, lines, expected) => expect(linesToChange(rows, lines, NONE)).toEqual(expected))

test('a line with a secret never gets into an editor', () => {
  expect(linesToChange(rows, { side: 'new', start: 1, end: 3 }, new Set([8]))).toEqual({
    why: 'secret',
  })
})
