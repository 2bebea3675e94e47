import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  makeSigner,
  signChain,
  signReceipt,
  type Draft,
  type Signer,
} from '@/lib/judge/receipts/testing/signed-chain'
import { readExecution } from '../queries/execution'
import { listCalls } from '../queries/calls'
import { listExecutions } from '../queries/executions'
import { emptyFilter } from '@/lib/views/executions/filter'
import { Transcript } from '../seed/transcript'
import { forgetEverything, storedContent } from '../testing/content'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBody } from './ingest'
import { ensureProject } from '../projects'
import { reingest } from '../rebuild/reingest'

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

const SESSION = '0d0d0d0d-0000-4000-8000-000000000001'
const take = (text: string) =>
  ingestBody(db, { projectId, source: null, kind: 'receipts', bytes: new TextEncoder().encode(text) })
const edit = (n: number, status: string, more: Draft = {}): Draft => ({
  issuer: { session_id: SESSION },
  subject: { correlation_id: `toolu_${n}` },
  action: {
    type: 'filesystem.file.modify',
    tool_name: 'Edit',
    target: { system: 'filesystem', resource: '/srv/shop/tax.ts' },
    timestamp: `2026-06-01T00:0${n}:00Z`,
  },
  outcome: {
    status,
    ...(status === 'failure'
      ? { error: 'File has been modified since read, either by the user or by a linter.\u0000' }
      : {}),
  },
  ...more,
})
const rows = () => db.sql<
  { chain_id: string; sequence: number | null; receipt_id: string; status: string; bytes: Uint8Array }[]
>`
  select chain_id, sequence, receipt_id, status, substring(b.bytes from r.kept_start + 1 for r.kept_end - r.kept_start) as bytes
  from receipts r join received b on b.project_id = r.project_id and b.id = r.received_id order by chain_id, sequence, stream_id`

describe('receipts of a session', () => {
  test('stand byte for byte in their chain, and are calls of the session: the edit that lost a race and succeeded', async () => {
    const texts = await signChain([edit(1, 'failure'), edit(2, 'success')], signer)
    const answer = await take(texts.join('\n'))
    expect(answer).toMatchObject({ accepted: 2, duplicates: 0, oddTotal: 0, conflicts: [] })
    expect(
      (await rows()).map((row) => [
        row.chain_id,
        row.sequence,
        row.status,
        new TextDecoder().decode(row.bytes),
      ]),
    ).toEqual([
      ['c', 1, 'failure', texts[0]],
      ['c', 2, 'success', texts[1]],
    ])
    const { id, externalId } = answer.executions[0]!
    expect(externalId).toBe(SESSION)
    const detail = (await readExecution(db, [projectId], id))!
    expect(detail.chains).toMatchObject([
      {
        tool: 'Edit',
        target: '/srv/shop/tax.ts',
        failedCallIds: ['toolu_1'],
        nextCallId: 'toolu_2',
        recovered: true,
      },
    ])
    const { items } = await listCalls(db, { projectIds: [projectId], id })
    expect(items.map(({ callId, state, failureClass }) => [callId, state, failureClass])).toEqual([
      ['toolu_1', 'failed', 'not_read_first'],
      ['toolu_2', 'succeeded', null],
    ])
  })

  test('join the transcript of the session, whichever came first; a call that both tell is one', async () => {
    const transcript = new Transcript({ sessionId: SESSION })
      .user('go')
      .call('Edit', { file_path: '/srv/shop/tax.ts' }, { fails: 'File has been modified since read' })
    const callId = /"id":"(toolu[^"]*)"/.exec(transcript.text)![1]!
    const [receipt] = await signChain([edit(1, 'failure', { subject: { correlation_id: callId } })], signer)
    const body = {
      projectId,
      source: null,
      kind: 'claude-transcript' as const,
      bytes: new TextEncoder().encode(transcript.text),
    }
    const contents: unknown[] = []
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      for (const i of order)
        if (i === 0) await ingestBody(db, body)
        else await take(receipt!)
      const { items } = await listExecutions(db, { projectIds: [projectId], filter: emptyFilter() })
      expect(items).toHaveLength(1)
      const attempts = await listCalls(db, { projectIds: [projectId], id: items[0]!.id })
      expect(attempts.items).toHaveLength(1)
      contents.push(attempts.items.map(({ callId, state, tool }) => [callId, state, tool]))
      await forgetEverything(db)
    }
    expect(contents[0]).toEqual(contents[1])
  })

  test('a list, an export and lines hold the same receipts; twice adds nothing', async () => {
    const texts = await signChain([edit(1, 'failure'), edit(2, 'success'), edit(3, 'pending')], signer)
    expect(await take(`[${texts.join(',')}]`)).toMatchObject({ accepted: 3, duplicates: 0 })
    expect(await take(`${texts.join('\n')}\n`)).toMatchObject({ accepted: 0, duplicates: 3 })
    expect(await take(`{"version": 1,\n "receipts": [\n${texts.join(',\n')}]}`)).toMatchObject({
      accepted: 0,
      duplicates: 3,
    })
    expect(await rows()).toHaveLength(3)
  })

  test('of two rivals for one place, and of two receipts under one id, both are kept and told', async () => {
    const [first, second] = await signChain([edit(1, 'success'), edit(2, 'success')], signer)
    await take(`${first}\n${second}`)
    const rival = await signReceipt(
      { ...edit(2, 'failure'), id: 'urn:receipt:rival', chain: { sequence: 2 } },
      signer,
    )
    expect((await take(rival)).conflicts).toEqual([
      { id: 'urn:receipt:rival', chainId: 'c', sequence: 2, with: 'urn:receipt:2', over: 'place' },
    ])
    const forged = await signReceipt(
      { ...edit(9, 'success'), id: 'urn:receipt:1', chain: { sequence: 9 } },
      signer,
    )
    expect((await take(forged)).conflicts).toEqual([
      { id: 'urn:receipt:1', chainId: 'c', sequence: 9, with: 'urn:receipt:1', over: 'id' },
    ])
    expect((await rows()).map((row) => row.receipt_id)).toEqual([
      'urn:receipt:1',
      'urn:receipt:2',
      'urn:receipt:rival',
      'urn:receipt:1',
    ])
  })

  test('the order in which they come does not matter, and a derivation anew changes nothing', async () => {
    const texts = await signChain([edit(1, 'pending'), edit(1, 'failure'), edit(2, 'success')], signer)
    await take(texts.join('\n'))
    const before = await storedContent(db)
    await reingest(db, {})
    expect(await storedContent(db)).toEqual(before)
    expect(await rows()).toHaveLength(3)
    await forgetEverything(db)
    for (const text of texts.toReversed()) await take(text)
    expect((await rows()).map((row) => new TextDecoder().decode(row.bytes))).toEqual(texts)
    const { items } = await listExecutions(db, { projectIds: [projectId], filter: emptyFilter() })
    expect(
      (await listCalls(db, { projectIds: [projectId], id: items[0]!.id })).items.map(({ state }) => state),
    ).toEqual(['failed', 'succeeded'])
  })
})

describe('what is no receipt', () => {
  test.each([
    ['nothing', '', 0, 1],
    ['a number', '7', 0, 1],
    ['torn', '{"@context":[],"credentialSubject":{"chain":{"chain_id":"c"', 0, 1],
    ['no chain and no session', '{"@context":[],"credentialSubject":{}}', 1, 1],
    ['deep', `{"credentialSubject":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 1, 1],
  ])('%s is odd, and in no list', async (_, text, accepted, odd) => {
    const answer = await take(text)
    expect([answer.accepted >= accepted, answer.oddTotal]).toEqual([true, odd])
    expect((await listExecutions(db, { projectIds: [projectId], filter: emptyFilter() })).items).toEqual([])
  })

  test.each([
    [
      'a number beyond doubles',
      (text: string) => text.replace('"risk_level":"low"', '"risk_level":1e400'),
      'number',
    ],
    [
      'half a surrogate pair',
      (text: string) => text.replace('"risk_level":"low"', '"risk_level":"\\ud800"'),
      'surrogate',
    ],
    ['no outcome', (text: string) => text.replace('"outcome"', '"outcame"'), 'part'],
  ])('with %s keeps its place in the chain, and is told to be odd', async (_, change, why) => {
    const [text] = await signChain([edit(1, 'success')], signer)
    const answer = await take(change(text!))
    expect(answer.odd).toMatchObject([{ reason: 'wrong_type', detail: expect.stringContaining(why) }])
    expect(
      (await rows()).map((row) => [row.chain_id, row.sequence, new TextDecoder().decode(row.bytes)]),
    ).toEqual([['c', 1, change(text!)]])
  })

  test('`__proto__`, NUL escapes and keys that stand twice are kept as they came', async () => {
    const [text] = await signChain([edit(1, 'success')], signer)
    const odd = text!.replace(
      '"credentialSubject":{',
      '"__proto__":{"a":1},"nul":"\\u0000","nul":"b","credentialSubject":{',
    )
    await take(odd)
    expect((await rows()).map((row) => new TextDecoder().decode(row.bytes))).toEqual([odd])
  })
})
