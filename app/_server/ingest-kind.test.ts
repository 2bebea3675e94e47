import { describe, expect, test } from 'vitest'
import { INGEST_KINDS } from '@/lib/model/ingest-kinds'
import { HEAD_BYTES } from './body'
import { chosenKind } from './ingest-kind'
import { Refusal } from './respond'

const head = (text: string): Uint8Array =>
  Buffer.from(text.repeat(Math.ceil(HEAD_BYTES / text.length)).slice(0, HEAD_BYTES))

function chosen(...given: Parameters<typeof chosenKind>): string {
  try {
    return chosenKind(...given)
  } catch (error) {
    if (error instanceof Refusal) return error.slug
    throw error
  }
}

describe.each(['auto', ...INGEST_KINDS] as const)('a large body sent as %s', (named) => {
  test.each([
    ['text', 'not a format at all\n'],
    ['one line of text', 'not a format at all '],
    ['blanks', ' '],
    ['blank lines', ' \t\r\n'],
    ['NULs', '\0'],
  ])('is refused by its beginning: %s', (_what, text) => {
    // The output of a command may begin with any amount of text.
    const isOutput = named === 'claude-stream' && text.includes('format')
    expect(chosen(named, head(text), null, null)).toBe(isOutput ? named : 'unknown-format')
  })

  test('is refused only where that shows the beginning of a stream, and all that is looked at', () => {
    if (named === 'auto') return
    expect(chosen(named, head('text\n'), null, 5_000)).toBe(named)
    expect(chosen(named, head('text\n').subarray(1), null, null)).toBe(named)
    expect(chosen(named, head(' ').subarray(1), null, null)).toBe(named)
  })
})

test.each([
  ['behind the noise of a wrapper', `${'npm warn x\n'.repeat(1_000)}{"type":"system"`],
  ['behind blanks', `${' '.repeat(1_000)}{"odd":"`],
  ['that is longer than what is looked at', '{"odd":"'],
  ['in a list', '[\n  {"odd":"'],
])('a record %s keeps a named kind', (_where, start) =>
  expect(
    chosen('claude-stream', Buffer.concat([Buffer.from(start), head('x')]).subarray(0, HEAD_BYTES), null, 0),
  ).toBe('claude-stream'),
)

test('a text that its name makes a file of a format is one', () => {
  const crash = 'sessions/s/crash_exception.txt'
  expect(chosen('autoskillit', head('Traceback\n'), crash, null)).toBe('autoskillit')
  expect(chosen('auto', head('Traceback\n'), crash, null)).toBe('autoskillit')
})
