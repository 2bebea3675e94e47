import { describe, expect, test } from 'vitest'
import { readReceipt, receiptOf } from './read-receipt'
import { receiptHash } from './receipt-hash'

const text = (subject = '', top = ''): string =>
  `{"id":"urn:receipt:1","credentialSubject":{"action":{"type":"a"},"outcome":{"status":"success"},"chain":{"sequence":1,"previous_receipt_hash":null,"chain_id":"c"}${subject}}${top}}`

describe('a receipt is read from its text', () => {
  test.each([
    ['no JSON', '{', 'not_json'],
    ['a list', '[]', 'not_an_object'],
    ['null', 'null', 'not_an_object'],
    ['no subject', '{}', 'part'],
    ['a number beyond doubles', text(',"x":1e400'), 'number'],
    ['half a surrogate pair', text(',"x":"\\ud800"'), 'surrogate'],
    ['half a surrogate pair in a key', text(',"\\udc00":1'), 'surrogate'],
    ['such a number in the proof', text('', ',"proof":{"x":1e400}'), 'number'],
    ['100,000 levels', text(`,"x":${'['.repeat(100_000)}${']'.repeat(100_000)}`), 'depth'],
    [
      '100,000 levels in the proof',
      text('', `,"proof":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
      'depth',
    ],
    ['nothing odd', text(), null],
  ])('%s', (_, given, why) => {
    const { malformed, signed, hashed } = readReceipt(given)
    expect(malformed).toBe(why)
    expect(signed === null, 'whether there is something to check').toBe(hashed === null)
  })

  test('512 levels are read and one more is not, counted from the receipt itself', () => {
    const nested = (levels: number): string => text(`,"x":${'['.repeat(levels - 2)}${']'.repeat(levels - 2)}`)
    expect([readReceipt(nested(512)).malformed, readReceipt(nested(513)).malformed]).toEqual([null, 'depth'])
  })

  test('what nests too deep is not handed on, and its place in the chain is known', () => {
    const { value, facts } = readReceipt(text(`,"x":${'['.repeat(600)}${']'.repeat(600)}`))
    expect([value, facts.chain.sequence]).toEqual([null, 1])
  })

  test('the last of two equal keys counts', () => {
    expect(readReceipt(text(',"x":1,"x":2')).signed).toContain('"x":2')
    expect(readReceipt(text(',"x":1,"x":2')).signed).not.toContain('"x":1')
  })

  test('__proto__ is a key like others, also where nulls are dropped', () => {
    const { signed, hashed } = readReceipt(text(',"__proto__":{"b":1,"n":null}'))
    expect(signed).toContain('"__proto__":{"b":1,"n":null}')
    expect(hashed).toContain('"__proto__":{"b":1}')
  })

  test('what is inherited is in no receipt', () => {
    expect(
      readReceipt('{"credentialSubject":{"chain":{},"outcome":{},"__proto__":{"action":{}}}}').malformed,
    ).toBe('part')
  })

  test('unknown members stay', () => {
    const { value, signed } = readReceipt(text(',"later":{"x":[1]}', ',"alsoLater":true'))
    expect(value).toMatchObject({ alsoLater: true, credentialSubject: { later: { x: [1] } } })
    expect(signed).toContain('"alsoLater":true')
  })

  test('a negative zero is read as one and hashed as 0', () => {
    const receipt = readReceipt(text().replace('"sequence":1', '"sequence":-0'))
    expect(receipt.facts.chain.sequence).toBe(-0)
    expect(receipt.signed).toContain('"sequence":0')
  })

  test('the proof is neither signed nor hashed', () => {
    const [bare, proven] = [readReceipt(text()), readReceipt(text('', ',"proof":{"type":"x"}'))]
    expect([proven.signed, proven.hashed]).toEqual([bare.signed, bare.hashed])
    expect(proven.value).toHaveProperty('proof.type', 'x')
  })
})

describe('nulls', () => {
  const hashed = (one: string): string => readReceipt(one).hashed!

  test('are dropped from what is hashed, wherever they stand, and only there', () => {
    const receipt = readReceipt(text(',"x":{"y":null,"z":[null,{"w":null}]}'))
    expect(receipt.signed).toContain('"x":{"y":null,"z":[null,{"w":null}]}')
    expect(receipt.hashed).toContain('"x":{"z":[null,{}]}')
    expect(receipt.holdsNulls).toBe(true)
  })

  test('of the first link stay, and are no nulls that another library would drop', () => {
    expect(readReceipt(text())).toMatchObject({
      holdsNulls: false,
      hashed: expect.stringContaining('"previous_receipt_hash":null'),
    })
  })

  test('take the place of a first link that is missing', () => {
    const missing = text().replace('"previous_receipt_hash":null,', '')
    expect(hashed(missing)).toBe(hashed(text()))
    expect(readReceipt(missing)).toMatchObject({
      holdsNulls: false,
      signed: expect.not.stringContaining('previous_receipt_hash'),
    })
  })

  test('under that name elsewhere are dropped', () => {
    const linked = text(',"x":{"previous_receipt_hash":null}').replace(
      '"previous_receipt_hash":null,"chain_id"',
      '"previous_receipt_hash":"sha256:a","chain_id"',
    )
    expect(hashed(linked)).toContain('"x":{}')
    expect(hashed(text(',"x":{"previous_receipt_hash":null}'))).toContain('"x":{}')
    expect(hashed(text(',"x":{"previous_receipt_hash":null}'))).toContain('"previous_receipt_hash":null')
  })

  test('the word in a text changes nothing', () => {
    expect(readReceipt(text(',"x":"null, \\"previous_receipt_hash\\":null"'))).toMatchObject({
      holdsNulls: false,
    })
  })
})

test('a parsed value is the same receipt as its text', () => {
  expect(receiptHash(receiptOf(JSON.parse(text())))).toBe(receiptHash(readReceipt(`  ${text()}\n`)))
})
