import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parsePublicKey } from '@/lib/judge/receipts/keys'
import { layReceipts, longChain } from '../testing/long-chain'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBody } from '../writes/ingest'
import { ensureProject } from '../projects'
import { addReceiptKey } from '../sources/receipt-keys'
import { listRivals } from './receipt-rivals'
import { verifyReceipts } from './verify-receipts'
import type { ChainVerdictDocument } from '@/lib/model/receipt-chain'

const RECEIPTS = 100_000
const CHANGED_AT = 70_000
/** Less than the texts of the chain alone have. */
const HEAP_MB = 48

let db: TestDb
// Below the project, so that the bundle finds its packages.
const folder = mkdtempSync(join(import.meta.dirname, '../../node_modules/.long-chain-'))
beforeAll(async () => void (db = await testDb()))
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await db.close()
})

const register = (projectId: string, pem: string) =>
  addReceiptKey(db, {
    projectId,
    key: parsePublicKey(pem)!,
    label: 'daemon',
    chainId: null,
    isCurrent: false,
    addedBy: null,
    actor: 'key:x',
  })

test(`a chain of ${RECEIPTS} receipts is verified in ${HEAP_MB} MB, and broken where one was changed`, async () => {
  const projectId = (await ensureProject(db.sql, { slug: 'long', name: 'Long' })).id
  const { pem, texts } = longChain('long', RECEIPTS)
  let chars = 0
  function* changed(): Generator<string> {
    let at = 0
    for (const text of texts()) {
      chars += text.length
      yield at++ === CHANGED_AT ? text.replace('"risk_level":"low"', '"risk_level":"high"') : text
    }
  }
  await register(projectId, pem)
  await layReceipts(db.sql, projectId, 'long', changed())
  expect(chars).toBeGreaterThan(1.5 * HEAP_MB * 1024 * 1024)
  expect(await verifyInLittle(db.url, projectId)).toMatchObject({
    state: 'broken',
    reason: 'signature_invalid',
    firstBadIndex: CHANGED_AT,
    receipts: RECEIPTS,
  })
}, 300_000)

test('a body of many receipts is taken in, and is as valid as it was', async () => {
  const projectId = (await ensureProject(db.sql, { slug: 'sent', name: 'Sent' })).id
  const { pem, texts } = longChain('sent', 3_000)
  await register(projectId, pem)
  const answer = await ingestBody(db, {
    projectId,
    source: null,
    kind: 'receipts',
    bytes: Buffer.from([...texts()].join('\n')),
  })
  expect([answer.accepted, answer.duplicates, answer.odd, answer.conflicts]).toEqual([3_000, 0, [], []])
  expect(await verifyReceipts(db, [projectId], 'sent')).toMatchObject({ state: 'valid', receipts: 3_000 })
}, 300_000)

test('whether a receipt has a rival is not looked for in all of its chain', async () => {
  const projectId = (await ensureProject(db.sql, { slug: 'rivals', name: 'Rivals' })).id
  // Statistics that were made before its first receipt know nothing of this project.
  await layReceipts(
    db.sql,
    (await ensureProject(db.sql, { slug: 'before', name: 'Before' })).id,
    'before',
    Array.from({ length: 2_000 }, (_, i) => `${i}`),
  )
  await db.sql`analyze receipts`
  const streamIds = await layReceipts(
    db.sql,
    projectId,
    'rivals',
    Array.from({ length: 2_000 }, (_, i) => `${i}`),
  )
  const read = await db.sql.begin(async (tx) => {
    expect(await listRivals(tx, projectId, streamIds)).toEqual([])
    const [told] = await tx<
      { rows: number }[]
    >`select seq_tup_read + idx_tup_fetch as rows from pg_stat_xact_user_tables where relname = 'receipts'`
    return told!.rows
  })
  expect(read).toBeGreaterThan(0)
  // Each of them, and twice what is in its place: itself.
  expect(read).toBeLessThan(5 * streamIds.length)
})

/** The verdict of the server in a thread that ends when it takes more memory than that. */
async function verifyInLittle(url: string, projectId: string): Promise<ChainVerdictDocument> {
  const outfile = join(folder, 'verify.mjs')
  const contents = `
    import { parentPort } from 'node:worker_threads'
    import { openDb } from './db/client'
    import { verifyReceipts } from './db/queries/verify-receipts'
    const db = openDb(${JSON.stringify(url)}, { max: 1 })
    const verdict = await verifyReceipts(db, [${JSON.stringify(projectId)}], 'long')
    await db.close()
    parentPort.postMessage(verdict)`
  await build({
    stdin: { contents, resolveDir: join(import.meta.dirname, '../..') },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })
  return new Promise((resolve, reject) => {
    const worker = new Worker(outfile, {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 8 },
    })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}
