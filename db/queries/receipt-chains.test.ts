import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { digestOfBytes } from '@/lib/bytes/digest'
import { makeSigner, signChain, signReceipt, type Signer } from '@/lib/judge/receipts/testing/signed-chain'
import { forgetEverything } from '../testing/content'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBody } from '../writes/ingest'
import { ensureProject } from '../projects'
import { addReceiptKey, removeReceiptKey } from '../sources/receipt-keys'
import { BadCursorError, formatCursor } from './cursor'
import { readExecution } from './execution'
import { listReceiptChains, listReceipts, readReceiptChain } from './receipt-chains'
import { listReceiptKeys } from './receipt-keys'
import { verifyReceipts } from './verify-receipts'

let db: TestDb
let projectId: string
let signer: Signer
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
  signer = await makeSigner()
})
afterEach(() => forgetEverything(db))
afterAll(() => db.close())

const take = (texts: readonly string[], project = projectId) =>
  ingestBody(db, {
    projectId: project,
    source: null,
    kind: 'receipts',
    bytes: new TextEncoder().encode(texts.join('\n')),
  })
const drafts = (n: number, chain_id = 'c') =>
  Array.from({ length: n }, (_, i) => ({
    id: `urn:${chain_id}:${i + 1}`,
    issuer: { session_id: `s${i % 2}` },
    chain: { chain_id },
    outcome: { status: i % 3 === 0 ? 'failure' : 'success' },
  }))
const digest = (text: string): string => digestOfBytes(new TextEncoder().encode(text))
const register = (more: Partial<Parameters<typeof addReceiptKey>[1]> = {}) =>
  addReceiptKey(db, {
    projectId,
    key: signer.key,
    label: 'daemon',
    chainId: null,
    isCurrent: false,
    addedBy: null,
    actor: 'key:x',
    ...more,
  })
const walk = async (limit: number, chainId = 'c'): Promise<string[]> => {
  const texts: string[] = []
  let cursor: string | null = null
  do {
    const page = await listReceipts(db, { projectIds: [projectId], chainId, cursor, limit })
    texts.push(...page.items.map(({ text }) => text))
    cursor = page.nextCursor
  } while (cursor !== null)
  return texts
}

describe('a chain', () => {
  test('is read page by page in the order of its numbers, each receipt as it came, rivals and those without a number by their digests, those last of all', async () => {
    const texts = await signChain(drafts(7), signer)
    const rival = await signReceipt({ id: 'urn:rival', chain: { sequence: 3, chain_id: 'c' } }, signer)
    const [odd, odder] = ['"x"', '1.5'].map((sequence) =>
      texts[0]!.replace('"sequence":1', `"sequence":${sequence}`),
    )
    await take([odd!, ...texts.toReversed(), odder!])
    await take([rival])
    const sorted = (...rivals: string[]) => rivals.sort((a, b) => (digest(a) < digest(b) ? -1 : 1))
    const expected = [
      ...texts.slice(0, 2),
      ...sorted(texts[2]!, rival),
      ...texts.slice(3),
      ...sorted(odd!, odder!),
    ]
    for (const limit of [1, 2, 3, 200]) expect(await walk(limit)).toEqual(expected)
    expect(await readReceiptChain(db, [projectId], 'c')).toMatchObject({
      id: 'c',
      project: 'default',
      receipts: 10,
      failures: 5,
      rivals: 1,
      keys: [],
    })
    expect(await readReceiptChain(db, [projectId], 'other')).toBe(null)
    expect(await readReceiptChain(db, [], 'c')).toBe(null)
    await expect(
      listReceipts(db, {
        projectIds: [projectId],
        chainId: 'c',
        cursor: formatCursor('receipts', 'x', 'x', '0a0a0a0a-0000-4000-8000-000000000001'),
      }),
    ).rejects.toThrow(BadCursorError)
  })

  test('stays within its project, and an execution knows the chains that hold receipts of it', async () => {
    const other = (await ensureProject(db.sql, { slug: 'other', name: 'Other' })).id
    const answer = await take([
      ...(await signChain(drafts(3), signer)),
      ...(await signChain(drafts(1, 'c/agent/a'), signer)),
    ])
    await take(await signChain(drafts(5), signer), other)
    const id = answer.executions.find(({ externalId }) => externalId === 's0')!.id
    expect(
      (await listReceiptChains(db, [projectId, other], id)).map((chain) => [chain.id, chain.receipts]),
    ).toEqual([
      ['c', 3],
      ['c/agent/a', 1],
    ])
    expect((await readExecution(db, [projectId], id))!.receipts).toBe(3)
    expect(
      (await readReceiptChain(db, [projectId], 'c'))!.sessions.map(({ sessionId, receipts, failures }) => [
        sessionId,
        receipts,
        failures,
      ]),
    ).toEqual([
      ['s0', 2, 1],
      ['s1', 1, 0],
    ])
    expect(await walk(200)).toHaveLength(3)
    expect(await listReceiptChains(db, [other], id)).toEqual([])
  })
})

describe('the chain of a sub-agent', () => {
  const child = (more: object = {}) => [
    {
      id: 'urn:child:1',
      issuer: { session_id: 's0', runtime: { agent_id: 'a' } },
      chain: { chain_id: 'c/agent/a' },
      subject: {
        delegation: {
          parent_chain_id: 'c',
          parent_receipt_id: 'urn:c:2',
          delegator: { id: 'did:agent:a' },
          ...more,
        },
      },
    },
  ]

  test('is told with its parent and from there, and why its claim does not hold', async () => {
    await take(await signChain(child(), signer))
    expect((await readReceiptChain(db, [projectId], 'c/agent/a'))!.delegation).toEqual({
      chainId: 'c',
      receiptId: 'urn:c:2',
      key: null,
      sequence: null,
      chainIsHere: false,
      fault: 'parent_chain_missing',
    })
    await take(await signChain(drafts(3), signer))
    const { delegation } = (await readReceiptChain(db, [projectId], 'c/agent/a'))!
    expect(delegation).toMatchObject({ chainId: 'c', sequence: 2, chainIsHere: true, fault: null })
    const parent = (await readReceiptChain(db, [projectId], 'c'))!
    expect(parent).toMatchObject({
      delegation: null,
      delegated: [{ chainId: 'c/agent/a', parentKey: delegation!.key, parentSequence: 2 }],
    })
  })

  test.each([
    ['a receipt that is not there', { parent_receipt_id: 'urn:c:9' }, 'parent_receipt_missing'],
    ['another delegator', { delegator: { id: 'x' } }, 'delegator_differs'],
  ])('names %s', async (_, more, fault) => {
    await take([...(await signChain(child(more), signer)), ...(await signChain(drafts(3), signer))])
    expect((await readReceiptChain(db, [projectId], 'c/agent/a'))!.delegation).toMatchObject({
      chainIsHere: true,
      fault,
    })
  })
})

describe('the verdict of the server', () => {
  const verdict = () => verifyReceipts(db, [projectId], 'c')

  test('is made from the bytes with the keys that are registered: none, one of another issuer, the wrong one, the right one', async () => {
    await take(await signChain(drafts(3), signer))
    expect(await verdict()).toMatchObject({ state: 'no_key', reason: null, receipts: 3 })
    const other = (await makeSigner()).key
    const anyChain = await register({ key: other, label: 'other' })
    expect(await verdict()).toMatchObject({ state: 'other_key', reason: null, firstBadIndex: -1 })
    const wrong = await register({ key: other, label: 'wrong', chainId: 'c' })
    expect(await verdict()).toMatchObject({ state: 'broken', reason: 'signature_invalid', firstBadIndex: 0 })
    await register()
    expect(await verdict()).toMatchObject({
      state: 'valid',
      reason: null,
      firstBadIndex: -1,
      activeFingerprint: signer.key.fingerprint,
    })
    expect(await removeReceiptKey(db, { id: wrong, projectIds: [projectId], actor: 'key:x' })).toBe(true)
    expect(await removeReceiptKey(db, { id: wrong, projectIds: [projectId], actor: 'key:x' })).toBe(false)
    expect(await removeReceiptKey(db, { id: anyChain, projectIds: [projectId], actor: 'key:x' })).toBe(true)
    expect(await verifyReceipts(db, [projectId], 'other')).toBe(null)
  })

  test('finds a single changed byte at its receipt, and goes over pages', async () => {
    const texts = await signChain(drafts(450), signer)
    texts[300] = texts[300]!.replace('"risk_level":"low"', '"risk_level":"Low"')
    await register()
    await take(texts)
    expect(await verdict()).toMatchObject({
      state: 'broken',
      reason: 'signature_invalid',
      firstBadIndex: 300,
      receipts: 450,
    })
  })

  test('a key of another chain does not count, and one that is given twice is one', async () => {
    await take(await signChain(drafts(1), signer))
    await register({ chainId: 'another' })
    expect(await verdict()).toMatchObject({ state: 'no_key' })
    expect(await register({ label: 'a' })).toBe(await register({ label: 'b', isCurrent: true }))
    expect(
      (await listReceiptKeys(db, [projectId], 'c')).map(({ label, isCurrent }) => [label, isCurrent]),
    ).toEqual([['b', true]])
    expect(
      await db.sql`select action, detail->>'label' as label from audit_log where action like 'receipt-key%' order by at desc limit 1`,
    ).toEqual([{ action: 'receipt-key.add', label: 'b' }])
  })
})
