import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHash } from 'node:crypto'
import type { EventItem } from '@/lib/api/schemas'
import { Transcript } from '../seed/transcript'
import { testDb, type TestDb } from '../testing/test-db'
import { ensureSource } from '../writes/receive/ensure-source'
import { ingestBody } from '../writes/ingest'
import { ensureProject } from '../projects'
import { listCalls } from './calls'
import { BadCursorError } from './cursor'
import { listEvents } from './events'
import { readExecution } from './execution'
import { findAnyId } from './find-any-id'
import { firstRunState } from './first-run'
import { listOdd } from './odd'
import { listReceivedParts, readReceivedRange } from './received'
import { listSources, readReceivedSources } from './sources'
import { readStreamStanding } from './streams'

const SESSION = '0d0d0d0d-0000-4000-8000-000000000001'
let db: TestDb
let projectId: string
let id: string
let childId: string
let streamId: string
const main = new Transcript({ sessionId: SESSION })
for (let i = 0; i < 40; i++)
  main
    .user(`step ${i}`)
    .call(
      'Bash',
      { command: `make step-${i}` },
      i % 4 === 0 ? { fails: `Exit code ${i + 1}` } : { ok: 'fine' },
    )
const frames = Array.from({ length: 7 }, (_, i) =>
  JSON.stringify({
    timestamp: `2026-11-01T20:00:0${i}.000Z`,
    session_id: SESSION,
    hook_event_name: 'Notification',
    message: `note ${i}`,
  }),
)
const child = new Transcript({ sessionId: SESSION, agentId: 'a1', startedAt: '2026-11-01T07:00:00.000Z' })
  .user('go')
  .says('done')

beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
  expect(await firstRunState(db, [projectId])).toEqual({ noPeople: true, empty: true, sources: 0 })
  const answer = await ingestBody(db, {
    projectId,
    source: null,
    kind: 'claude-transcript',
    bytes: Buffer.from(`${main.text}not json\n`),
  })
  id = answer.executions[0]!.id
  streamId = answer.streamId!
  await ingestBody(db, {
    projectId,
    source: null,
    kind: 'claude-hook',
    bytes: Buffer.from(frames.join('\n')),
  })
  const below = await ingestBody(db, {
    projectId,
    source: null,
    kind: 'claude-transcript',
    bytes: Buffer.from(child.text),
    fileName: `${SESSION}/subagents/agent-a1.jsonl`,
  })
  childId = below.executions[0]!.id
})
afterAll(() => db.close())

const pages = async (limit: number): Promise<EventItem[]> => {
  const items: EventItem[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof listEvents>> = await listEvents(db, {
      projectIds: [projectId],
      id,
      cursor,
      limit,
    })
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  return items
}

test('pages of events tile the execution in the order of its analysis, whatever their size', async () => {
  const whole = await pages(200)
  expect(whole).toHaveLength(128)
  expect(whole.map((event) => event.ordinal)).toEqual(whole.map((_, i) => i))
  // The transcript first, by offset; then the frames, each a stream of its own, by their time.
  expect(whole.slice(0, 121).map((event) => event.channel)).toEqual(
    Array.from({ length: 121 }, () => 'transcript'),
  )
  expect(whole.slice(0, 121).map((event) => event.offset)).toEqual(
    whole
      .slice(0, 121)
      .map((event) => event.offset)
      .sort((a, b) => a - b),
  )
  expect(whole.slice(121).map((event) => event.summary)).toEqual(
    frames.map((_, i) => expect.stringContaining(`note ${i}`)),
  )
  for (const limit of [1, 7, 50, 121, 122]) expect(await pages(limit), String(limit)).toEqual(whole)
})

test('a page back leads to where the page before began', async () => {
  const second = await listEvents(db, {
    projectIds: [projectId],
    id,
    cursor: (await listEvents(db, { projectIds: [projectId], id, limit: 10 })).nextCursor,
    limit: 10,
  })
  const back = await listEvents(db, { projectIds: [projectId], id, cursor: second.prevCursor, limit: 10 })
  expect([second.items[0]!.ordinal, back.items[0]!.ordinal, back.prevCursor]).toEqual([10, 0, null])
})

test('a page around a place in the bytes holds the record that stands there, in any stream', async () => {
  for (const event of (await pages(200)).filter((_, i) => i % 9 === 0)) {
    const middle = {
      ...event.pointer,
      byteStart: Math.floor((event.pointer.byteStart + event.pointer.byteEnd) / 2),
    }
    const { items } = await listEvents(db, { projectIds: [projectId], id, around: middle, limit: 20 })
    expect(items.map((item) => item.ordinal)).toContain(event.ordinal)
  }
  expect(
    (
      await listEvents(db, {
        projectIds: [projectId],
        id,
        around: { received: '0'.repeat(64), byteStart: 0, byteEnd: 1 },
        limit: 5,
      })
    ).items[0]!.ordinal,
  ).toBe(0)
})

test('pointers of events lead to their lines, and a range reads only what it names', async () => {
  for (const event of (await pages(200)).filter((one, i) => i % 20 === 0 && one.kind !== 'odd')) {
    const { received, byteStart, byteEnd } = event.pointer
    const range = await readReceivedRange(db, [projectId], received, byteStart, byteEnd)
    expect(JSON.parse(Buffer.from(range!.bytes).toString())).toBeTypeOf('object')
  }
  const [part] = await listReceivedParts(db, [projectId], id)
  const whole = await readReceivedRange(db, [projectId], part!.received)
  expect(createHash('sha256').update(whole!.bytes).digest('hex')).toBe(part!.received)
  expect(whole!.bytes).toHaveLength(part!.keptLength)
  expect(await readReceivedRange(db, [projectId], part!.received, -5, 3)).toMatchObject({ start: 0, end: 3 })
  expect(await readReceivedRange(db, [projectId], part!.received, 10 ** 9, 10 ** 10)).toMatchObject({
    start: part!.keptLength,
    end: part!.keptLength,
  })
  expect(await readReceivedRange(db, [], part!.received)).toBeNull()
})

test('attempts come in their order, all or only failed ones, in pages', async () => {
  const { items } = await listCalls(db, { projectIds: [projectId], id })
  expect(items.map((a) => a.ordinal)).toEqual(Array.from({ length: 40 }, (_, i) => i))
  const failed = await listCalls(db, { projectIds: [projectId], id, failedOnly: true, limit: 3 })
  expect(failed.items.map((a) => a.errorText)).toEqual(['Exit code 1', 'Exit code 5', 'Exit code 9'])
  const rest = await listCalls(db, {
    projectIds: [projectId],
    id,
    failedOnly: true,
    cursor: failed.nextCursor,
  })
  expect([rest.items.length, rest.nextCursor]).toEqual([7, null])
  await expect(listCalls(db, { projectIds: [projectId], id, cursor: 'W10' })).rejects.toThrow(BadCursorError)
})

test('parent and child know each other', async () => {
  const parent = await readExecution(db, [projectId], id)
  expect(parent!.children).toEqual([
    expect.objectContaining({ id: childId, externalId: `${SESSION}/agent-a1` }),
  ])
  expect((await readExecution(db, [projectId], childId))!.parentId).toBe(id)
  expect(parent).toMatchObject({
    odd: 1,
    counts: { calls: 40, failedCalls: 10, failedByClass: { exit_code: 10 } },
  })
})

test('a call, a record and a session are found by the ids they are known by', async () => {
  const [call] = (await listCalls(db, { projectIds: [projectId], id, limit: 1 })).items
  expect(await findAnyId(db, [projectId], call!.callId)).toEqual([
    { kind: 'call', executionId: id, callId: call!.callId, label: expect.stringContaining('Bash') },
  ])
  expect(await findAnyId(db, [projectId], SESSION)).toEqual([
    expect.objectContaining({ kind: 'session', executionId: id }),
  ])
  expect(await findAnyId(db, [projectId], `${SESSION}/agent-a1`)).toEqual([
    expect.objectContaining({ kind: 'execution', executionId: childId }),
  ])
  const record = JSON.parse(main.lines[3]!) as { uuid: string }
  const [event] = await findAnyId(db, [projectId], record.uuid)
  expect(event).toMatchObject({ kind: 'event', executionId: id })
  const { received, byteStart, byteEnd } = event!.pointer!
  const bytes = (await readReceivedRange(db, [projectId], received, byteStart, byteEnd))!.bytes
  expect(JSON.parse(Buffer.from(bytes).toString())).toMatchObject({ uuid: record.uuid })
})

test('odd input is listed with the place it stands at', async () => {
  const { items, nextCursor } = await listOdd(db, { projectIds: [projectId] })
  expect(items).toEqual([
    expect.objectContaining({
      executionId: id,
      reason: 'not_json',
      byteStart: Buffer.byteLength(main.text),
      streamId,
    }),
  ])
  const { received, keptStart, keptEnd } = items[0]!
  const kept = await readReceivedRange(db, [projectId], received!, keptStart!, keptEnd!)
  expect(Buffer.from(kept!.bytes).toString()).toBe('not json')
  expect(nextCursor).toBeNull()
  expect((await listOdd(db, { projectIds: [projectId], executionId: childId })).items).toEqual([])
})

test('how far a stream was received is told with digests of the original', async () => {
  const standing = await readStreamStanding(db, [projectId], streamId)
  const bytes = Buffer.from(`${main.text}not json\n`)
  expect(standing).toMatchObject({
    nextOffset: bytes.length,
    parts: [{ offset: 0, length: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }],
  })
  expect(await readStreamStanding(db, [projectId], 'unknown')).toBeNull()
})

test('nothing is shown to readers of other projects', async () => {
  const others = ['00000000-0000-7000-8000-000000000000']
  expect(await readExecution(db, others, id)).toBeNull()
  expect((await listEvents(db, { projectIds: others, id })).items).toEqual([])
  expect((await listCalls(db, { projectIds: others, id })).items).toEqual([])
  expect(await listReceivedParts(db, others, id)).toEqual([])
  expect((await listOdd(db, { projectIds: others })).items).toEqual([])
  expect(await findAnyId(db, others, SESSION)).toEqual([])
})

test('a source that received anything is told from one that did not, with how many executions it has', async () => {
  const source = (name: string) => ({ kind: 'claude-code', name })
  const one = new Transcript({ sessionId: '0f0f0f0f-0000-4000-8000-00000000aaaa' }).user('go').says('done')
  await ingestBody(db, {
    projectId,
    source: source('one'),
    kind: 'claude-transcript',
    bytes: Buffer.from(one.text),
  })
  await ingestBody(db, {
    projectId,
    source: source('odd'),
    kind: 'claude-hook',
    bytes: Buffer.from('hello\n'),
  })
  await db.sql.begin((tx) => ensureSource(tx, projectId, 'claude-code', 'none'))
  const received = await readReceivedSources(db, [projectId])
  const byName = Object.fromEntries(
    (await listSources(db, [projectId])).map(({ id, name }) => [name, received[id]]),
  )
  expect(byName).toMatchObject({ one: 1, odd: 0 })
  expect(byName.none).toBeUndefined()
  expect(Object.keys(byName)).toContain('none')
  expect(await readReceivedSources(db, [])).toEqual({})
})
