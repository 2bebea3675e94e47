import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  makeSigner,
  signChain,
  signReceipt,
  type Draft,
  type Signer,
} from '@/lib/judge/receipts/testing/signed-chain'
import { verifyReceipts } from '../queries/verify-receipts'
import { forgetEverything, storedContent } from '../testing/content'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBody } from './ingest'
import { ensureProject } from '../projects'
import { addReceiptKey } from '../sources/receipt-keys'

let db: TestDb
let projectId: string
let signer: Signer
let texts: string[]
const SESSION = '0d0d0d0d-0000-4000-8000-0000000000f9'
const RECEIPTS = 19
const CHAINS = ['good', 'changed', 'rivals', 'forged']

beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
  signer = await makeSigner()
  // Times of one second, so that nothing but the chain says what came first.
  const drafts = (chain_id: string, n: number): Draft[] =>
    Array.from({ length: n }, (_, i) => ({
      id: `urn:${chain_id}:${i}`,
      chain: { chain_id },
      issuer: { session_id: SESSION, ...(i % 4 === 3 ? { runtime: { agent_id: 'a1' } } : {}) },
      subject: { correlation_id: `toolu_${chain_id}_${i >> 1}` },
      action: { tool_name: 'Edit', target: { system: 'filesystem', resource: `/srv/${i % 2}.ts` } },
      outcome: { status: i % 2 === 0 ? 'pending' : i % 3 === 0 ? 'success' : 'failure' },
    }))
  const good = await signChain(drafts('good', 6), signer)
  const changed = (await signChain(drafts('changed', 5), signer)).map((text, i) =>
    i === 2 ? text.replace('/srv/0.ts', '/srv/2.ts') : text,
  )
  const rivals = await signChain(drafts('rivals', 3), signer)
  rivals.push(
    await signReceipt(
      { ...drafts('rivals', 3)[1]!, id: 'urn:rival', chain: { chain_id: 'rivals', sequence: 2 } },
      signer,
    ),
  )
  rivals.push(rivals[0]!.replace('#key-1', '#key-2'))
  // Of these two rivals one is not signed as it is: which of them is first decides at which receipt the chain breaks.
  const forged = await signChain(drafts('forged', 2), signer)
  forged.push(forged[1]!.replace('/srv/1.ts', '/srv/3.ts'))
  texts = [...good, ...changed, ...rivals, ...forged]
})
afterEach(() => forgetEverything(db))
afterAll(() => db.close())

async function stored(bodies: readonly string[]): Promise<unknown> {
  await forgetEverything(db)
  await addReceiptKey(db, {
    projectId,
    key: signer.key,
    label: 'x',
    chainId: null,
    isCurrent: false,
    addedBy: null,
    actor: 'key:x',
  })
  for (const body of bodies)
    await ingestBody(db, { projectId, source: null, kind: 'receipts', bytes: new TextEncoder().encode(body) })
  const rows = await db.sql`
    select r.chain_id, r.sequence, r.receipt_id, r.receipt_hash, r.status, r.event, r.session_id, r.correlation_id, r.at, e.external_id,
      convert_from(substring(b.bytes from r.kept_start + 1 for r.kept_end - r.kept_start), 'utf8') as text
    from receipts r join received b on b.project_id = r.project_id and b.id = r.received_id join executions e on e.id = r.execution_id order by text`
  const verdicts = await Promise.all(CHAINS.map((id) => verifyReceipts(db, [projectId], id)))
  return { rows: [...rows], verdicts, content: await storedContent(db) }
}

test('the same receipts that come from several sources at once are there once', async () => {
  const names = ['daemon', 'import', 'push', 'another']
  const sends = names.flatMap((name) =>
    [0, 5, 11, 13].map((from) => ({
      source: { kind: 'agent-receipts', name },
      bytes: new TextEncoder().encode(texts.slice(from, from + 6).join('\n')),
    })),
  )
  const answers = await Promise.all(
    sends.map((one) => ingestBody(db, { projectId, kind: 'receipts', ...one })),
  )
  const [{ n }] = (await db.sql<{ n: number }[]>`select count(*)::int as n from receipts`) as unknown as [
    { n: number },
  ]
  expect([n, answers.reduce((sum, { accepted }) => sum + accepted, 0)]).toEqual([texts.length, texts.length])
})

const forms: ((texts: readonly string[]) => string)[] = [
  (list) => list.join('\n'),
  (list) => `[${list.join(',')}]`,
  (list) => `{"receipts":[${list.join(',\n')}]}`,
  (list) => `${list.join('\r\n')}\r\n`,
]

test('receipts leave the same, in whatever order, pieces and forms they come, and however often', async () => {
  const whole = await stored([texts.join('\n')])
  expect((whole as { rows: unknown[] }).rows).toHaveLength(texts.length)
  expect((whole as { verdicts: unknown[] }).verdicts).toMatchObject([
    { state: 'valid' },
    { state: 'broken', firstBadIndex: 2 },
    { state: 'broken' },
    { state: 'broken' },
  ])
  const orders = fc.tuple(
    fc.shuffledSubarray(
      Array.from({ length: RECEIPTS }, (_, i) => i),
      { minLength: RECEIPTS },
    ),
    fc.array(fc.integer({ min: 1, max: 7 }), { minLength: RECEIPTS, maxLength: RECEIPTS }),
    fc.array(fc.nat({ max: forms.length - 1 }), { minLength: RECEIPTS, maxLength: RECEIPTS }),
    fc.array(fc.nat({ max: RECEIPTS - 1 }), { maxLength: 4 }),
  )
  await fc.assert(
    fc.asyncProperty(orders, async ([order, sizes, chosen, again]) => {
      const bodies: string[] = []
      for (let at = 0, n = 0; at < order.length; at += sizes[n]!, n++)
        bodies.push(forms[chosen[n]!]!(order.slice(at, at + sizes[n]!).map((i) => texts[i]!)))
      expect(await stored([...bodies, ...again.map((i) => texts[i]!)])).toEqual(whole)
    }),
    { numRuns: 15 },
  )
})
