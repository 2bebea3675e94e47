import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { isStoreDown } from '../sql-state'
import { Transcript } from '../seed/transcript'
import { forgetEverything, storedContent } from '../testing/content'
import { testDb } from '../testing/test-db'
import { ingestBody } from '../writes/ingest'
import type { IngestBody } from '../writes/receive/ingest-body'
import { MissingStreamError } from '../writes/receive/name-stream'
import { ensureProject } from '../projects'
import { isThreadLost } from './lost-thread'
import { createIngestThreads, type IngestThreads, type ThreadsOptions } from './ingest-threads'

const script = path.resolve(import.meta.dirname, '../../dist/ingest-thread.mjs')
const db = await testDb()
const { url } = db
const project = await ensureProject(db.sql, { slug: 'threads', name: 'Threads' })
let open: IngestThreads[] = []

afterEach(async () => {
  await Promise.all(open.map((threads) => threads.close()))
  open = []
  await forgetEverything(db)
})
afterAll(() => db.close())

function threads(options: Partial<ThreadsOptions> = {}): IngestThreads {
  const made = createIngestThreads({ url, script, ...options })
  open.push(made)
  return made
}

const body = (n: number, rest: Partial<IngestBody> = {}): IngestBody => {
  const session = new Transcript({ sessionId: `0a0a0a0a-0000-4000-8000-${String(n).padStart(12, '0')}` })
  for (let i = 0; i < 30; i++)
    session.call(
      'Bash',
      { command: `step ${i} me@example.org` },
      i % 5 === 0 ? { fails: 'Exit code 1\nbad' } : { ok: 'ok' },
    )
  return {
    projectId: project.id,
    source: null,
    kind: 'claude-transcript',
    bytes: Buffer.from(session.text),
    ...rest,
  }
}

test('what threads take in, several at once and some of it twice, is what one body after the other would leave', async () => {
  for (let n = 0; n < 8; n++) await ingestBody(db, body(n))
  const wanted = await storedContent(db)
  await forgetEverything(db)
  const { ingest } = threads()
  const answers = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7, 0, 3].map((n) => ingest(body(n))))
  expect(answers.map((answer) => answer.accepted + answer.duplicates)).toEqual(answers.map(() => 60))
  expect(answers.reduce((n, answer) => n + answer.accepted, 0)).toBe(480)
  expect(await storedContent(db)).toEqual(wanted)
})

test('what is due is analysed in a thread, and nothing is when nothing is due', async () => {
  const { bytes } = body(2)
  const cut = bytes.indexOf(10) + 1
  const first = await ingestBody(db, body(2, { bytes: bytes.subarray(0, cut), more: true }))
  await ingestBody(
    db,
    body(2, { bytes: bytes.subarray(cut), offset: cut, streamId: first.streamId, more: true }),
  )
  const { analyseDirty } = threads()
  expect(await analyseDirty({ quietMs: 60_000 })).toBe(0)
  expect(await db.sql`select dirty, records from executions`).toEqual([{ dirty: true, records: 1 }])
  expect(await analyseDirty({ quietMs: 0 })).toBe(1)
  expect(await db.sql`select dirty, records from executions`).toEqual([{ dirty: false, records: 60 }])
  expect(await analyseDirty({ quietMs: 0 })).toBe(0)
})

test('layers are compared in a thread that has nothing else to do, and not while any has', async () => {
  const id = (await ingestBody(db, body(4))).executions[0]!.id
  const { checkParity, ingest } = threads()
  const order = { projectId: project.id, executionId: id, trigger: 'sweep' as const }
  expect(await checkParity(order)).toBe('checked')
  expect(await db.sql`select verdict, trigger from parity_checks`).toEqual([
    { verdict: 'equal', trigger: 'sweep' },
  ])
  const taking = ingest(body(5))
  expect(await checkParity(order)).toBe('in-the-way')
  await taking
  expect(await checkParity({ ...order, executionId: project.id })).toBe('gone')
})

test('a body that finds every thread at work does not wait for the end of a check', async () => {
  const id = (await ingestBody(db, body(6))).executions[0]!.id
  // A check that would never end by itself.
  await db.sql`create function wait_for_ever() returns trigger language plpgsql as 'begin perform pg_sleep(600); return new; end'`
  await db.sql`create trigger wait_here after insert on calls for each statement when (current_setting('lock_timeout') <> '0') execute function wait_for_ever()`
  const { checkParity, ingest } = threads({ threads: 1 })
  const checking = checkParity({ projectId: project.id, executionId: id, trigger: 'sweep' })
  expect(await ingest(body(7))).toMatchObject({ accepted: 60 })
  expect(await checking).toBe('in-the-way')
  await db.sql`drop trigger wait_here on calls`
})

test('an analysis that fails says why, and the thread goes on', async () => {
  const { analyseDirty, ingest } = threads()
  await expect(analyseDirty({ quietMs: Number.NaN })).rejects.toMatchObject({
    code: expect.stringMatching(/^22/),
  })
  expect(await ingest(body(3))).toMatchObject({ accepted: 60 })
})

test('bytes that stand inside of a larger buffer arrive, and what stands beside them stays', async () => {
  const { bytes } = body(1)
  const larger = Buffer.alloc(bytes.length + 20, 'x')
  larger.set(bytes, 10)
  expect(await threads().ingest(body(1, { bytes: larger.subarray(10, 10 + bytes.length) }))).toMatchObject({
    accepted: 60,
  })
  expect(larger.toString('latin1', 0, 10)).toBe('xxxxxxxxxx')
})

test('small bodies that wait share a transaction, and each gets its own answer', async () => {
  const { ingest } = threads({ threads: 1 })
  const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => ingest(body(n))))
  expect(answers.map((answer) => answer.executions.map((e) => e.externalId))).toEqual(
    answers.map((_, n) => [`0a0a0a0a-0000-4000-8000-${String(n).padStart(12, '0')}`]),
  )
  // Two find the thread idle; the others wait for them, and are taken in as many at once.
  const [{ n }] = (await db.sql`select count(distinct xmin::text)::int as n from events`) as unknown as [
    { n: number },
  ]
  expect(n).toBeLessThanOrEqual(4)
})

test('an error keeps the class and the code by which callers tell it apart', async () => {
  await expect(threads().ingest(body(1, { offset: 5 }))).rejects.toBeInstanceOf(MissingStreamError)
  const away = new URL(url)
  away.port = '9'
  const refused = await threads({ url: away.href })
    .ingest(body(1))
    .catch((error: unknown) => error)
  expect(isStoreDown(refused)).toBe(true)
})

test('a thread that dies answers for what it had, and the next body finds another one', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'inquest-thread-'))
  const fragile = path.join(folder, 'fragile.mjs')
  writeFileSync(
    fragile,
    `import { parentPort } from 'node:worker_threads'
    let n = 0
    parentPort.on('message', (m) => m === 'end' ? parentPort.close() : m.bodies[0].fileName === 'dies' ? process.exit(1) : parentPort.postMessage({ id: m.id, outcomes: m.bodies.map(() => ({ answer: { n: ++n } })) }))`,
  )
  const { ingest } = threads({ script: fragile, threads: 1 })
  // The first is with the thread; the others wait, and go to it together.
  const before = ingest(body(1))
  const [died, beside] = await Promise.allSettled([ingest(body(2, { fileName: 'dies' })), ingest(body(3))])
  expect(await before).toEqual({ n: 1 })
  for (const lost of [died, beside]) {
    expect(lost.status).toBe('rejected')
    expect(isThreadLost((lost as PromiseRejectedResult).reason)).toBe(true)
  }
  expect(await ingest(body(4))).toEqual({ n: 1 })
  rmSync(folder, { recursive: true })
})

test('closing waits for what is begun and refuses what comes later; idle threads end and come back', async () => {
  const made = threads({ idleMs: 50 })
  const begun = [made.ingest(body(1)), made.ingest(body(2)), made.ingest(body(3))]
  await Promise.all(begun)
  await new Promise((resolve) => setTimeout(resolve, 300))
  const again = made.ingest(body(1))
  const closed = made.close()
  expect(await again).toMatchObject({ accepted: 0, duplicates: 60 })
  await closed
  await expect(made.ingest(body(4))).rejects.toSatisfy(isThreadLost)
})
