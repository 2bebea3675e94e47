import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { recordedRun, type RecordedRun } from '@/lib/sample/recorded-run'
import { forgetEverything } from '../testing/content'
import { Transcript } from '../seed/transcript'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBody } from '../writes/ingest'
import { ensureProject } from '../projects'
import { makeSigner, signChain, type Draft } from '@/lib/judge/receipts/testing/signed-chain'
import { listExecutionChains } from './chains'
import { readExecution } from './execution'

let db: TestDb
let projectId: string
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
})
afterEach(() => forgetEverything(db))
afterAll(() => db.close())

const sessionOf = (attempt: number): string => `0c0c0c0c-0000-4000-8000-${String(attempt).padStart(12, '0')}`
const take = async (attempt: number, more: Partial<RecordedRun>): Promise<string> => {
  const { stream, record } = recordedRun({ id: sessionOf(attempt), chain: { key: 'plan', attempt }, ...more })
  const body = (kind: 'record' | 'claude-stream', text: string) => ({
    projectId,
    source: null,
    kind,
    bytes: new TextEncoder().encode(text),
  })
  await ingestBody(db, body('claude-stream', stream!))
  return (await ingestBody(db, body('record', record))).executions[0]!.id
}
const effectsOf = async (id: string) => {
  const [chain] = await listExecutionChains(db, [projectId], id)
  return chain!.repeatedEffects.map(({ name, done }) => [
    name,
    ...done.map(({ executionId, calls, sameInput }) => [executionId, calls, sameInput]),
  ])
}

test('what a later attempt did again is told with the attempts that did it', async () => {
  const third = await take(3, { runs: ['cd /srv && git push', 'git push --force', 'npm test'] })
  const first = await take(1, { writes: ['/plan.md', '/only-first.md'], runs: ['git push', 'gh pr view 3'] })
  const second = await take(2, { writes: ['/plan.md'], runs: ['gh pr view 3'] })
  expect(await effectsOf(second)).toEqual([
    ['git push', [first, 1, true], [third, 2, false]],
    ['/plan.md', [first, 1, true], [second, 1, true]],
  ])
})

test('a call that failed or was not answered is no effect, and what an agent of the attempt did is one of the attempt', async () => {
  const failing = new Transcript({ sessionId: sessionOf(1) })
    .user('go')
    .call('Bash', { command: 'git push' }, { fails: 'Exit code 1' }).text
  const child = new Transcript({ sessionId: sessionOf(1), agentId: 'a1' })
    .user('go')
    .call('Write', { file_path: '/plan.md', content: 'x' }).text
  const first = await take(1, {})
  for (const [text, fileName] of [
    [failing, `${sessionOf(1)}.jsonl`],
    [child, `${sessionOf(1)}/subagents/agent-a1.jsonl`],
  ])
    await ingestBody(db, {
      projectId,
      source: null,
      kind: 'claude-transcript',
      bytes: new TextEncoder().encode(text!),
      fileName: fileName!,
    })
  const second = await take(2, { writes: ['/plan.md'], runs: ['git push'] })
  const [chain] = await listExecutionChains(db, [projectId], first)
  expect(chain!.repeatedEffects).toMatchObject([
    {
      kind: 'file',
      name: '/plan.md',
      done: [
        { attemptId: first, calls: 1 },
        { attemptId: second, executionId: second, sameInput: false },
      ],
    },
  ])
  expect(chain!.repeatedEffects[0]!.done[0]!.executionId).not.toBe(first)
})

test('of more calls than are read it is said', async () => {
  const many = Array.from({ length: 2_600 }, (_, i) => `/f${i}.md`)
  const first = await take(1, { writes: many })
  const [before] = await listExecutionChains(db, [projectId], first)
  expect(before!.effectsCut).toBe(false)
  await take(2, { writes: many })
  const [chain] = await listExecutionChains(db, [projectId], first)
  expect(chain).toMatchObject({ effectsCut: true })
  expect(chain!.repeatedEffects).toHaveLength(200)
})

const takeReceipts = async (drafts: readonly Draft[]) =>
  ingestBody(db, {
    projectId,
    source: null,
    kind: 'receipts',
    bytes: new TextEncoder().encode((await signChain(drafts, await makeSigner())).join('\n')),
  })
const paid = (attempt: number, correlation: string, more: Draft = {}): Draft => ({
  id: `urn:${attempt}:${correlation}`,
  issuer: { session_id: sessionOf(attempt) },
  chain: { chain_id: `chain-${attempt}` },
  subject: { correlation_id: correlation },
  outcome: { status: 'success' },
  ...more,
  action: {
    type: 'financial.payment.send',
    tool_name: 'pay',
    target: { system: 'bank', resource: 'shop' },
    parameters_hash: 'sha256:1',
    timestamp: '2026-06-01T00:00:00Z',
    ...more.action,
  },
})

test('what receipts say was done by two attempts is asserted by their parameters, with the receipts; a call of both channels is one effect', async () => {
  const first = await take(1, { runs: ['git push'] })
  const second = await take(2, { runs: ['git push'] })
  const [callId] = await db.sql<
    { call_id: string }[]
  >`select call_id from calls where execution_id = ${first} and tool = 'Bash'`
  await takeReceipts([
    paid(1, 'p1'),
    paid(1, callId!.call_id, {
      action: { type: 'system.command.execute', tool_name: 'Bash', target: undefined },
    }),
  ])
  await takeReceipts([paid(2, 'p2')])
  const [chain] = await listExecutionChains(db, [projectId], second)
  const receipt = (sequence: number, executionId: string) => ({
    key: expect.any(String),
    executionId,
    sequence,
  })
  expect(chain!.repeatedEffects).toEqual([
    {
      kind: 'command',
      name: 'git push',
      done: [
        {
          attemptId: first,
          executionId: first,
          callId: callId!.call_id,
          calls: 1,
          done: true,
          sameInput: true,
          basis: 'inferred',
          receipts: [receipt(2, first)],
        },
        {
          attemptId: second,
          executionId: second,
          callId: expect.any(String),
          calls: 1,
          done: true,
          sameInput: true,
          basis: 'inferred',
          receipts: [],
        },
      ],
    },
    {
      kind: 'tool',
      name: 'pay shop',
      done: [
        {
          attemptId: first,
          executionId: first,
          callId: 'p1',
          calls: 1,
          done: true,
          sameInput: true,
          basis: 'inferred',
          receipts: [receipt(1, first)],
        },
        {
          attemptId: second,
          executionId: second,
          callId: 'p2',
          calls: 1,
          done: true,
          sameInput: true,
          basis: 'asserted',
          receipts: [receipt(1, second)],
        },
      ],
    },
  ])
})

test('of a payment that was cut off nobody knows, and one that was declined did nothing', async () => {
  const first = await take(1, {})
  const second = await take(2, {})
  await takeReceipts([
    paid(1, 'p1', { outcome: { status: 'failure', error: 'tool call interrupted' } }),
    paid(1, 'r1', {
      action: { type: 'financial.booking.create', tool_name: 'book' },
      outcome: { status: 'failure', error: 'declined' },
    }),
  ])
  await takeReceipts([
    paid(2, 'p2'),
    paid(2, 'r2', { action: { type: 'financial.booking.create', tool_name: 'book' } }),
  ])
  const [chain] = await listExecutionChains(db, [projectId], first)
  expect(chain!.repeatedEffects).toMatchObject([
    {
      name: 'pay shop',
      done: [
        { attemptId: first, done: null },
        { attemptId: second, done: true },
      ],
    },
  ])
})

test('what one execution did twice under one idempotency key is told with its receipts, a lost update is not', async () => {
  const key = { action: { idempotency_key: 'k' } }
  const answer = await takeReceipts([
    paid(7, 'p1', key),
    paid(7, 'p2', key),
    paid(7, 'e1', {
      action: { type: 'filesystem.file.modify', tool_name: 'Edit' },
      outcome: { status: 'failure', error: 'File has been modified since read' },
    }),
    paid(7, 'e2', { action: { type: 'filesystem.file.modify', tool_name: 'Edit' } }),
  ])
  const { repeats, silence } = (await readExecution(db, [projectId], answer.executions[0]!.id))!
  expect(repeats).toMatchObject([
    {
      name: 'pay shop',
      rule: 'idempotency_key',
      basis: 'asserted',
      calls: [
        { callId: 'p1', done: true, receipts: [{ sequence: 1, key: expect.any(String) }] },
        { callId: 'p2', done: true, receipts: [{ sequence: 2, key: expect.any(String) }] },
      ],
    },
  ])
  expect(repeats).toHaveLength(1)
  expect(silence!.counts).toEqual({ retry: 1 })
})
