import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { makeSigner, signChain, type Draft, type Signer } from '@/lib/judge/receipts/testing/signed-chain'
import { Transcript } from '../seed/transcript'
import { forgetEverything } from '../testing/content'
import { testDb, type TestDb } from '../testing/test-db'
import { listCalls } from '../queries/calls'
import { listEvents } from '../queries/events'
import { readExecution } from '../queries/execution'
import { ingestBody } from './ingest'
import { ensureProject } from '../projects'

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

const SESSION = '0d0d0d0d-0000-4000-8000-0000000000e1'
const take = (text: string) =>
  ingestBody(db, { projectId, source: null, kind: 'receipts', bytes: new TextEncoder().encode(text) })
const read = async (drafts: Draft[], issuer: Draft['issuer'] = {}) => {
  const chain = drafts.map((draft) => ({
    ...draft,
    issuer: { session_id: SESSION, ...issuer, ...draft.issuer },
  }))
  const { executions } = await take((await signChain(chain, signer)).join('\n'))
  return (await readExecution(db, [projectId], executions[0]!.id))!
}
const call = (tool_name: string, outcome: Draft['outcome'], more: Record<string, unknown> = {}): Draft => ({
  action: { tool_name, ...more },
  outcome,
})
const failure = (error?: string): Draft['outcome'] => ({
  status: 'failure',
  ...(error === undefined ? {} : { error }),
})
const onFile = { target: { system: 'filesystem', resource: '/srv/shop/tax.ts' } }
const asked = (draft: Draft, prompt_preview: string, cut = false): Draft => ({
  ...draft,
  subject: { intent: { prompt_preview, ...(cut ? { prompt_preview_truncated: true } : {}) } },
})

test.each<[string, Draft[], Draft['issuer'], string | null]>([
  [
    'what was asked',
    [asked(call('Read', {}), 'Fix the rounding')],
    { name: 'Claude Code' },
    'Fix the rounding',
  ],
  [
    'what was asked, cut',
    [asked(call('Read', {}), 'Fix the rounding of every', true)],
    {},
    'Fix the rounding of every…',
  ],
  [
    'who acted and what failed first',
    [call('Edit', failure('no'), onFile), call('Bash', failure('Exit code 2'))],
    { name: 'Claude Code' },
    'Claude Code: Edit on shop/tax.ts failed',
  ],
  [
    'the kind of agent before its issuer',
    [call('Read', {})],
    { name: 'Claude Code', runtime: { agent_type: 'reviewer' } },
    'reviewer',
  ],
  [
    'what failed first',
    [call('Read', {}), call('Bash', failure('Exit code 2'))],
    {},
    'Bash exited with code 2',
  ],
  ['nothing that is recorded', [call('Read', {})], {}, null],
])('the title says %s', async (_name, drafts, issuer, title) => {
  expect((await read(drafts, issuer)).title).toBe(title)
})

test('what a transcript says was asked comes before what a receipt quotes of it, and its model too', async () => {
  const id = (await read([asked(call('Read', {}), 'Fix the')], { model: 'claude-sonnet-4-6' })).id
  expect(await readExecution(db, [projectId], id)).toMatchObject({
    title: 'Fix the',
    labels: { model: 'claude-sonnet-4-6' },
  })
  const text = new Transcript({ sessionId: SESSION }).user('Fix the rounding of the tax').says('Done.').text
  await ingestBody(db, {
    projectId,
    source: null,
    kind: 'claude-transcript',
    bytes: new TextEncoder().encode(text),
  })
  expect((await readExecution(db, [projectId], id))!.title).toBe('Fix the rounding of the tax')
})

test.each<[string, Draft[], { outcome: string; rule: string; cause: string | null; retry: string | null }]>([
  [
    'all went well',
    [call('Read', {}), call('Edit', {}, onFile)],
    { outcome: 'unknown', rule: 'no_activity', cause: null, retry: null },
  ],
  [
    'the last call failed',
    [call('Read', {}), call('Edit', failure('String to replace not found in file.'), onFile)],
    {
      outcome: 'failed',
      rule: 'failed_call_last',
      cause: 'Edit on shop/tax.ts did not find the text to replace: “String to replace not found in file.”',
      retry: 'unknown',
    },
  ],
  [
    'a failure without a reason',
    [call('WebFetch', failure())],
    {
      outcome: 'failed',
      rule: 'failed_call_last',
      cause: 'WebFetch failed',
      retry: 'unknown',
    },
  ],
  [
    'a call that a policy blocked',
    [call('Bash', failure('blocked by policy: no network')), call('Read', {})],
    {
      outcome: 'unknown',
      rule: 'no_activity',
      cause:
        'Bash was denied permission: “blocked by policy: no network”\nUnknown how the run ended; 1 of 2 calls failed; unclear if retried.',
      retry: 'cannot-help',
    },
  ],
  [
    'a call that was denied',
    [call('Bash', failure('tool call denied by approval workflow: not now'))],
    {
      outcome: 'failed',
      rule: 'failed_call_last',
      cause: 'Bash was denied permission: “tool call denied by approval workflow: not now”',
      retry: 'cannot-help',
    },
  ],
  [
    'an interrupted call',
    [call('Read', {}), call('Bash', failure('tool call interrupted'))],
    {
      outcome: 'interrupted',
      rule: 'interrupted_last',
      cause: 'A person interrupted Bash: “tool call interrupted”',
      retry: 'unknown',
    },
  ],
  [
    'a call that waits for its result',
    [call('Bash', { status: 'pending' })],
    {
      outcome: 'unknown',
      rule: 'call_without_result',
      cause: 'The record ends before Bash returned',
      retry: 'unknown',
    },
  ],
])('%s: what receipts alone can say, and no more', async (_name, drafts, want) => {
  const { outcome, outcomeBasis, outcomeBecause, outcomeRule, cause, advice } = await read(
    drafts.map((draft, i) => ({
      ...draft,
      action: { timestamp: `2026-06-01T00:00:0${i}Z`, ...draft.action },
    })),
  )
  expect({ outcome, rule: outcomeRule, cause: cause?.text ?? null, retry: advice?.retry ?? null }).toEqual(
    want,
  )
  expect(outcomeBasis).toBe('inferred')
  expect(outcomeBecause).toMatch(/receipt/)
  if (advice) expect(advice.next).not.toBe('')
})

test('how long a call took is known where its receipts have two times', async () => {
  const at = (s: number) => ({ timestamp: `2026-06-01T00:00:0${s}Z` })
  const { id } = await read([
    call('Bash', {}, at(0)),
    { ...call('Bash', { status: 'pending' }, at(1)), subject: { correlation_id: 'toolu_1' } },
    { ...call('Bash', {}, at(4)), subject: { correlation_id: 'toolu_1' } },
  ])
  expect(
    (await listCalls(db, { projectIds: [projectId], id })).items.map(({ durationMs }) => durationMs),
  ).toEqual([null, 3_000])
})

test('receipts of one second stand by their numbers, in whatever order they come', async () => {
  const at = { timestamp: '2026-06-01T00:00:00Z', ...onFile }
  const drafts = Array.from({ length: 12 }, (_, i) => ({
    ...call('Edit', i === 11 ? {} : failure(`no ${i}`), at),
    id: `urn:receipt:${i}`,
    issuer: { session_id: SESSION },
  }))
  const texts = await signChain(drafts, signer)
  for (const text of texts.toReversed()) await take(text)
  const { executions } = await take(texts[0]!)
  const { id } = executions[0]!
  const { items } = await listCalls(db, { projectIds: [projectId], id })
  expect(items.map(({ callId }) => callId)).toEqual(texts.map((_, i) => `urn:receipt:${i}`))
  expect((await readExecution(db, [projectId], id))!.chains).toMatchObject([
    { recovered: true, failedCallIds: { length: 11 } },
  ])
  const events = await listEvents(db, { projectIds: [projectId], id })
  expect(events.items.map(({ summary }) => /no \d+/.exec(summary)?.[0] ?? 'done')).toEqual([
    ...Array.from({ length: 11 }, (_, i) => `no ${i}`),
    'done',
  ])
})

test('that a later attempt had the same input is only said where both hashes are there and equal', async () => {
  const hash = (digit: string) => ({ parameters_hash: `sha256:${digit.repeat(64)}`, ...onFile })
  const cases: [Record<string, unknown>, Record<string, unknown>, boolean | null, string][] = [
    [onFile, onFile, null, 'Helped: a later call worked'],
    [hash('a'), onFile, null, 'Helped: a later call worked'],
    [hash('a'), hash('a'), false, 'Helped: the same call worked'],
    [hash('a'), hash('b'), true, 'Helped: it worked with a different input'],
  ]
  for (const [first, second, changed, verdict] of cases) {
    const { id, advice } = await read([
      call('Edit', failure('no'), { ...first, timestamp: '2026-06-01T00:00:00Z' }),
      call('Edit', {}, { ...second, timestamp: '2026-06-01T00:00:01Z' }),
    ])
    const { items } = await listCalls(db, { projectIds: [projectId], id })
    expect(items[1]!.inputChanged).toBe(changed)
    expect(advice?.verdict).toContain(verdict)
    await forgetEverything(db)
  }
})

test('a receipt of a call that a transcript tells disagrees with nothing by what it leaves out', async () => {
  const transcript = new Transcript({ sessionId: SESSION })
    .user('go')
    .call('Bash', { command: 'make' }, { ok: 'made' })
    .says('Done.')
  const correlation_id = /"id":"(toolu[^"]*)"/.exec(transcript.text)![1]!
  const { id } = await read([
    { ...call('Bash', {}, { parameters_hash: `sha256:${'a'.repeat(64)}` }), subject: { correlation_id } },
  ])
  await ingestBody(db, {
    projectId,
    source: null,
    kind: 'claude-transcript',
    bytes: new TextEncoder().encode(transcript.text),
  })
  const [listed] = (await listCalls(db, { projectIds: [projectId], id })).items
  expect(listed).toMatchObject({ callId: correlation_id, target: 'make', disagreements: [] })
  expect((await readExecution(db, [projectId], id))!.disagreements).toEqual([])
})
