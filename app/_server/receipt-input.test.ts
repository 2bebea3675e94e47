import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as ingest from '@/app/api/v1/ingest/[kind]/route'
import * as chain from '@/app/api/v1/receipt-chains/route'
import * as listed from '@/app/api/v1/receipt-chains/receipts/route'
import * as push from '@/app/receipts/route'
import { receiptChainItem, receiptItem } from '@/lib/api/receipt-schemas'
import { page } from '@/lib/api/schemas'
import { ingestAnswer } from '@/lib/api/ingest-schemas'
import { makeSigner, signChain, signReceipt, type Signer } from '@/lib/judge/receipts/testing/signed-chain'
import { ask, openWorld, type World } from './test-support'

let world: World
let key: string
let signer: Signer
beforeAll(async () => {
  world = await openWorld()
  key = await world.key(['ingest', 'read'])
  signer = await makeSigner()
})
afterAll(() => world.close())

const json = { 'content-type': 'application/json' }
const pushed = async (body: BodyInit, headers: Record<string, string> = json) => {
  const answer = await ask(push.POST, '/receipts', { method: 'POST', key, headers, body })
  return { status: answer.status, said: (await answer.json()) as Record<string, unknown> }
}
const taken = async (body: BodyInit, headers: Record<string, string> = json) =>
  ask(ingest.POST, '/api/v1/ingest/receipts', {
    method: 'POST',
    params: { kind: 'receipts' },
    key,
    headers,
    body,
  })
const items = async (id: string) =>
  page(receiptItem).parse(await (await ask(listed.GET, `/x?id=${id}`, { key })).json()).items
let names = 0
/** One good receipt of a chain of its own. */
const good = async (): Promise<{ name: string; text: string }> => {
  const name = `input-${++names}`
  return {
    name,
    text: await signReceipt({ id: `urn:${name}`, chain: { chain_id: name }, subject: { note: 'x' } }, signer),
  }
}

/** How a good receipt is spoilt, and the hash that pushing it answers with: none where it has no canonical form. */
const strange: [string, (text: string) => string, 'hash' | 'no hash'][] = [
  ['a key `__proto__`', (text) => text.replace('"note":"x"', '"note":{"__proto__":{"polluted":1}}'), 'hash'],
  ['a key that stands twice', (text) => text.replace('"note":"x"', '"note":"y","note":"x"'), 'hash'],
  ['a NUL escape', (text) => text.replace('"note":"x"', '"note":"a\\u0000b","n\\u0000":1'), 'hash'],
  ['a signature with something behind it', (text) => text.replace(/"(u[\w-]{86})"/, '"$1junk"'), 'hash'],
  ['a byte order mark', (text) => `\ufeff${text}`, 'hash'],
  ['a number beyond doubles', (text) => text.replace('"note":"x"', '"note":1e400'), 'no hash'],
  ['half a surrogate pair', (text) => text.replace('"note":"x"', '"note":"\\ud800"'), 'no hash'],
]

describe('what is strange, and yet a receipt, is kept to the byte', () => {
  test.each(strange)('%s', async (_name, change, hash) => {
    for (const route of ['push', 'bulk'] as const) {
      const { name, text } = await good()
      const body = change(text)
      if (route === 'push') {
        const { status, said } = await pushed(body)
        expect([status, said]).toEqual([
          201,
          { id: `urn:${name}`, receipt_hash: hash === 'hash' ? expect.stringMatching(/^sha256:/) : null },
        ])
        expect((await pushed(body)).status).toBe(409)
      } else {
        const answer = ingestAnswer.parse(await (await taken(body)).json())
        expect([answer.accepted, answer.oddTotal]).toEqual([1, hash === 'hash' ? 0 : 1])
        expect(ingestAnswer.parse(await (await taken(body)).json())).toMatchObject({
          accepted: 0,
          duplicates: 1,
        })
      }
      expect(
        (await items(name)).map((item) => item.text),
        route,
      ).toEqual([body.replace(/^\ufeff/, '')])
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  test('a body that is packed is unpacked', async () => {
    const { name, text } = await good()
    expect(
      (await pushed(new Uint8Array(gzipSync(text)), { ...json, 'content-encoding': 'gzip' })).status,
    ).toBe(201)
    expect((await items(name)).map((item) => item.text)).toEqual([text])
  })
})

describe('what is no receipt is answered so that no sender repeats it, and stands in no chain', () => {
  test.each<[string, (text: string) => BodyInit, Record<string, string>, string]>([
    [
      'UTF-16 with its mark',
      (text) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le')),
      json,
      'the body is not UTF-8',
    ],
    [
      'UTF-16 without',
      (text) => new Uint8Array(Buffer.from(text, 'utf16le')),
      json,
      'the body is not one JSON value',
    ],
    ['packed, and not said to be', (text) => new Uint8Array(gzipSync(text)), json, 'the body is not UTF-8'],
    [
      'said to be packed, and not',
      (text) => text,
      { ...json, 'content-encoding': 'gzip' },
      'the body cannot be read: ',
    ],
    [
      'packed by what nobody knows',
      (text) => text,
      { ...json, 'content-encoding': 'zstd' },
      'the body cannot be read: ',
    ],
    [
      '100,000 levels',
      (text) => text.replace('"x"', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
      json,
      'the receipt is nested too deeply',
    ],
    [
      'over 1 MiB',
      (text) => text.replace('"x"', `"${'x'.repeat(1024 * 1024)}"`),
      json,
      'the body is larger than 1 MiB',
    ],
    ['nothing', () => '', json, 'the body is empty'],
    [
      'a form',
      (text) => `receipt=${encodeURIComponent(text)}`,
      { 'content-type': 'application/x-www-form-urlencoded' },
      'the body is not one JSON value',
    ],
  ])('%s', async (_name, change, headers, error) => {
    const { name, text } = await good()
    const { status, said } = await pushed(change(text), headers)
    expect([status, said]).toEqual([400, { error: expect.stringContaining(error) }])
    expect((await ask(chain.GET, `/x?id=${name}`, { key })).status).toBe(404)
    const bulk = await taken(change(text), headers)
    // The other route keeps whatever can be kept, and tells it to be odd; what it cannot read it refuses by name.
    if (bulk.status === 200)
      expect(
        ingestAnswer.parse(await bulk.json()).oddTotal + (error.includes('MiB') ? 1 : 0),
      ).toBeGreaterThan(0)
    else
      expect([bulk.status, ((await bulk.json()) as { type: string }).type]).toEqual([
        expect.any(Number),
        expect.stringMatching(/^\/problems\//),
      ])
    expect(bulk.status).toBeLessThan(500)
  })

  test('one line that is none hides no other', async () => {
    const [a, b] = [await good(), await good()]
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    const answer = ingestAnswer.parse(
      await (await taken(`${a.text}\n${deep}\n\n{"torn\n7\n${b.text}`)).json(),
    )
    expect([answer.accepted >= 2, answer.odd.map(({ line }) => line)]).toEqual([true, [2, 4, 5]])
    for (const { name, text } of [a, b]) expect((await items(name)).map((item) => item.text)).toEqual([text])
  })
})

describe('at the same time', () => {
  test('the same receipt is taken once, whoever comes first', async () => {
    const { name, text } = await good()
    const answers = await Promise.all(Array.from({ length: 8 }, () => pushed(text)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)])
    expect(await items(name)).toHaveLength(1)
  })

  test('rivals for an id and for a place are all kept, and all but the first are told', async () => {
    const name = `input-${++names}`
    const texts = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        signReceipt({ id: `urn:${name}`, chain: { chain_id: name }, subject: { note: `${i}` } }, signer),
      ),
    )
    expect((await Promise.all(texts.map((text) => pushed(text)))).map(({ status }) => status).sort()).toEqual(
      [201, 409, 409, 409, 409, 409],
    )
    expect((await items(name)).map(({ text }) => text).sort()).toEqual(texts.toSorted())
    const places = await Promise.all(
      Array.from({ length: 4 }, (_, i) =>
        signReceipt({ id: `urn:${name}:${i}`, chain: { chain_id: `${name}-place` } }, signer),
      ),
    )
    const answers = await Promise.all(
      places.map(async (text) => ingestAnswer.parse(await (await taken(text)).json())),
    )
    expect(answers.map(({ conflicts }) => conflicts!.length).sort()).toEqual([0, 1, 2, 3])
    expect(
      receiptChainItem.parse(await (await ask(chain.GET, `/x?id=${name}-place`, { key })).json()),
    ).toMatchObject({ receipts: 4, rivals: 3 })
  })

  test('the parts of one chain, however they meet, make that chain', async () => {
    const name = `input-${++names}`
    const texts = await signChain(
      Array.from({ length: 12 }, (_, i) => ({ id: `urn:${name}:${i}`, chain: { chain_id: name } })),
      signer,
    )
    const bodies = [texts.slice(0, 6), texts.slice(4, 9), texts.slice(7), texts]
    const answers = await Promise.all([
      ...bodies.map(async (part) => (await taken(part.join('\n'))).status),
      ...texts.map(async (text) => (await pushed(text)).status),
    ])
    expect(answers.every((status) => [200, 201, 409].includes(status))).toBe(true)
    expect((await items(name)).map(({ text }) => text)).toEqual(texts)
  })
})
