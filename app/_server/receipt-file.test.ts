import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as ofExecution from '@/app/api/v1/executions/[id]/receipt-chains/export/route'
import * as ingest from '@/app/api/v1/ingest/[kind]/route'
import * as ofChain from '@/app/api/v1/receipt-chains/export/route'
import * as keys from '@/app/api/v1/receipt-keys/route'
import * as chains from '@/db/queries/receipt-chains'
import type {
  ReceiptFileAbout,
  ReceiptFileChain,
  ReceiptFileEnd,
  ReceiptFileSaid,
} from '@/lib/judge/receipts/receipt-file'
import { BLOCK_END, blockStart } from '@/lib/judge/receipts/receipt-file'
import { makeSigner, signChain, type Signer } from '@/lib/judge/receipts/testing/signed-chain'
import { ensureProject } from '@/db/projects'
import { ingestAnswer } from '@/lib/api/ingest-schemas'
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

const send = async (texts: readonly string[]): Promise<string> => {
  const response = await ask(ingest.POST, '/api/v1/ingest/receipts', {
    method: 'POST',
    params: { kind: 'receipts' },
    key,
    body: texts.join('\n'),
  })
  return ingestAnswer.parse(await response.json()).executions[0]!.id
}
const drafts = (chainId: string, n: number) =>
  Array.from({ length: n }, (_, i) => ({
    id: `urn:${chainId}:${i + 1}`,
    issuer: { session_id: 'one session' },
    chain: { chain_id: chainId },
    outcome: { error: '</script> é \u2028' },
  }))
const blocks = (html: string, name: Parameters<typeof blockStart>[0]): string[] =>
  html
    .split(`${blockStart(name)}\n`)
    .slice(1)
    .map((piece) => piece.slice(0, piece.indexOf(`\n${BLOCK_END}\n`)))

test('a chain or all chains of an execution are one file with their bytes, keys and what the server says', async () => {
  const [long, short] = [
    await signChain(drafts('a/long one', 450), signer),
    await signChain(drafts('short', 2), signer),
  ]
  const execution = await send([...long, ...short])
  await ask(keys.POST, '/api/v1/receipt-keys', {
    method: 'POST',
    key: await world.key(['admin']),
    body: { key: signer.pem, label: 'the daemon', chainId: 'short' },
  })

  const one = await ask(ofChain.GET, `/api/v1/receipt-chains/export?id=${encodeURIComponent('a/long one')}`, {
    key,
  })
  expect(Object.fromEntries(one.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-disposition': 'attachment; filename="receipts-a-long-one.html"',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cache-control': 'private, no-store',
  })
  const html = await one.text()
  const held = blocks(html, 'receipts').map((block) =>
    block.split('\n').map((line) => Buffer.from(line, 'base64').toString('utf8')),
  )
  expect(held.map(({ length }) => length)).toEqual([200, 200, 50])
  expect(held.flat()).toEqual(long)
  expect(JSON.parse(blocks(html, 'said')[0]!) as ReceiptFileSaid).toMatchObject({
    receipts: 450,
    verdict: { state: 'no_key', receipts: 450 },
  })

  const all = await (
    await ask(ofExecution.GET, `/api/v1/executions/${execution}/receipt-chains/export`, {
      params: { id: execution },
      key,
    })
  ).text()
  expect((JSON.parse(blocks(all, 'about')[0]!) as ReceiptFileAbout).executionId).toBe(execution)
  const told = blocks(all, 'chain').map((block) => JSON.parse(block) as ReceiptFileChain)
  expect(
    told.map(({ id, keys: own }) => [id, own.map(({ fingerprint, label }) => [fingerprint, label])]),
  ).toEqual([
    ['a/long one', []],
    ['short', [[signer.key.fingerprint, 'the daemon']]],
  ])
  expect(blocks(all, 'said').map((block) => (JSON.parse(block) as ReceiptFileSaid).verdict.state)).toEqual([
    'no_key',
    'valid',
  ])
  expect((JSON.parse(blocks(all, 'end')[0]!) as ReceiptFileEnd).chains).toBe(2)
})

test('what is not there, or of another project, is not exported', async () => {
  const elsewhere = await world.key(
    ['read'],
    await ensureProject(world.db.sql, { slug: 'elsewhere', name: 'Elsewhere' }),
  )
  expect((await ask(ofChain.GET, '/api/v1/receipt-chains/export?id=short', { key: elsewhere })).status).toBe(
    404,
  )
  expect((await ask(ofChain.GET, '/api/v1/receipt-chains/export?id=nowhere', { key })).status).toBe(404)
  expect((await ask(ofChain.GET, '/api/v1/receipt-chains/export', { key })).status).toBe(400)
  const nobody = '0199a000-0000-7000-8000-000000000000'
  expect(
    (
      await ask(ofExecution.GET, `/api/v1/executions/${nobody}/receipt-chains/export`, {
        params: { id: nobody },
        key,
      })
    ).status,
  ).toBe(404)
})

test('no more is read than was taken, a reader who goes ends the reading, and what fails breaks the file off', async () => {
  await send(await signChain(drafts('longer', 1_000), signer))
  const list = vi.spyOn(chains, 'listReceiptBytes')
  /** Pages that were asked for, once no more are. */
  const settled = async (): Promise<number> => {
    for (
      let calls = -1;
      calls !== list.mock.calls.length;
      await new Promise((resolve) => setTimeout(resolve, 300))
    )
      calls = list.mock.calls.length
    return list.mock.calls.length
  }
  const path = '/api/v1/receipt-chains/export?id=longer'
  const reader = (await ask(ofChain.GET, path, { key })).body!.getReader()
  await reader.read()
  while (list.mock.calls.length === 0) await reader.read()
  expect(await settled()).toBeLessThan(4)
  await reader.cancel()
  expect(await settled()).toBeLessThan(5)
  await (await ask(ofChain.GET, path, { key })).text()
  expect(list.mock.calls.length).toBeGreaterThan(5)

  list.mockRejectedValueOnce(new Error('the database went away'))
  await expect((await ask(ofChain.GET, path, { key })).text()).rejects.toThrow('the database went away')
  list.mockRestore()
})
