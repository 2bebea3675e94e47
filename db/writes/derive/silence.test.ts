import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { parseFilter } from '@/lib/views/executions/filter'
import { makeSigner, signChain, type Draft, type Signer } from '@/lib/judge/receipts/testing/signed-chain'
import { readExecution } from '../../queries/execution'
import { listExecutions, listFacets } from '../../queries/executions'
import { Transcript } from '../../seed/transcript'
import { forgetEverything, storedContent } from '../../testing/content'
import { testDb, type TestDb } from '../../testing/test-db'
import { lockNames } from '../../locks'
import { ingestBody } from '../ingest'
import { ensureProject } from '../../projects'
import { reingest } from '../../rebuild/reingest'

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

const SESSION = '0d0d0d0d-0000-4000-8000-00000000000'
const take = (...texts: string[]) =>
  ingestBody(db, {
    projectId,
    source: null,
    kind: 'receipts',
    bytes: new TextEncoder().encode(texts.join('\n')),
  })
const takeTranscript = (text: string) =>
  ingestBody(db, {
    projectId,
    source: null,
    kind: 'claude-transcript',
    bytes: new TextEncoder().encode(text),
  })
const edit = (session: string, n: number, more: Draft = {}): Draft => ({
  issuer: { session_id: SESSION + session },
  subject: { correlation_id: `toolu_${n}` },
  outcome: { status: 'success' },
  ...more,
  action: {
    type: 'filesystem.file.modify',
    tool_name: 'Edit',
    target: { system: 'filesystem', resource: `/srv/${n}` },
    timestamp: `2026-06-01T00:0${n}:00Z`,
    ...more.action,
  },
})
const find = async (q: string) =>
  (await listExecutions(db, { projectIds: [projectId], filter: parseFilter(q).filter })).items
    .map((item) => item.externalId.slice(-1))
    .sort()
    .join('')
const facet = async () =>
  Object.fromEntries(
    (await listFacets(db, { projectIds: [projectId], filter: parseFilter('').filter })).facets.silence.map(
      ({ value, count }) => [value, count],
    ),
  )
const silenceOf = async (session: string) => {
  const { items } = await listExecutions(db, { projectIds: [projectId], filter: parseFilter('').filter })
  return (await readExecution(
    db,
    [projectId],
    items.find((item) => item.externalId === SESSION + session)!.id,
  ))!.silence
}

describe('a gap', () => {
  test('is named on both executions beside it, with the receipts to open, and is gone from both when a third one fills it', async () => {
    const texts = await signChain([edit('1', 1), edit('3', 2), edit('3', 3), edit('2', 4)], signer)
    await take(texts[0]!)
    expect(await facet()).toEqual({})
    const [, , , last] = texts
    await take(last!)
    expect([await find('silence:gap'), await facet()]).toEqual(['12', { gap: 2 }])
    for (const session of ['1', '2'])
      expect(await silenceOf(session)).toMatchObject({
        counts: { gap: 1 },
        findings: [
          {
            kind: 'gap',
            count: 2,
            receipts: [
              { sequence: 1, key: expect.any(String) },
              { sequence: 4, key: expect.any(String) },
            ],
          },
        ],
      })
    await take(texts[1]!)
    expect([await find('silence:gap'), await silenceOf('1')]).toEqual(['23', null])
    await take(texts[2]!)
    expect([await find('silence:gap'), await facet()]).toEqual(['', {}])
  })

  test('of two that come at once is seen by one of them', async () => {
    const texts = await signChain([edit('1', 1), edit('1', 2), edit('2', 3)], signer)
    await Promise.all([take(texts[0]!), take(texts[2]!)])
    expect(await find('silence:gap')).toBe('12')
  })

  test('is looked for by one writer of a chain after the other', async () => {
    const [text] = await signChain([edit('1', 1)], signer)
    let [locked, release] = [(): void => {}, (): void => {}]
    const isLocked = new Promise<void>((resolve) => (locked = resolve))
    const released = new Promise<void>((resolve) => (release = resolve))
    const held = db.sql.begin(async (tx) => {
      await lockNames(tx, [`receipts ${projectId} c`])
      locked()
      await released
    })
    await isLocked
    const taken = take(text!)
    try {
      await vi.waitFor(
        async () =>
          expect(
            await db.sql`select 1 from pg_locks where locktype = 'advisory' and not granted`,
          ).toHaveLength(1),
        { timeout: 10_000 },
      )
    } finally {
      release()
    }
    await held
    expect((await taken).accepted).toBe(1)
  })

  test('of one that two claim is no gap, and what has no number leaves none', async () => {
    const [first, second] = await signChain([edit('1', 1), edit('1', 2)], signer)
    await take(
      first!,
      second!,
      second!.replace('"success"', '"failure"'),
      second!.replace('"sequence":2', '"sequence":"x"'),
    )
    expect(await find('silence:gap')).toBe('')
  })
})

test('lost events, retries without a failure, successes that are none and answers that did not come are found and counted', async () => {
  await take(
    ...(await signChain(
      [
        edit('1', 1),
        edit('1', 2, {
          action: {
            type: 'agent_receipts.events_dropped',
            tool_name: undefined,
            emitter_metadata: { drop_count: 3 },
          },
          subject: {},
        }),
        edit('2', 3, { action: { idempotency_key: 'k' } }),
        edit('2', 4, { action: { idempotency_key: 'k' } }),
        edit('3', 5, { outcome: { status: 'pending' } }),
      ],
      signer,
    )),
  )
  const transcript = new Transcript({ sessionId: `${SESSION}4` })
    .user('go')
    .call('mcp__shop__put', { path: '/a' }, { fails: 'no such shop' })
  const callId = /"id":"(toolu[^"]*)"/.exec(transcript.text)![1]!
  const [ofMcp] = await signChain(
    [
      edit('4', 1, {
        chain: { chain_id: 'd' },
        action: { tool_name: 'mcp__shop__put' },
        subject: { correlation_id: callId },
      }),
    ],
    signer,
  )
  await take(ofMcp!)
  expect(await find('silence:disagrees')).toBe('')
  await takeTranscript(transcript.text)
  expect(await facet()).toEqual({ dropped: 1, retry: 1, unanswered: 1, disagrees: 1 })
  expect([
    await find('silence:dropped'),
    await find('silence:retry'),
    await find('silence:unanswered'),
    await find('silence:disagrees'),
  ]).toEqual(['1', '2', '3', '4'])
  expect(await find('silence:dropped silence:retry')).toBe('12')
  expect((await silenceOf('1'))!.findings).toMatchObject([{ kind: 'dropped', count: 3 }])
})

test('one order or another, in one body or many, or derived anew: the same', async () => {
  const texts = await signChain(
    [
      edit('1', 1, { outcome: { status: 'pending' } }),
      edit('2', 2),
      edit('1', 3, { action: { emitter_metadata: { drop_count: 1 } } }),
      edit('3', 4),
      edit('2', 6),
      edit('1', 7),
    ].map((draft, i) => (i < 4 ? draft : { ...draft, chain: { sequence: i + 2 } })),
    signer,
  )
  await take(...texts)
  const whole = await storedContent(db)
  expect(await find('silence:gap')).toBe('23')
  await reingest(db, {})
  expect(await storedContent(db)).toEqual(whole)
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(texts, { minLength: texts.length }),
      fc.integer({ min: 1, max: 3 }),
      async (order, size) => {
        await forgetEverything(db)
        for (let from = 0; from < order.length; from += size) await take(...order.slice(from, from + size))
        const { executions, marks, counts } = await storedContent(db)
        expect({ executions, marks, counts }).toEqual({
          executions: whole.executions,
          marks: whole.marks,
          counts: whole.counts,
        })
      },
    ),
    { numRuns: 12 },
  )
})
