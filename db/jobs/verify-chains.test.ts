import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeSigner, signChain, type Signer } from '@/lib/judge/receipts/testing/signed-chain'
import { ensurePartitions } from '../partitions'
import { readExecution } from '../queries/execution'
import { readRollups } from '../queries/rollups'
import { testDb, type TestDb } from '../testing/test-db'
import { renewVerdict } from '../writes/derive/chain-verdicts'
import { ingestBody } from '../writes/ingest'
import { ensureProject } from '../projects'
import { addReceiptKey, removeReceiptKey } from '../sources/receipt-keys'
import { startJobs, type Jobs } from './start'

let db: TestDb
let jobs: Jobs
let projectId: string
let signer: Signer
beforeAll(async () => {
  db = await testDb()
  await ensurePartitions(db.sql, new Date())
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
  signer = await makeSigner()
  // Here before there is a worker: the one that starts finds them.
  await take(await chain('early', 2, 1))
  await register()
  jobs = await startJobs(db.url)
})
afterAll(async () => {
  await jobs.stop()
  await db.close()
})

const register = (chainId: string | null = null) =>
  addReceiptKey(db, {
    projectId,
    key: signer.key,
    label: 'daemon',
    chainId,
    isCurrent: false,
    addedBy: null,
    actor: 'key:x',
  })
const take = (texts: readonly string[]) =>
  ingestBody(db, {
    projectId,
    source: null,
    kind: 'receipts',
    bytes: new TextEncoder().encode(texts.join('\n')),
  })
const sessionOf = (name: string, i: number): string =>
  `0b0b0b0b-0000-4000-8000-${name.padEnd(11, '0').slice(0, 11)}${i}`

/** Three sessions of two receipts each, in one chain; the receipt at `changedAt` says something else than was signed. */
async function chain(name: string, sessions: number, changedAt: number | null): Promise<string[]> {
  const drafts = Array.from({ length: sessions * 2 }, (_, i) => ({
    id: `urn:${name}:${i + 1}`,
    chain: { chain_id: name },
    issuer: { session_id: sessionOf(name, i >> 1) },
    action: { tool_name: 'Read', target: { system: 'filesystem', resource: '/srv/a.ts' } },
    outcome: { status: 'success' },
  }))
  return (await signChain(drafts, signer)).map((text, i) =>
    i === changedAt ? text.replace('/srv/a.ts', '/srv/b.ts') : text,
  )
}

/** What the sessions of a chain say of its break, in their order. */
async function told(name: string): Promise<(string | null)[]> {
  const rows = await db.sql<
    { id: string }[]
  >`select id from executions where external_id like ${`${sessionOf(name, 0).slice(0, -1)}%`} order by external_id`
  const executions = await Promise.all(rows.map(({ id }) => readExecution(db, [projectId], id)))
  return executions.map((execution) => {
    const found = execution!.silence?.findings.find(({ kind }) => kind === 'broken' || kind === 'unproven')
    return found
      ? `${found.reason} ${found.receipts[0]!.id} ${found.receipts[0]!.key === null ? 'no tile' : 'tile'}`
      : null
  })
}
const eventually = (name: string, wanted: (string | null)[]) =>
  vi.waitFor(async () => expect(await told(name)).toEqual(wanted), { timeout: 30_000, interval: 100 })
const broken = async (): Promise<number> =>
  (await readRollups(db, [projectId]))
    .filter(({ facet, value }) => facet === 'silence' && value === 'broken')
    .reduce((n, { count }) => n + count, 0)

test('a chain that came before the worker is verified when it starts', () =>
  eventually('early', ['signature_invalid urn:early:2 tile', 'signature_invalid urn:early:2 tile']))

test('a broken chain is told by the executions at and behind its break, by no other, and counted', async () => {
  const before = await broken()
  const texts = await chain('c', 3, 3)
  await take(texts)
  const wanted = [null, 'signature_invalid urn:c:4 tile', 'signature_invalid urn:c:4 tile']
  await eventually('c', wanted)
  expect(await broken()).toBe(before + 2)
  // What comes behind the break knows it at once, before the chain is verified again.
  await take((await chain('c', 4, null)).slice(6))
  expect(await told('c')).toEqual([...wanted, wanted[1]])
})

test('of a chain with more than nine receipts the break is told at its place', async () => {
  await take(await chain('many', 6, 9))
  await eventually('many', [
    null,
    null,
    null,
    null,
    'signature_invalid urn:many:10 tile',
    'signature_invalid urn:many:10 tile',
  ])
})

test('a chain of another issuer is not broken by a key for all chains, and what it says is not proven', async () => {
  const own = signer
  signer = await makeSigner()
  await take(await chain('other', 2, null))
  signer = own
  await eventually('other', ['other_key urn:other:1 tile', 'other_key urn:other:3 tile'])
})

test('nothing is broken without a key, and with the right one it is told whatever came first', async () => {
  await db.sql`delete from receipt_keys`
  await take(await chain('late', 2, 2))
  await vi.waitFor(
    async () =>
      expect(await db.sql`select state from chain_verdicts where chain_id = 'late'`).toEqual([
        { state: 'no_key' },
      ]),
    { timeout: 30_000, interval: 100 },
  )
  const unproven = (reason: string) => [`${reason} urn:late:1 tile`, `${reason} urn:late:3 tile`]
  await eventually('late', unproven('no_key'))
  const key = await register('late')
  await eventually('late', [null, 'signature_invalid urn:late:3 tile'])
  await removeReceiptKey(db, { id: key, projectIds: [projectId], actor: 'key:x' })
  await eventually('late', unproven('no_key'))
})

test('an execution that came while its chain was verified is told of the break by the next verdict', async () => {
  await register('beside')
  await take(await chain('beside', 2, 0))
  await eventually('beside', ['signature_invalid urn:beside:1 tile', 'signature_invalid urn:beside:1 tile'])
  await db.sql`update executions set silence = null, digest = '' where external_id = ${sessionOf('beside', 1)}`
  expect(await renewVerdict(db, projectId, 'beside')).toBe(1)
  await eventually('beside', ['signature_invalid urn:beside:1 tile', 'signature_invalid urn:beside:1 tile'])
  expect(await renewVerdict(db, projectId, 'beside')).toBe(0)
})
