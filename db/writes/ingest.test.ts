import fc from 'fast-check'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { IngestAnswer } from '@/lib/api/ingest-schemas'
import { limits } from '@/lib/limits'
import { Transcript } from '../seed/transcript'
import { forgetEverything, storedContent } from '../testing/content'
import { testDb, type TestDb } from '../testing/test-db'
import type { ArrivedPart } from './append/fold'
import { ingestBody } from './ingest'
import type { IngestBody } from './receive/ingest-body'
import { ensureProject } from '../projects'
import { ArrivedParts } from './append/write-stream'
import { INGEST_KINDS } from '@/lib/model/ingest-kinds'

let db: TestDb
let projectId: string
beforeAll(async () => {
  db = await testDb({ max: 8 })
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
})
afterEach(() => forgetEverything(db))
afterAll(() => db.close())

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const take = (bytes: Uint8Array | string, more: Partial<IngestBody> = {}): Promise<IngestAnswer> =>
  ingestBody(db, {
    projectId,
    source: null,
    kind: 'claude-transcript',
    bytes: typeof bytes === 'string' ? bytesOf(bytes) : bytes,
    ...more,
  })

const SESSION = '0a0a0a0a-0000-4000-8000-000000000001'
const session = (id = SESSION) =>
  new Transcript({ sessionId: id })
    .user('make the tests pass, me@example.org is the owner')
    .call('Bash', { command: 'npm test' }, { fails: 'Exit code 1\n3 failing' })
    .call(
      'Edit',
      { file_path: '/srv/a.ts', old_string: 'a', new_string: 'b' },
      { fails: '<tool_use_error>String to replace not found in file.</tool_use_error>' },
    )
    .call('Bash', { command: 'npm test' }, { ok: 'passing' })
    .call('Read', { file_path: '/srv/b.ts' }, { none: true })

describe('a file of very short lines', () => {
  const lines = limits.partLinesMax * 2 + 10
  const text = `${new Transcript({ sessionId: SESSION }).user('Go').text}${'{}\n'.repeat(lines)}`

  test('is kept in parts of so many lines, and all of its lines are counted', async () => {
    const answer = await take(text)
    expect(answer).toMatchObject({ accepted: 1 + lines, oddTotal: lines })
    expect(answer.odd).toHaveLength(limits.oddListedMax)
    const parts = await db.sql<{ bytes: Buffer }[]>`
      select r.bytes from stream_parts p join received r on r.project_id = p.project_id and r.id = p.received_id order by p.byte_offset`
    expect(Buffer.concat(parts.map(({ bytes }) => bytes)).toString()).toBe(text)
    const linesOf = parts.map(({ bytes }) => bytes.toString().split('\n').length - 1)
    expect(linesOf).toEqual([limits.partLinesMax, limits.partLinesMax, 11])
    expect(await take(text)).toMatchObject({ accepted: 0, duplicates: 1 + lines })
  })

  test('is stored part by part: those that wait hold so many records at most', async () => {
    let stores = 0
    class Watched extends ArrivedParts {
      override async store(): Promise<void> {
        stores++
      }
    }
    const records = (count: number) =>
      ({
        length: 100,
        part: { records: Array.from({ length: count }, () => ({})) },
      }) as unknown as ArrivedPart
    const arrived = new Watched()
    await arrived.add(records(limits.partLinesMax - 1))
    expect(stores).toBe(0)
    await arrived.add(records(1))
    expect(stores).toBe(1)
  })
})

describe('the same input again', () => {
  test('adds nothing, and answers with what is there', async () => {
    const first = await take(session().text)
    const before = await storedContent(db)
    const again = await take(session().text)
    expect(first).toMatchObject({ accepted: 8, duplicates: 0, oddTotal: 0 })
    expect(again).toMatchObject({
      accepted: 0,
      duplicates: 8,
      executions: first.executions,
      streamId: first.streamId,
      nextOffset: first.nextOffset,
    })
    expect(await storedContent(db)).toEqual(before)
    expect(await db.sql`select version from executions`).toEqual([{ version: 1 }])
  })

  test('sent by two callers at once is taken once', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => take(session().text)))
    expect(answers.map((a) => a.accepted).sort()).toEqual([0, 0, 0, 8])
    expect(new Set(answers.map((a) => a.executions[0]!.id)).size).toBe(1)
    expect(await db.sql`select count(*)::int as n from events`).toEqual([{ n: 8 }])
  })

  test('under another file name is the same stream', async () => {
    await take(session().text, { fileName: 'a/one.jsonl' })
    expect(await take(session().text, { fileName: 'b/two.jsonl' })).toMatchObject({
      accepted: 0,
      duplicates: 8,
    })
  })
})

describe('a stream in pieces', () => {
  const whole = bytesOf(session().text)

  test('gives the content of the whole, wherever it is cut, whatever comes first, and if pieces come twice', {
    timeout: 300_000,
  }, async () => {
    const { streamId } = await take(whole)
    const wanted = await storedContent(db)
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: whole.length - 1 }), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(cuts, fc.infiniteStream(fc.nat()), fc.boolean(), async (at, order, atOnce) => {
        await forgetEverything(db)
        // Cut at line ends, as every client that names offsets does; a cut inside of a line is the next test.
        const ends = [...new Set(at.map((cut) => whole.indexOf(10, cut) + 1))]
          .filter((end) => end > 0 && end < whole.length)
          .sort((a, b) => a - b)
        const pieces = [0, ...ends].map((start, i) => ({
          offset: start,
          bytes: whole.subarray(start, ends[i] ?? whole.length),
        }))
        const sent = [...pieces, pieces[0]!]
          .map((piece) => ({ piece, key: order.next().value }))
          .sort((a, b) => a.key - b.key)
        const send = ({ piece }: (typeof sent)[number]) =>
          take(piece.bytes, { offset: piece.offset, streamId })
        if (atOnce) await Promise.all(sent.map(send))
        else for (const one of sent) await send(one)
        expect(await storedContent(db)).toEqual(wanted)
      }),
      { numRuns: 25 },
    )
  })

  test('that grows between two postings of the whole file is taken up where it ended, wherever it was cut', {
    timeout: 300_000,
  }, async () => {
    await take(whole)
    const wanted = await storedContent(db)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: whole.length }), { minLength: 1, maxLength: 4 }),
        async (lengths) => {
          await forgetEverything(db)
          for (const length of [...lengths.sort((a, b) => a - b), whole.length])
            await take(whole.subarray(0, length))
          expect(await storedContent(db)).toEqual(wanted)
        },
      ),
      { numRuns: 25 },
    )
  })

  test('with a gap keeps the bytes, says so, and folds them when the gap closes', async () => {
    const { streamId } = await take(whole)
    const wanted = await storedContent(db)
    await forgetEverything(db)
    const cut = whole.indexOf(10, 900) + 1
    const late = await take(whole.subarray(cut), { offset: cut, streamId })
    expect(late).toMatchObject({
      accepted: 0,
      oddTotal: 1,
      odd: [{ reason: 'gap', byteStart: cut }],
      nextOffset: 0,
    })
    expect(await db.sql`select sum(kept_length)::int > 0 as kept from received`).toEqual([{ kept: true }])
    const again = await take(whole.subarray(cut), { offset: cut, streamId })
    expect(again).toMatchObject({ accepted: 0, oddTotal: 1 })
    const closing = await take(whole.subarray(0, cut), { offset: 0, streamId })
    expect(closing).toMatchObject({ accepted: 8, nextOffset: whole.length })
    expect(await storedContent(db)).toEqual(wanted)
  })

  test('sent with `more` waits with the analysis for the last piece', async () => {
    await take(whole)
    const wanted = await storedContent(db)
    await forgetEverything(db)
    const lines = session().lines.map((line) => `${line}\n`)
    let offset = 0
    let streamId: string | null = null
    for (const [i, line] of lines.entries()) {
      const answer = await take(line, { offset, streamId, more: i < lines.length - 1 })
      if (i === 4)
        expect(await db.sql`select dirty, records from executions`).toEqual([{ dirty: true, records: 1 }])
      offset = answer.nextOffset!
      streamId = answer.streamId
    }
    expect(await storedContent(db)).toEqual(wanted)
  })

  test('that begins alike and goes on differently is a stream of its own; each file finds its own again', async () => {
    const text = session().text
    const other = text.replace('3 failing', '4 failing')
    const first = await take(text)
    const second = await take(other)
    expect(second.streamId).not.toBe(first.streamId)
    expect(second.executions.map((e) => e.id)).toEqual(first.executions.map((e) => e.id))
    expect(await take(text)).toMatchObject({ accepted: 0, streamId: first.streamId })
    expect(await take(other)).toMatchObject({ accepted: 0, streamId: second.streamId })
    // The records that both hold count once.
    expect(await db.sql`select calls, failed_calls from executions`).toEqual([{ calls: 4, failed_calls: 2 }])
    expect(second.executions[0]).toMatchObject({ calls: 4, failedCalls: 2 })
  })
})

describe('a torn last line', () => {
  test('is kept and odd until it is completed, and then no longer odd', async () => {
    const whole = session().text
    const torn = whole.slice(0, -20)
    const first = await take(torn)
    expect(first).toMatchObject({ accepted: 8, oddTotal: 1, odd: [{ reason: 'torn_line', line: 8 }] })
    expect(await take(torn)).toMatchObject({ accepted: 0, duplicates: 8 })
    const rest = await take(whole)
    expect(rest).toMatchObject({ accepted: 1, oddTotal: 0 })
    const after = await storedContent(db)
    expect(after.odd).toEqual([])
    await forgetEverything(db)
    await take(whole)
    expect(after).toEqual(await storedContent(db))
  })

  test('may be sent on from where the answer says', async () => {
    const whole = bytesOf(session().text)
    const { streamId, nextOffset } = await take(whole.subarray(0, whole.length - 20))
    expect(nextOffset).toBeLessThan(whole.length - 20)
    expect(await take(whole.subarray(nextOffset!), { offset: nextOffset!, streamId })).toMatchObject({
      accepted: 1,
      oddTotal: 0,
      nextOffset: whole.length,
    })
  })
})

describe('one session through several channels and files', () => {
  const child = () =>
    new Transcript({ sessionId: SESSION, agentId: 'abc123' })
      .user('look into it')
      .call('Bash', { command: 'false' }, { fails: 'Exit code 1' })
  const frames = () =>
    ['PreToolUse', 'PostToolUseFailure'].map((event, i) =>
      JSON.stringify({
        timestamp: `2026-11-01T09:00:0${i}.000Z`,
        session_id: SESSION,
        hook_event_name: event,
        tool_name: 'Bash',
        tool_use_id: 'toolu_h1',
        tool_input: { command: 'make' },
        cwd: '/srv',
        ...(event === 'PreToolUse' ? {} : { error: 'Exit code 2' }),
      }),
    )
  const output = () =>
    `${JSON.stringify({ type: 'result', subtype: 'success', is_error: false, session_id: SESSION, result: 'done', permission_denials: [] })}\n`
  const recorded = (executionKey = SESSION) =>
    [
      {
        type: 'record.start',
        version: 1,
        recordId: 'r1',
        executionKey,
        command: ['claude', '-p', 'x'],
        cwd: '/srv',
        startedAt: '2026-11-01T07:59:58.000Z',
        contract: { marker: '', expect: [] },
        ci: { repository: 'acme/shop' },
      },
      { type: 'record.output', channel: 'stderr', at: '2026-11-01T07:59:59.000Z', text: 'warning\n' },
      {
        type: 'record.end',
        endedAt: '2026-11-01T09:30:00.000Z',
        exitCode: 0,
        termination: 'natural_exit',
        stdoutKind: 'claude-stream',
      },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('')
  const inputs: [string, Partial<IngestBody> & { bytes: Uint8Array }][] = [
    ['main', { bytes: bytesOf(session().text), fileName: `${SESSION}.jsonl` }],
    ['child', { bytes: bytesOf(child().text), fileName: `${SESSION}/subagents/agent-abc123.jsonl` }],
    ['spool', { bytes: bytesOf(`${frames().join('\n')}\n`), kind: 'claude-hook' }],
    ['frame', { bytes: bytesOf(frames()[1]!), kind: 'claude-hook' }],
    ['output', { bytes: bytesOf(output()), kind: 'claude-stream' }],
    ['record', { bytes: bytesOf(recorded()), kind: 'record' }],
  ]

  test('gives the same content in any order and all at once', { timeout: 300_000 }, async () => {
    for (const [, input] of inputs) await take(input.bytes, input)
    const wanted = await storedContent(db)
    expect(wanted.executions.map((e) => [e.external_id, e.parent])).toEqual([
      [SESSION, null],
      [`${SESSION}/agent-abc123`, SESSION],
    ])
    expect(wanted.executions[0]).toMatchObject({ calls: 5, failed_calls: 3 })
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(inputs, { minLength: inputs.length }),
        fc.boolean(),
        async (order, atOnce) => {
          await forgetEverything(db)
          if (atOnce) await Promise.all(order.map(([, input]) => take(input.bytes, input)))
          else for (const [, input] of order) await take(input.bytes, input)
          expect(await storedContent(db)).toEqual(wanted)
        },
      ),
      { numRuns: 20 },
    )
  })

  test('the record of a run gives it its start, its end and its repository, and a record alone is an execution with the command for its title', async () => {
    for (const [, input] of inputs) await take(input.bytes, input)
    await take(recorded('record-r1'), { kind: 'record' })
    expect(
      await db.sql`select external_id, title, labels ->> 'repository' as repository, started_at, ended_at from executions where parent_id is null order by external_id`,
    ).toEqual([
      {
        external_id: SESSION,
        title: 'make the tests pass, [redacted:mail] is the owner',
        repository: 'acme/shop',
        started_at: '2026-11-01T07:59:58.000Z',
        ended_at: '2026-11-01T09:30:00.000Z',
      },
      {
        external_id: 'record-r1',
        title: 'claude -p x',
        repository: 'acme/shop',
        started_at: '2026-11-01T07:59:58.000Z',
        ended_at: '2026-11-01T09:30:00.000Z',
      },
    ])
  })

  test('a frame that was sent at once is known when the spool brings it', async () => {
    await take(frames()[1]!, { kind: 'claude-hook' })
    expect(await take(`${frames().join('\n')}\n`, { kind: 'claude-hook' })).toMatchObject({
      accepted: 1,
      duplicates: 1,
    })
  })

  test('frames that tell no time are ordered by when they came', async () => {
    const frame = (event: string, rest = {}) =>
      JSON.stringify({ session_id: SESSION, hook_event_name: event, ...rest })
    for (const order of [
      ['SessionEnd', 'StopFailure'],
      ['StopFailure', 'SessionEnd'],
    ]) {
      await forgetEverything(db)
      for (const event of order)
        await take(frame(event, event === 'StopFailure' ? { error: 'billing_error' } : { reason: 'other' }), {
          kind: 'claude-hook',
        })
      const [events] = [(await storedContent(db)).events as { type: string; at: string }[]]
      const came = events.toSorted((a, b) => a.at.localeCompare(b.at)).map((event) => event.type)
      expect(came).toEqual(order)
    }
  })

  test('is one execution when one of the inputs does not say where it comes from', async () => {
    const told = await take(session().text, { source: { kind: 'claude-code', name: 'laptop' } })
    const untold = await take(frames().join('\n'), { kind: 'claude-hook' })
    expect(untold.executions[0]!.id).toBe(told.executions[0]!.id)
    await forgetEverything(db)
    const first = await take(frames().join('\n'), { kind: 'claude-hook' })
    const second = await take(session().text, { source: { kind: 'claude-code', name: 'laptop' } })
    expect(second.executions[0]!.id).toBe(first.executions[0]!.id)
  })

  test('is two executions when two machines sent it', async () => {
    const a = await take(session().text, { source: { kind: 'claude-code', name: 'a' } })
    const b = await take(session().text, { source: { kind: 'claude-code', name: 'b' } })
    expect(b).toMatchObject({ accepted: 8 })
    expect(b.executions[0]!.id).not.toBe(a.executions[0]!.id)
  })
})

describe('bad input', () => {
  const strange: [string, Uint8Array][] = [
    [
      'NUL, half surrogates and separators in strings',
      bytesOf(
        new Transcript({ sessionId: SESSION, branch: 'a\u0000b' })
          .user('x\u0000y')
          .says('\\ud800 \u2028')
          .text.replace('x\\u0000y', 'x\\u0000y\\ud800'),
      ),
    ],
    ['a line that is no JSON', bytesOf(`${session().text}warning: something\n`)],
    [
      'bytes that are not UTF-8',
      Buffer.concat([bytesOf(session().text), Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 10])]),
    ],
    ['nesting without end', bytesOf(`${'['.repeat(100_000)}\n${session().text}`)],
    ['a binary file', Buffer.from(Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256))],
    ['an id of ten thousand characters', bytesOf(session('s'.repeat(10_000)).text)],
    [
      'numbers out of range',
      bytesOf(
        `{"type":"result","subtype":"success","session_id":"${SESSION}","duration_ms":1e999,"num_turns":123456789012345678901234567890}\n`,
      ),
    ],
  ]

  test.each(strange)('%s: is kept, counted and stored, and the second time known', async (_name, bytes) => {
    const first = await take(bytes)
    expect(first.accepted).toBeGreaterThan(0)
    expect(await take(bytes)).toMatchObject({ accepted: 0, duplicates: first.accepted })
    const [{ same } = { same: null }] = await db.sql`select sum(kept_length)::int as same from received`
    expect(same).toBeGreaterThan(0)
  })

  test('any bytes at all are answered, and stored once', { timeout: 300_000 }, async () => {
    const line = fc.oneof(
      fc.json(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(...session().lines),
      fc.constant(''),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 8 }),
        fc.constantFrom(...INGEST_KINDS),
        async (lines, kind) => {
          await forgetEverything(db)
          const body = bytesOf(lines.join('\n'))
          const first = await take(body, { kind })
          const again = await take(body, { kind })
          expect(again.accepted).toBe(0)
          expect(again.duplicates).toBe(first.accepted + first.duplicates)
        },
      ),
      { numRuns: 150 },
    )
  })

  test('what comes to the hook and is no frame is kept and counted, and makes no execution', async () => {
    const frame = JSON.stringify({ session_id: SESSION, hook_event_name: 'Stop' })
    const lines = [
      'hello there',
      '{"torn": ',
      '[1]',
      '{"a":1}',
      '{"hook_event_name":"Stop"}',
      JSON.stringify({ session_id: SESSION }),
    ]
    const first = await take([...lines, frame].join('\n'), { kind: 'claude-hook' })
    expect(first).toMatchObject({ accepted: 7, oddTotal: 6, executions: [{ externalId: SESSION }] })
    expect(await db.sql`select external_id, records, odd from executions`).toEqual([
      { external_id: SESSION, records: 1, odd: 0 },
    ])
    expect(await db.sql`select external_id from execution_keys`).toEqual([{ external_id: SESSION }])
    const odd = await db.sql<{ text: string; reason: string }[]>`
      select convert_from(r.bytes, 'UTF8') as text, o.reason from odd_input o join received r on r.id = o.received_id where o.execution_id is null order by o.id`
    expect(odd.map((row) => row.text.replace(/\n$/, ''))).toEqual(lines)
    expect(odd.map((row) => row.reason)).toEqual([
      'not_json',
      'not_json',
      'not_an_object',
      'unknown_type',
      'no_session',
      'unknown_type',
    ])
    // The last of a body that comes without a line end, as one frame over HTTP does.
    for (const line of lines)
      expect(await take(line, { kind: 'claude-hook' })).toMatchObject({
        accepted: 0,
        duplicates: 1,
        executions: [],
      })
    expect(await take('more', { kind: 'claude-hook' })).toMatchObject({
      accepted: 1,
      oddTotal: 1,
      executions: [],
    })
  })

  test('an empty body is said to be one', async () => {
    expect(await take('')).toMatchObject({ accepted: 0, oddTotal: 1, odd: [{ reason: 'empty_input' }] })
  })

  test('a secret is not stored, and its place is marked', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const text = new Transcript({ sessionId: SESSION })
      .user('go')
      .call(
        'Bash',
        { command: `curl -H "Authorization: token ${secret}"` },
        { fails: `Exit code 1\nbad ${secret}` },
      ).text
    await take(text)
    const [row] = await db.sql`select string_agg(encode(bytes, 'escape'), '') as all from received`
    expect(row!.all).not.toContain(secret)
    const content = JSON.stringify(await storedContent(db))
    expect(content).not.toContain(secret)
    expect(await db.sql`select redactions > 0 as marked from executions`).toEqual([{ marked: true }])
    expect(await take(text)).toMatchObject({ accepted: 0, duplicates: 3 })
  })
})

test('a body that fails in the middle leaves nothing behind', async () => {
  // Not in what is analysed, whose failures are quarantined.
  await db.sql`alter table stream_parts add constraint never check (state <> 'folded')`
  await expect(take(session().text)).rejects.toMatchObject({ code: '23514' })
  await db.sql`alter table stream_parts drop constraint never`
  for (const table of [
    'received',
    'received_keys',
    'streams',
    'events',
    'execution_keys',
    'executions',
    'facet_deltas',
  ])
    expect(await db.sql`select count(*)::int as n from ${db.sql(table)}`, table).toEqual([{ n: 0 }])
  expect(await take(session().text)).toMatchObject({ accepted: 8 })
})

describe('what was taken in', () => {
  beforeEach(() => take(session().text))

  test.each([
    'update events set kind = $$x$$',
    'delete from events',
    'update received set sha256 = $$x$$',
    'delete from received',
  ])('%s is refused', async (statement) => {
    await expect(db.sql.unsafe(statement)).rejects.toMatchObject({ code: '23001' })
  })
})

const samples = path.join(import.meta.dirname, '../../../shared/samples/claude-code')
test.runIf(existsSync(samples))(
  'the sample transcripts give one record for each line, and the totals of their README',
  async () => {
    for (const name of readdirSync(samples).filter((file) => file.endsWith('.jsonl'))) {
      const bytes = readFileSync(path.join(samples, name))
      const answer = await take(bytes, { fileName: name })
      const lines = bytes
        .toString('latin1')
        .split('\n')
        .filter((line) => line.trim() !== '').length
      expect(answer.accepted + answer.duplicates, name).toBe(lines)
    }
    const [sum] = await db.sql`
    select sum(calls)::int as calls, sum(failed_calls)::int as failed, sum(chains)::int as chains, sum(recovered_chains)::int as recovered,
      sum(calls_without_result)::int as open from executions`
    expect(sum).toEqual({ calls: 1117, failed: 121, chains: 101, recovered: 35, open: 9 })
  },
)
