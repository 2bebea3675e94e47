import { expect, test } from 'vitest'
import { byteFacts } from './byte-facts'

const of = (text: string) => byteFacts(new TextEncoder().encode(text))

test('bytes are described as they are', () => {
  expect(of('a\nbb\n')).toEqual({
    endsWithNewline: true,
    byteOrderMark: false,
    lineEndings: 'lf',
    validUtf8: true,
    hasNul: false,
    longestLine: 2,
    replacementCharacters: 0,
  })
  expect(of('a\r\nb\n\ufffd\0')).toMatchObject({
    endsWithNewline: false,
    lineEndings: 'mixed',
    hasNul: true,
    longestLine: 4,
    replacementCharacters: 1,
  })
  expect(of('a\r\n')).toMatchObject({ lineEndings: 'crlf' })
  expect(of('abc')).toMatchObject({ lineEndings: 'none', longestLine: 3 })
  expect(of('\ufeffa\n')).toMatchObject({ byteOrderMark: true })
  expect(byteFacts(new Uint8Array([0xff, 0xfe, 0x61]))).toMatchObject({
    byteOrderMark: true,
    validUtf8: false,
  })
})

test('a character that two chunks share is one', () => {
  expect(of(`${'a'.repeat(1024 * 1024 - 1)}é`)).toMatchObject({ validUtf8: true })
  expect(byteFacts(new Uint8Array([0x61, 0xc3]))).toMatchObject({ validUtf8: false })
})
