import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ancestors,
  escapeToken,
  findInJson,
  fragmentPointer,
  jsonRows,
  members,
  nodeAt,
  openAtFirst,
  pointerOfRange,
  pointerTokens,
  readJson,
} from './json-model'

const containers = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()))
const allPointers = (text: string): string[] => {
  const root = readJson(text)!
  const every = new Set<string>()
  const open = (pointer: string): void => {
    every.add(pointer)
    for (const m of members(nodeAt(root, pointer)!)) open(`${pointer}/${escapeToken(m.token)}`)
  }
  open('')
  return jsonRows(root, every).map((row) => row.pointer)
}

test('every row leads back to its value, and its text is exactly the value', () => {
  fc.assert(
    fc.property(containers, (value) => {
      const text = JSON.stringify(value)
      const root = readJson(text)!
      for (const pointer of allPointers(text)) {
        const node = nodeAt(root, pointer)!
        const read = (pointerTokens(pointer) ?? []).reduce<unknown>(
          (v, token) => (v as Record<string, unknown>)[token],
          JSON.parse(text),
        )
        expect(JSON.parse(text.slice(node.offset, node.offset + node.length))).toEqual(read)
      }
    }),
  )
})

test('the smallest value around its own range is itself', () => {
  fc.assert(
    fc.property(containers, (value) => {
      const text = JSON.stringify(value)
      const root = readJson(text)!
      for (const pointer of allPointers(text)) {
        const node = nodeAt(root, pointer)!
        expect(pointerOfRange(root, node.offset, node.offset + node.length)).toBe(pointer)
      }
    }),
  )
})

test('numbers keep their digits, and keys that stand twice are both shown', () => {
  const text = '{"a":12345678901234567890.10,"a":1}'
  const rows = jsonRows(readJson(text)!, new Set(['']))
  expect(rows.map((row) => text.slice(row.node.offset, row.node.offset + row.node.length))).toEqual([
    text,
    '12345678901234567890.10',
    '1',
  ])
})

test('what is no JSON document is not shown as one', () => {
  for (const text of ['', 'plain', '"text"', '12', '{"a":1', '{"a":1} {"b":2}', '{"a":1,}', '{/* */"a":1}'])
    expect(readJson(text), text).toBeNull()
  expect(readJson('['.repeat(200_000))).toBeNull()
})

test('a search finds keys and values wherever they are, and everything it finds can be opened', () => {
  const root = readJson('{"message":{"content":[{"Error":"no such file"},{"x":"an ERROR"}]},"error/s":1}')!
  expect(findInJson(root, 'error')).toEqual(['/message/content/0/Error', '/message/content/1/x', '/error~1s'])
  for (const pointer of findInJson(root, 'error'))
    expect(jsonRows(root, new Set(ancestors(pointer))).map((row) => row.pointer)).toContain(pointer)
})

test('a fragment is a pointer only when it looks like one', () => {
  expect(fragmentPointer('#/message/content/0')).toBe('/message/content/0')
  expect(fragmentPointer('#/a%20b/%7E1')).toBe('/a b/~1')
  expect(fragmentPointer('#/100%')).toBe('/100%')
  expect(fragmentPointer('#facts')).toBeNull()
  expect(fragmentPointer('')).toBeNull()
})

test('at first a document is open as far as it fits, and always at its top', () => {
  expect([...openAtFirst(readJson('{"a":{"b":{"c":[1]}}}')!)]).toEqual(['', '/a', '/a/b', '/a/b/c'])
  const wide = JSON.stringify(Array.from({ length: 500 }, () => ({ a: 1 })))
  expect([...openAtFirst(readJson(wide)!)]).toEqual([''])
})
