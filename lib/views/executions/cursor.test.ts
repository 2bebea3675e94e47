import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatCursor, parseCursor } from './cursor'

test('a cursor reads back, and needs no escaping in an address', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 40 }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
      (at, id) => {
        const text = formatCursor({ at, id })
        expect(text).toMatch(/^[A-Za-z0-9_-]+$/)
        expect(text.length > 512 ? null : parseCursor(text)).toEqual(text.length > 512 ? null : { at, id })
      },
    ),
  )
})

test('anything else is no cursor and no error', () => {
  fc.assert(fc.property(fc.string(), (text) => void expect(parseCursor(text)).toBeNull()))
  for (const text of [
    null,
    undefined,
    '',
    'e30',
    'WyJhIl0',
    'W10',
    '%%%',
    'x'.repeat(600),
    `${formatCursor({ at: 'a', id: 'b' })}=`,
  ])
    expect(parseCursor(text)).toBeNull()
})
