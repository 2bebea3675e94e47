import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { compareLayers } from '@/lib/judge/parity/compare-layers'
import { limits } from '@/lib/limits'
import { makeSigner, signChain } from '@/lib/judge/receipts/testing/signed-chain'
import { sampleReceipts } from '@/lib/sample/receipts'
import { sampleFiles } from '@/lib/sample/sessions'
import { Transcript } from '../seed/transcript'
import { forgetEverything, storedContent } from '../testing/content'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBody } from '../writes/ingest'
import type { IngestBody } from '../writes/receive/ingest-body'
import { ensureProject } from '../projects'
import { readStoredLayers } from './rederive'

let db: TestDb
let projectId: string
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
})
afterEach(() => forgetEverything(db))
afterAll(() => db.close())

// Files of others, which are not part of the repository.
const SAMPLES = resolve(import.meta.dirname, '../../../shared/samples/claude-code')
const SESSION = '0f0f0f0f-0000-4000-8000-000000000001'
const take = async (kind: IngestBody['kind'], text: string): Promise<string> =>
  (await ingestBody(db, { projectId, source: null, kind, bytes: Buffer.from(text) })).executions[0]!.id
const transcript = (): string =>
  new Transcript({ sessionId: SESSION })
    .user('go, me@example.org')
    .call('Bash', { command: 'make' }, { fails: 'Exit code 2\nno rule' })
    .call('Bash', { command: 'make' }, { ok: 'built' }).text
const frames = (): string =>
  ['PreToolUse', 'PostToolUseFailure']
    .map((hook_event_name) =>
      JSON.stringify({
        hook_event_name,
        session_id: SESSION,
        tool_name: 'Bash',
        tool_use_id: 't1',
        tool_input: { command: 'false' },
        ...(hook_event_name === 'PreToolUse' ? {} : { error: 'Exit code 1' }),
      }),
    )
    .join('\n')

/** Behind the back of the writers, which never change what was taken in. */
const tamper = (work: (sql: TestDb['sql']) => Promise<unknown>) =>
  db.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await work(tx as never)
  })
async function compared(id: string) {
  const stored = await readStoredLayers(db, [projectId], id)
  const { verdict, worst, layers, transitions } = compareLayers(stored!.layers)
  return {
    verdict,
    worst,
    states: layers.map(({ state }) => state),
    told: transitions.flatMap(({ differences }) => differences.map(({ kind, path }) => `${kind} ${path}`)),
    changed: stored!.changedParts.length,
  }
}
const EQUAL = { verdict: 'equal', worst: null, states: ['read', 'read'], told: [], changed: 0 }

describe('what kept bytes give, and what is stored', () => {
  test('are equal for a transcript with redactions, one of hook frames, one of receipts and one of all three', async () => {
    const signer = await makeSigner()
    const receipts = (
      await signChain(
        [{ outcome: { status: 'failure', error: 'Exit code 1' } }, {}].map((draft) => ({
          ...draft,
          chain: { chain_id: 'c' },
          issuer: { session_id: SESSION },
          subject: { correlation_id: 't1' },
        })),
        signer,
      )
    ).join('\n')
    for (const [kind, text] of [
      ['claude-transcript', transcript()],
      ['claude-hook', frames()],
      ['receipts', receipts],
    ] as const) {
      expect(await compared(await take(kind, text)), kind).toEqual(EQUAL)
      await forgetEverything(db)
    }
    await take('claude-transcript', transcript())
    await take('claude-hook', frames())
    expect(await compared(await take('receipts', receipts))).toEqual(EQUAL)
  })

  test('are equal for every execution of the sample', async () => {
    for (const { kind, fileName, text } of [
      ...sampleFiles(),
      ...(await sampleReceipts()).chains.map((chain) => ({
        kind: 'receipts' as const,
        fileName: null,
        text: chain.text,
      })),
    ])
      await ingestBody(db, { projectId, source: null, kind, fileName, bytes: Buffer.from(text) })
    const rows = await db.sql<
      { id: string; title: string }[]
    >`select id, title from executions order by external_id`
    expect(rows.length).toBeGreaterThan(10)
    for (const { id, title } of rows) expect(await compared(id), title).toEqual(EQUAL)
  })

  test.skipIf(!existsSync(SAMPLES))(
    'are equal for every execution of real transcripts',
    async () => {
      const files = readdirSync(SAMPLES, { recursive: true, withFileTypes: true }).filter(
        (entry) => entry.isFile() && entry.name.endsWith('.jsonl'),
      )
      for (const { parentPath, name } of files) {
        const bytes = readFileSync(join(parentPath, name))
        // Larger ones say too large, and take their time to say it.
        if (bytes.length < 1_000_000)
          await ingestBody(db, {
            projectId,
            source: null,
            kind: 'claude-transcript',
            fileName: relative(SAMPLES, join(parentPath, name)),
            bytes,
          })
      }
      const rows = await db.sql<
        { id: string; external_id: string }[]
      >`select id, external_id from executions order by external_id`
      expect(rows.length).toBeGreaterThan(5)
      let equal = 0
      for (const { id, external_id } of rows) {
        const { verdict, states, told } = await compared(id)
        expect([told, verdict, states], external_id).toEqual([
          [],
          ...(states.includes('skipped_too_large') ? ['unknown', states] : ['equal', ['read', 'read']]),
        ])
        if (verdict === 'equal') equal++
      }
      expect(equal / rows.length).toBeGreaterThan(0.8)
    },
    240_000,
  )

  test('a check leaves nothing behind', async () => {
    const id = await take('claude-transcript', transcript())
    const [before, [jobs]] = [
      await storedContent(db),
      await db.sql`select (select count(*)::int from facet_deltas) as deltas, (select max(version) from executions) as version`,
    ]
    await compared(id)
    expect(await storedContent(db)).toEqual(before)
    expect(
      await db.sql`select (select count(*)::int from facet_deltas) as deltas, (select max(version) from executions) as version`,
    ).toEqual([jobs])
  })

  test.each<[string, (id: string) => (sql: TestDb['sql']) => Promise<unknown>, string]>([
    [
      'the outcome',
      (id) => (sql) => sql`update executions set outcome = 'running' where id = ${id}`,
      '/execution/outcome',
    ],
    [
      'the cause',
      (id) => (sql) => sql`update executions set cause_text = 'all is well' where id = ${id}`,
      '/execution/cause_text',
    ],
    [
      'what a record says',
      (id) => (sql) =>
        sql`update events set summary = 'nothing' where execution_id = ${id} and byte_offset = 0`,
      '/events/0/summary',
    ],
    [
      'a number in the facts',
      (id) => (sql) =>
        sql`update events set facts = facts || '{"added": 620356925057663015}' where execution_id = ${id} and byte_offset = 0`,
      'extra /events/0/facts/added',
    ],
    [
      'a record that is gone',
      (id) => (sql) => sql`delete from events where execution_id = ${id} and byte_offset = 0`,
      'missing /events/0',
    ],
    [
      'the class of a failure',
      (id) => (sql) =>
        sql`update calls set failure_class = 'timeout' where execution_id = ${id} and failure_class is not null`,
      '/calls/0/failure_class',
    ],
    [
      'a call that is gone',
      (id) => (sql) => sql`delete from calls where execution_id = ${id} and ordinal = 1`,
      'missing /calls/1',
    ],
  ])('%s is found where it was changed', async (_, change, path) => {
    const id = await take('claude-transcript', transcript())
    await tamper(change(id))
    const { verdict, told } = await compared(id)
    expect([verdict, told.length]).toEqual(['different', 1])
    expect(told[0]).toContain(path)
  })

  test('a kept part whose bytes were changed is named, and nothing is said to be equal', async () => {
    const id = await take('claude-transcript', transcript())
    await tamper((sql) => sql`update received set bytes = set_byte(bytes, 20, get_byte(bytes, 20) # 1)`)
    expect(await compared(id)).toEqual({
      verdict: 'unknown',
      worst: null,
      states: ['unreadable', 'read'],
      told: [],
      changed: 1,
    })
  })

  test('more than is derived anew is said to be too large', async () => {
    const id = await take('claude-transcript', transcript())
    await tamper(
      (sql) =>
        sql`update received set bytes = convert_to(repeat('x', ${limits.rederiveBytesMax + 1}), 'utf8'), sha256 = encode(sha256(convert_to(repeat('x', ${limits.rederiveBytesMax + 1}), 'utf8')), 'hex')`,
    )
    expect(await compared(id)).toMatchObject({ verdict: 'unknown', states: ['skipped_too_large', 'read'] })
  })

  test('neither many records nor long rows are derived for nothing', async () => {
    const id = await take('claude-transcript', transcript())
    await tamper(
      (sql) =>
        sql`update events set summary = repeat('x', ${limits.parityBytesMax}) where execution_id = ${id} and byte_offset = 0`,
    )
    expect(await compared(id)).toMatchObject({
      verdict: 'unknown',
      states: ['skipped_too_large', 'skipped_too_large'],
    })
    await tamper(
      (sql) => sql`update executions set records = ${limits.rederiveRecordsMax + 1} where id = ${id}`,
    )
    const stored = await readStoredLayers(db, [projectId], id)
    expect(stored!.layers).toEqual([
      { layer: 'source', text: null, state: 'skipped_too_large' },
      { layer: 'persisted', text: null, state: 'skipped_too_large' },
    ])
  })

  test('rows that are still to be brought up to what has come are called incomplete, not different', async () => {
    const id = await take('claude-transcript', transcript())
    await tamper((sql) => sql`update executions set dirty = true, title = 'old' where id = ${id}`)
    expect(await compared(id)).toMatchObject({ verdict: 'unknown', states: ['incomplete', 'incomplete'] })
  })

  test('what comes while a check is made is in both layers or in none', async () => {
    const [head, ...rest] = transcript()
      .trimEnd()
      .split('\n')
      .concat(
        Array.from({ length: 30 }, (_, i) =>
          new Transcript({
            sessionId: SESSION,
            startedAt: `2026-11-02T08:${String(i).padStart(2, '0')}:00.000Z`,
          })
            .user(`more ${i}`)
            .text.trimEnd(),
        ),
      )
    const first = await ingestBody(db, {
      projectId,
      source: null,
      kind: 'claude-transcript',
      bytes: Buffer.from(`${head}\n`),
    })
    const id = first.executions[0]!.id
    let isDone = false
    const grow = async (): Promise<void> => {
      let offset = first.nextOffset!
      for (const line of rest)
        offset = (
          await ingestBody(db, {
            projectId,
            source: null,
            kind: 'claude-transcript',
            bytes: Buffer.from(`${line}\n`),
            offset,
            streamId: first.streamId,
          })
        ).nextOffset!
      isDone = true
    }
    const told: string[][] = []
    const check = async (): Promise<void> => {
      while (!isDone) told.push((await compared(id)).told)
    }
    await Promise.all([grow(), check(), check()])
    expect(told.length).toBeGreaterThan(3)
    expect(told.flat()).toEqual([])
  })

  test('an execution of another project is not there', async () => {
    const id = await take('claude-transcript', transcript())
    const other = (await ensureProject(db.sql, { slug: 'other', name: 'Other' })).id
    expect(await readStoredLayers(db, [other], id)).toBe(null)
  })
})
