import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readReceipt } from '@/lib/formats/receipt/read-receipt'
import { receiptHash } from '@/lib/formats/receipt/receipt-hash'
import { makeSigner, signChain, signReceipt, type Draft } from '@/lib/judge/receipts/testing/signed-chain'
import { explain, kinds, MODES, touched } from '../testing/plans'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBody } from '../writes/ingest'
import { ensureProject } from '../projects'
import { findAnyId } from './find-any-id'

const CHAIN = '2026-06-15/agent/abc'
const SESSION = '0d0d0d0d-0000-4000-8000-0000000000f1'
let db: TestDb
let projectId: string
let texts: string[]
const take = async (body: string) =>
  (await ingestBody(db, { projectId, source: null, kind: 'receipts', bytes: new TextEncoder().encode(body) }))
    .executions[0]!.id
const find = (id: string) => findAnyId(db, [projectId], id)
const hashOf = (text: string): string => receiptHash(readReceipt(text))!
const drafts: Draft[] = [
  {
    id: 'urn:receipt:a',
    issuer: { session_id: SESSION },
    chain: { chain_id: CHAIN },
    subject: { correlation_id: 'toolu_only_receipts' },
    outcome: { status: 'failure', error: 'no' },
  },
  { id: 'urn:receipt:b', issuer: { session_id: SESSION }, chain: { chain_id: CHAIN } },
  { id: 'urn:receipt:c', chain: { chain_id: CHAIN } },
]
let id: string
let homeless: string
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
  const signer = await makeSigner()
  texts = await signChain(drafts, signer)
  id = await take(`${texts[0]}\n${texts[1]}`)
  homeless = await take(texts[2]!)
  // The same receipt with another proof has its hash and its id, and other bytes.
  await take(texts[0]!.replace('#key-1', '#key-2'))
  await take(
    await signReceipt(
      { id: `urn:${'long'.repeat(100)}`, chain: { chain_id: `long/${'c'.repeat(400)}` } },
      signer,
    ),
  )
  // Enough that reading all of it costs more than an index.
  await db.sql`
    insert into receipts (project_id, stream_id, chain_id, digest, sequence, receipt_id, receipt_hash, execution_id, received_id, kept_start, kept_end)
    select ${projectId}, gen_random_uuid(), 'many/' || n % 500, md5(n::text), n / 500 + 1, 'urn:many:' || n, 'sha256:' || encode(sha256(n::text::bytea), 'hex'), ${id}, gen_random_uuid(), 0, 1
    from generate_series(1, 20000) n`
  await db.sql`analyze receipts`
})
afterAll(() => db.close())

describe('of what only receipts know', () => {
  test('a receipt is found by its id and by its hash, with and without the name of the algorithm', async () => {
    const want = [
      {
        kind: 'receipt',
        executionId: id,
        receiptKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
        label: `${CHAIN} no. 2 · filesystem.file.read · success`,
      },
    ]
    const hash = hashOf(texts[1]!)
    for (const known of ['urn:receipt:b', hash, hash.slice('sha256:'.length), hash.toUpperCase()])
      expect(await find(known), known).toEqual(want)
    expect((await find('urn:receipt:c'))[0]).toMatchObject({ kind: 'receipt', executionId: homeless })
  })

  test('receipts that share an id or a hash are all found', async () => {
    for (const known of ['urn:receipt:a', hashOf(texts[0]!)]) {
      const found = await find(known)
      expect(found.map(({ kind, executionId }) => [kind, executionId])).toEqual([
        ['receipt', id],
        ['receipt', id],
      ])
      expect(new Set(found.map(({ receiptKey }) => receiptKey)).size).toBe(2)
    }
  })

  test('a chain is found by its id, whatever slashes it holds, once', async () => {
    expect(await find(CHAIN)).toMatchObject([{ kind: 'chain', chainId: CHAIN, label: CHAIN }])
    expect(await find('2026-06-15/agent')).toEqual([])
  })

  test('a session and a call are found, and so are ids that are shortened to be stored', async () => {
    expect(await find(SESSION)).toEqual([expect.objectContaining({ kind: 'session', executionId: id })])
    expect(await find('toolu_only_receipts')).toEqual([
      expect.objectContaining({ kind: 'call', executionId: id, callId: 'toolu_only_receipts' }),
    ])
    expect(await find(`urn:${'long'.repeat(100)}`)).toEqual([expect.objectContaining({ kind: 'receipt' })])
    expect(await find(`long/${'c'.repeat(400)}`)).toEqual([expect.objectContaining({ kind: 'chain' })])
  })

  test('nothing is found of other projects, nor by anything else', async () => {
    for (const known of ['urn:receipt:b', CHAIN, hashOf(texts[1]!)]) {
      expect(await findAnyId(db, [], known)).toEqual([])
      expect(await findAnyId(db, ['00000000-0000-7000-8000-000000000000'], known)).toEqual([])
    }
    for (const known of [`sha256:${'0'.repeat(64)}`, 'sha256:', 'urn:receipt:', `${CHAIN}/`])
      expect(await find(known)).toEqual([])
  })

  test.each(MODES)('no statement reads the table from end to end (%s)', async (mode) => {
    const wanted = [
      ['receipt_id', 'urn:many:7', 'r.place, r.stream_id limit 20'],
      ['receipt_hash', hashOf(texts[1]!), 'r.place, r.stream_id limit 20'],
      ['chain_id', 'many/7', 'r.project_id, r.place, r.stream_id limit 1'],
    ]
    for (const [column, value, order] of wanted) {
      const text = `select stream_id from receipts r where r.project_id = any ($1::uuid[]) and r.${column} = $2 order by ${order}`
      const plan = await explain(db, { text, params: [[projectId], value!] }, mode)
      expect(kinds(plan), column).not.toContain('Seq Scan')
      expect(touched(plan), column).toBeLessThan(200)
    }
  })
})
