import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as keyRoute from '@/app/api/v1/receipt-keys/[id]/route'
import * as keys from '@/app/api/v1/receipt-keys/route'
import * as ofExecution from '@/app/api/v1/executions/[id]/receipt-chains/route'
import * as ingest from '@/app/api/v1/ingest/[kind]/route'
import * as chain from '@/app/api/v1/receipt-chains/route'
import * as listed from '@/app/api/v1/receipt-chains/receipts/route'
import * as verdict from '@/app/api/v1/receipt-chains/verdict/route'
import * as push from '@/app/receipts/route'
import { chainVerdict, receiptChainItem, receiptItem, receiptKey } from '@/lib/api/receipt-schemas'
import { ensureProject } from '@/db/projects'
import { page } from '@/lib/api/schemas'
import { ingestAnswer } from '@/lib/api/ingest-schemas'
import { readReceipt } from '@/lib/formats/receipt/read-receipt'
import { receiptHash } from '@/lib/formats/receipt/receipt-hash'
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

const send = (
  body: BodyInit,
  headers: Record<string, string> = { 'content-type': 'application/ld+json' },
  token: string | null = key,
): Promise<Response> =>
  ask(push.POST, '/receipts', { method: 'POST', ...(token === null ? {} : { key: token }), headers, body })
const read = (route: { GET: unknown }, path: string, params = {}): Promise<Response> =>
  ask(route.GET, path, { params, key })
const drafts = (name: string, n: number) =>
  Array.from({ length: n }, (_, i) => ({
    id: `urn:${name}:${i + 1}`,
    issuer: { session_id: `session of ${name}` },
    chain: { chain_id: name },
  }))

describe('POST /receipts', () => {
  test('answers as the collector does: 201 with the hash, 409 for what is known, and rivals for a place are taken', async () => {
    const [first, second] = await signChain(drafts('pushed', 2), signer)
    const made = await send(first!)
    expect([made.status, await made.json()]).toEqual([
      201,
      { id: 'urn:pushed:1', receipt_hash: receiptHash(readReceipt(first!)) },
    ])
    expect((await send(second!, { 'content-type': 'application/json' })).status).toBe(201)
    const again = await send(first!)
    expect([again.status, await again.json()]).toEqual([
      409,
      { error: expect.stringContaining('received before') },
    ])
    const forged = await send(first!.replace('"risk_level":"low"', '"risk_level":"high"'))
    expect([forged.status, await forged.json()]).toEqual([
      409,
      { error: expect.stringContaining('both were kept') },
    ])
    expect(
      (await send(await signReceipt({ id: 'urn:rival', chain: { chain_id: 'pushed', sequence: 2 } }, signer)))
        .status,
    ).toBe(201)
    const { items } = page(receiptItem).parse(
      await (await read(listed, '/api/v1/receipt-chains/receipts?id=pushed')).json(),
    )
    // Rivals are in the order of their digests, which is that of chance here.
    expect(items.map(({ sequence }) => sequence)).toEqual([1, 1, 2, 2])
    expect(items.map(({ id }) => id).toSorted()).toEqual([
      'urn:pushed:1',
      'urn:pushed:1',
      'urn:pushed:2',
      'urn:rival',
    ])
    expect(items.map(({ text }) => text)).toContain(first)
  })

  test.each<[string, (good: string) => BodyInit]>([
    ['nothing', () => ''],
    ['blanks', () => ' \n'],
    ['a torn receipt', (good) => good.slice(0, -9)],
    ['two values', (good) => `${good}\n${good}`],
    ['a list', (good) => `[${good}]`],
    ['a number', () => '7'],
    ['no id', (good) => good.replace('"id":"urn:refused:1"', '"ix":1')],
    ['no chain', (good) => good.replace('"chain_id"', '"chain"')],
    ['no action', (good) => good.replace('"type":"filesystem.file.read"', '"type":""')],
    ['no proof', (good) => good.replace('"proofValue"', '"value"')],
    ['bytes', () => new Uint8Array([0xff, 0xfe, 0x00])],
    ['100,000 levels', () => `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ])('%s is a 400, which no sender repeats', async (_, change) => {
    const [good] = await signChain(drafts('refused', 1), signer)
    const answer = await send(change(good!))
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: expect.stringMatching(/^the (body|receipt) /) },
    ])
    expect((await read(chain, '/api/v1/receipt-chains?id=refused')).status).toBe(404)
  })

  test('a bad signature and unknown fields are no reason to refuse; a body above 1 MiB, and nobody, are', async () => {
    const [good] = await signChain(drafts('strange', 1), signer)
    expect(
      (
        await send(
          good!
            .replace('"@context"', '"x":{"__proto__":1},"@context"')
            .replace(/"proofValue":"u.{86}"/, '"proofValue":"junk=="'),
        )
      ).status,
    ).toBe(201)
    const large = await send(`${good!.slice(0, -1)},"pad":"${'x'.repeat(1024 * 1024)}"}`)
    expect([large.status, await large.json()]).toEqual([400, { error: 'the body is larger than 1 MiB' }])
    expect((await send(good!, {}, null)).status).toBe(401)
    expect((await send(good!, {}, await world.key(['read']))).status).toBe(403)
  })
})

test('many are taken at once, and what became of each is told', async () => {
  const texts = await signChain(drafts('many', 3), signer)
  const body = `${texts.join('\n')}\n${await signReceipt({ id: 'urn:rival-of-many', chain: { chain_id: 'many', sequence: 3 } }, signer)}\nno receipt\n${texts[0]}\n`
  const response = await ask(ingest.POST, '/api/v1/ingest/receipts', {
    method: 'POST',
    params: { kind: 'receipts' },
    key,
    body,
  })
  const answer = ingestAnswer.parse(await response.json())
  expect(answer).toMatchObject({ duplicates: 1, odd: [{ line: 5, reason: 'not_json' }] })
  expect(answer.conflicts!.map(({ id, with: other, over }) => [id, other, over])).toEqual(
    expect.arrayContaining([['urn:rival-of-many', 'urn:many:3', 'place']]),
  )
})

describe('reading', () => {
  let execution: string
  beforeAll(async () => {
    const response = await ask(ingest.POST, '/api/v1/ingest/auto', {
      method: 'POST',
      params: { kind: 'auto' },
      key,
      body: (await signChain(drafts('a/b c', 5), signer)).join('\n'),
    })
    execution = ingestAnswer.parse(await response.json()).executions[0]!.id
  })

  test('a chain is found by its id, whatever stands in it, and by its execution; its receipts come page by page', async () => {
    const id = encodeURIComponent('a/b c')
    expect(
      receiptChainItem.parse(await (await read(chain, `/api/v1/receipt-chains?id=${id}`)).json()),
    ).toMatchObject({ id: 'a/b c', receipts: 5, sessions: [{ executionId: execution, receipts: 5 }] })
    const { items } = page(receiptChainItem).parse(
      await (
        await read(ofExecution, `/api/v1/executions/${execution}/receipt-chains`, { id: execution })
      ).json(),
    )
    expect(items.map((one) => one.id)).toEqual(['a/b c'])
    const first = page(receiptItem).parse(
      await (await read(listed, `/api/v1/receipt-chains/receipts?id=${id}&limit=3`)).json(),
    )
    const rest = page(receiptItem).parse(
      await (
        await read(listed, `/api/v1/receipt-chains/receipts?id=${id}&limit=3&cursor=${first.nextCursor}`)
      ).json(),
    )
    expect([...first.items, ...rest.items].map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5])
    expect(rest.nextCursor).toBe(null)
  })

  test.each([
    ['', 400],
    ['?id=', 400],
    ['?id=%00', 400],
    ['?id=nowhere', 404],
  ])('of %j there is nothing', async (query, status) => {
    expect((await read(chain, `/api/v1/receipt-chains${query}`)).status).toBe(status)
    expect((await read(verdict, `/api/v1/receipt-chains/verdict${query}`)).status).toBe(status)
  })

  test('nothing of another project is shown', async () => {
    const elsewhere = await world.key(
      ['ingest', 'read'],
      await ensureProject(world.db.sql, { slug: 'elsewhere', name: 'Elsewhere' }),
    )
    expect((await ask(chain.GET, '/api/v1/receipt-chains?id=pushed', { key: elsewhere })).status).toBe(404)
    expect(
      await (await ask(listed.GET, '/api/v1/receipt-chains/receipts?id=pushed', { key: elsewhere })).json(),
    ).toEqual({ items: [], nextCursor: null })
  })

  test('keys are registered by who may, change the verdict, and are removed', async () => {
    const admin = await world.key(['admin'])
    const state = async (): Promise<string> =>
      chainVerdict.parse(await (await read(verdict, '/api/v1/receipt-chains/verdict?id=a%2Fb%20c')).json())
        .state
    const add = (body: unknown, token = admin): Promise<Response> =>
      ask(keys.POST, '/api/v1/receipt-keys', { method: 'POST', key: token, body: body as BodyInit })
    expect(await state()).toBe('no_key')
    expect((await add({ key: signer.pem, label: 'daemon' }, key)).status).toBe(403)
    expect((await add({ key: 'no key at all', label: 'daemon' })).status).toBe(400)
    const made = await add({ key: signer.pem, label: 'daemon' })
    const item = receiptKey.parse(await made.json())
    expect([made.status, item.fingerprint, item.publicKey]).toEqual([
      201,
      signer.key.fingerprint,
      expect.stringMatching(/^did:key:z6Mk/),
    ])
    expect(await state()).toBe('valid')
    expect(page(receiptKey).parse(await (await read(keys, '/api/v1/receipt-keys')).json()).items).toEqual([
      item,
    ])
    const remove = (): Promise<Response> =>
      ask(keyRoute.DELETE, `/api/v1/receipt-keys/${item.id}`, {
        method: 'DELETE',
        params: { id: item.id },
        key: admin,
      })
    expect([(await remove()).status, (await remove()).status, await state()]).toEqual([200, 404, 'no_key'])
  })
})
