import fc from 'fast-check'
import { expect, test } from 'vitest'
import { disclosuresOf } from './disclosure'
import { readReceipt } from '../../formats/receipt/read-receipt'

const envelope = {
  v: '1',
  alg: 'hpke-x25519-hkdf-sha256-aes-256-gcm',
  recipients: [{ kid: 'sha256:ab', enc: 'A'.repeat(43) }],
  ct: 'B'.repeat(24),
}
const textOf = (parameters: unknown, response?: unknown) =>
  `{"é": "…", "credentialSubject": {"chain": {}, "action": {"parameters_disclosure": ${JSON.stringify(parameters, null, 1)}}, "outcome": ${JSON.stringify(response === undefined ? {} : { response_disclosure: response })}}}`
const read = (text: string, byteStart = 7) => {
  const bytes = new TextEncoder().encode(text)
  return disclosuresOf(readReceipt(text).value, text, {
    received: 'r',
    byteStart,
    byteEnd: byteStart + bytes.length,
  }).map(({ pointer, ...one }) => ({
    ...one,
    bytes:
      pointer &&
      new TextDecoder().decode(bytes.slice(pointer.byteStart - byteStart, pointer.byteEnd - byteStart)),
  }))
}

test('an envelope says for whom, and its bytes are those that came', () => {
  expect(
    read(textOf(envelope, { ...envelope, recipients: [{ kid: 'did:x#k', enc: 'C'.repeat(43) }] })),
  ).toEqual([
    {
      what: 'parameters',
      kind: 'envelope',
      kid: 'sha256:ab',
      entries: [],
      bytes: JSON.stringify(envelope, null, 1),
    },
    {
      what: 'response',
      kind: 'envelope',
      kid: 'did:x#k',
      entries: [],
      bytes: expect.stringContaining('did:x#k'),
    },
  ])
})

test('a flat map of texts is the older form', () => {
  expect(read(textOf({ command: 'ls', 'peer.pid': '7' }))).toMatchObject([
    {
      kind: 'legacy',
      kid: null,
      entries: [
        ['command', 'ls'],
        ['peer.pid', '7'],
      ],
      bytes: '{\n "command": "ls",\n "peer.pid": "7"\n}',
    },
  ])
})

test.each([
  ['two recipients', { ...envelope, recipients: [...envelope.recipients, ...envelope.recipients] }],
  ['no recipient', { ...envelope, recipients: [] }],
  ['another version', { ...envelope, v: '2' }],
  ['padding', { ...envelope, ct: `${'B'.repeat(23)}=` }],
  ['a short ct', { ...envelope, ct: 'B' }],
  ['a list', [1]],
  ['a text', 'x'],
  ['numbers in a map', { a: 1 }],
])('%s is no envelope', (_, value) => expect(read(textOf(value))).toMatchObject([{ kind: 'odd' }]))

test('nothing disclosed is nothing, and no value makes it throw', () => {
  expect(read('{"credentialSubject":{"action":{},"outcome":{}}}')).toEqual([])
  expect(read(textOf(null))).toEqual([])
  fc.assert(fc.property(fc.jsonValue(), (value) => void read(textOf(value, value))))
})

test('a mark in front of the text that was not read leaves the bytes untold', () => {
  const text = textOf(envelope)
  const [one] = disclosuresOf(JSON.parse(text), text, {
    received: 'r',
    byteStart: 0,
    byteEnd: new TextEncoder().encode(text).length + 3,
  })
  expect(one).toMatchObject({ kind: 'envelope', pointer: null })
})
