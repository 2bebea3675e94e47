import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import * as hook from '@/app/api/hooks/claude-code/route'
import * as calls from '@/app/api/v1/executions/[id]/calls/route'
import * as events from '@/app/api/v1/executions/[id]/events/route'
import * as raw from '@/app/api/v1/executions/[id]/raw/route'
import * as detail from '@/app/api/v1/executions/[id]/route'
import * as facetRoute from '@/app/api/v1/executions/facets/route'
import * as list from '@/app/api/v1/executions/route'
import * as find from '@/app/api/v1/find/route'
import * as ingest from '@/app/api/v1/ingest/[kind]/route'
import * as streams from '@/app/api/v1/ingest/streams/[streamId]/route'
import * as receiptVerdict from '@/app/api/v1/receipt-chains/verdict/route'
import * as receiptKeys from '@/app/api/v1/receipt-keys/route'
import * as received from '@/app/api/v1/received/[sha256]/route'
import * as reingestRoute from '@/app/api/v1/reingest/route'
import * as reingestJob from '@/app/api/v1/reingest/[id]/route'
import { claimReingest, stepReingest } from '@/db/rebuild/reingest-job'
import * as sample from '@/app/api/v1/sample/route'
import { sessionLogRoot } from '@/db/seed/session-logs'
import { bundleOf, recordedRuns, SAMPLE_SECRET } from '@/db/testing/recorded-runs'
import { Transcript } from '@/db/seed/transcript'
import { limits } from '@/lib/limits'
import { MissingStreamError } from '@/db/writes/receive/name-stream'
import { ensureProject } from '@/db/projects'
import { receiptKey } from '@/lib/api/receipt-schemas'
import {
  found,
  reingestAnswer,
  reingestItem,
  reingestList,
  streamStanding,
  type ReingestItem,
} from '@/lib/api/admin-schemas'
import { call, event, executionDetail, executionItem, facets, page, problemDocument } from '@/lib/api/schemas'
import { ingestAnswer, type IngestAnswer, receivedPart } from '@/lib/api/ingest-schemas'
import { SAMPLE_KEY_LABEL, sampleReceipts } from '@/lib/sample/receipts'
import { sampleFiles } from '@/lib/sample/sessions'
import { sampleSessionId } from '@/lib/sample/session-writer'
import * as takeInModule from './take-in'
import { ask, type Ask, openWorld, type World } from './test-support'

let world: World
let key: string
beforeAll(async () => {
  world = await openWorld()
  key = await world.key(['ingest', 'read'])
})
afterEach(() => vi.unstubAllEnvs())
afterAll(() => world.close())

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const send = (
  body: BodyInit,
  kind = 'claude-transcript',
  headers: Record<string, string> = {},
  how: Ask = {},
): Promise<Response> =>
  ask(ingest.POST, `/api/v1/ingest/${kind}`, { method: 'POST', params: { kind }, key, headers, body, ...how })
const taken = async (response: Response): Promise<IngestAnswer> => {
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  return ingestAnswer.parse(await response.json())
}
const problem = async (response: Response): Promise<{ slug: string; detail: string }> => {
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  const document = problemDocument.parse(await response.json())
  expect(document.status).toBe(response.status)
  expect(document.requestId).toBe(response.headers.get('x-request-id'))
  return { slug: document.type.replace('/problems/', ''), detail: document.detail ?? '' }
}
const read = (route: { GET: unknown }, path: string, params = {}, headers = {}): Promise<Response> =>
  ask(route.GET, path, { params, key, headers })

let serial = 0
const transcript = (): Transcript =>
  new Transcript({ sessionId: `0b7e0000-0000-4000-8000-${String((serial += 1)).padStart(12, '0')}` })
const failing = (): Transcript =>
  transcript().user('Run the tests').call('Bash', { command: 'npm test' }, { fails: 'Exit code 1\nboom' })

describe('the ingest route', () => {
  test('takes a transcript in, and the same again adds nothing', async () => {
    const session = failing()
    const first = await taken(await send(session.text))
    expect(first).toMatchObject({
      accepted: 3,
      duplicates: 0,
      oddTotal: 0,
      originalSha256: sha256(session.text),
      nextOffset: session.text.length,
    })
    expect(first.executions).toMatchObject([{ externalId: session.options.sessionId, outcome: 'failed' }])
    expect(await taken(await send(session.text))).toMatchObject({
      accepted: 0,
      duplicates: 3,
      executions: first.executions,
    })
  })

  test('finds out the kind, and names what it cannot take', async () => {
    const session = failing()
    expect((await taken(await send(session.text, 'auto'))).accepted).toBe(3)
    expect((await taken(await send(session.text))).accepted).toBe(0)
    const codex =
      '{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"x","cwd":"/x"}}\n'
    for (const kind of ['auto', 'claude-transcript']) {
      const told = await problem(await send(codex, kind))
      expect(told.slug).toBe('not-supported')
      expect(told.detail).toContain('Codex rollout')
    }
    expect((await problem(await send('hello\nworld\n', 'auto'))).slug).toBe('unknown-format')
    expect((await problem(await send(new Uint8Array([0, 1, 2, 255, 254, 0, 0]), 'auto'))).slug).toBe(
      'unknown-format',
    )
    expect((await problem(await send('{}', 'nonsense'))).slug).toBe('not-found')
    expect(await taken(await send('', 'auto'))).toMatchObject({ accepted: 0, oddTotal: 1, executions: [] })
  })

  test('takes the folder of a run, finds out what it is, and lets out nothing of the secret in it', async () => {
    const run = recordedRuns()[2]!
    for (const kind of ['auto', 'async-pipeline']) {
      const answer = await taken(await send(Buffer.from(bundleOf(run)), kind))
      expect(answer).toMatchObject({ oddTotal: 0, executions: [{ externalId: run, outcome: 'failed' }] })
      const { id } = answer.executions[0]!
      const text = await (await read(detail, `/api/v1/executions/${id}`, { id })).text()
      const document = executionDetail.parse(JSON.parse(text))
      expect([document.source.kind, document.pipeline?.tasks.length, text.includes(SAMPLE_SECRET)]).toEqual([
        'async-pipeline',
        2,
        false,
      ])
    }
    for (const odd of ['{}', '[]', 'hello', '[{"asyncPipelineRun":"r","file":"execution.json","json":{}}]'])
      expect((await send(odd, 'async-pipeline')).status).toBe(200)
  })

  test('takes session logs, whose files the name ties to their run, under a source of their own', async () => {
    const root = sessionLogRoot({ runs: 7, seed: 7 })
    const run = root.runs.find((one) => one.ending === 'crashed')!
    const file = (name: string): [string, Record<string, string>] => [
      root.files.get(`sessions/${run.dir}/${name}`)!,
      { 'inquest-file': encodeURIComponent(`sessions/${run.dir}/${name}`), 'inquest-source': 'küche' },
    ]
    for (const name of ['crash_exception.txt', 'summary.json', 'step_timing.json']) {
      const [text, headers] = file(name)
      for (const [kind, accepted] of [
        ['auto', 1],
        ['autoskillit', 0],
      ] as const)
        expect(await taken(await send(text, kind, headers))).toMatchObject({
          accepted,
          executions: [{ externalId: run.dir }],
        })
    }
    const [index, headers] = [root.files.get('sessions.jsonl')!, { 'inquest-source': 'küche' }]
    expect(await taken(await send(index, 'auto', headers))).toMatchObject({
      accepted: 7,
      streamId: null,
      nextOffset: null,
    })
    expect(
      await taken(await send(index, 'autoskillit', { ...headers, 'inquest-offset': '5000' })),
    ).toMatchObject({ accepted: 0, duplicates: 7 })
    const sources = await world.db.sql`
      select s.kind, s.name, count(*)::int as n from executions e join sources s on s.id = e.source_id where s.kind = 'autoskillit' group by 1, 2`
    expect([...sources]).toEqual([{ kind: 'autoskillit', name: 'küche', n: 7 }])
  })

  test('keeps what it is told to read but cannot understand', async () => {
    expect(await taken(await send('hello\nworld\n'))).toMatchObject({ oddTotal: 2 })
  })

  test('undoes content codings, and digests what was inside', async () => {
    const session = failing()
    const answer = await taken(
      await send(gzipSync(session.text), 'claude-transcript', { 'content-encoding': 'gzip' }),
    )
    expect(answer).toMatchObject({ accepted: 3, originalSha256: sha256(session.text) })
  })

  test('goes on with a stream where it ended, and says where that is', async () => {
    const session = failing()
    const cut = session.text.indexOf('\n') + 1
    const start = await taken(
      await send(session.text.slice(0, cut), 'claude-transcript', {
        'inquest-more': '1',
        'inquest-file': 'p%C3%A4th/a.jsonl',
        'inquest-source': 'b%C3%BCro',
      }),
    )
    expect(start.nextOffset).toBe(cut)
    expect(
      (
        await problem(
          await send(session.text.slice(cut), 'claude-transcript', { 'inquest-offset': String(cut) }),
        )
      ).slug,
    ).toBe('bad-request')
    const headers = {
      'inquest-offset': String(cut),
      'inquest-stream': start.streamId!,
      'inquest-source': 'b%C3%BCro',
    }
    expect(await taken(await send(session.text.slice(cut), 'claude-transcript', headers))).toMatchObject({
      accepted: 2,
      nextOffset: session.text.length,
    })
    const standing = streamStanding.parse(
      await (await read(streams, '/api/v1/ingest/streams/x', { streamId: start.streamId! })).json(),
    )
    expect(standing).toEqual({
      streamId: start.streamId,
      fileName: 'päth/a.jsonl',
      nextOffset: session.text.length,
      parts: [
        { offset: 0, length: cut, sha256: sha256(session.text.slice(0, cut)), pending: false },
        {
          offset: cut,
          length: session.text.length - cut,
          sha256: sha256(session.text.slice(cut)),
          pending: false,
        },
      ],
    })
    const item = executionItem.parse(
      executionDetail.parse(
        await (await read(detail, '/api/v1/executions/x', { id: start.executions[0]!.id })).json(),
      ),
    )
    expect(item.source).toMatchObject({ kind: 'claude-code', name: 'büro' })
    expect(
      (await problem(await read(streams, '/api/v1/ingest/streams/x', { streamId: 'no such stream' }))).slug,
    ).toBe('not-found')
  })

  test('honours an Idempotency-Key: one work, one answer, no other request under it', async () => {
    const session = failing()
    const headers = { 'idempotency-key': 'once' }
    const first = await taken(await send(session.text, 'claude-transcript', headers))
    const again = await send(session.text, 'claude-transcript', headers)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await taken(again)).toEqual(first)
    expect(first.accepted).toBe(3)
    expect((await problem(await send(failing().text, 'claude-transcript', headers))).slug).toBe('key-reused')
    const otherCaller = await world.key(['ingest'])
    expect(
      (await taken(await send(session.text, 'claude-transcript', headers, { key: otherCaller }))).duplicates,
    ).toBe(3)
  })

  test('refuses a later piece that names no stream, also in a build that shortens the names of classes', async () => {
    const { name } = MissingStreamError
    Object.defineProperty(MissingStreamError, 'name', { value: 't' })
    const refused = await problem(
      await send(failing().text, 'claude-transcript', { 'inquest-offset': '999999999999999' }),
    )
    Object.defineProperty(MissingStreamError, 'name', { value: name })
    expect(refused.slug).toBe('bad-request')
  })

  test('refuses one document that is too large to be read at once, and says what to send instead', async () => {
    const piece = `"${'x'.repeat(1024 * 1024)}"`
    const list = `[\n${Array<string>(limits.documentBytesMax / 1024 / 1024)
      .fill(piece)
      .join(',\n')}]\n`
    const refused = await send(list, 'claude-transcript')
    expect([refused.status, await problem(refused)]).toEqual([
      413,
      expect.objectContaining({
        slug: 'too-large',
        detail:
          'One JSON document may have at most 64 MiB and 100,000 records. Send a larger one as one record per line.',
      }),
    ])
  })

  test('refuses headers it cannot read, and stores nothing of the request', async () => {
    const count = async (): Promise<number> =>
      (await world.db.sql<{ n: number }[]>`select count(*)::int as n from received`)[0]!.n
    const before = await count()
    const session = failing()
    const headers: Record<string, string>[] = [
      { 'inquest-offset': '-1' },
      { 'inquest-offset': '1e3' },
      { 'inquest-more': 'yes' },
      { 'inquest-file': '%zz' },
      { 'idempotency-key': 'a b' },
      { 'content-length': '7' },
    ]
    for (const one of headers)
      expect(
        (await problem(await send(session.text, 'claude-transcript', one))).slug,
        JSON.stringify(one),
      ).toBe('bad-request')
    expect(
      (await problem(await send(session.text, 'claude-transcript', { 'content-encoding': 'gzip' }))).slug,
    ).toBe('bad-encoding')
    expect(await count()).toBe(before)
  })

  test.each(['inquest-source', 'inquest-file', 'inquest-stream'])(
    'refuses control characters in %s, and names the first',
    async (name) => {
      for (const [encoded, code] of [
        ['a%00b', '0000'],
        ['%0A', '000A'],
        ['a%1Bc', '001B'],
        ['%7F', '007F'],
        ['%C2%9B%00', '009B'],
      ])
        expect(await problem(await send(failing().text, 'claude-transcript', { [name]: encoded! }))).toEqual({
          slug: 'bad-request',
          detail: `${name}: contains the control character U+${code}; leave it out`,
        })
    },
  )

  test('refuses them in the source of a hook frame and of a question how far a stream is', async () => {
    const headers = { 'inquest-source': '%00' }
    const post = { method: 'POST', key, headers, body: '{"session_id":"s","hook_event_name":"Stop"}' }
    expect((await ask(hook.POST, '/api/hooks/claude-code', post)).status).toBe(400)
    const params = { streamId: 'x' }
    expect((await read(streams, '/api/v1/ingest/streams/x', params, headers)).status).toBe(400)
  })

  test('puts data into the project that is named, and only where the caller may', async () => {
    const other = await ensureProject(world.db.sql, { slug: 'other', name: 'Other' })
    const both = await world.cookie('operator')
    const refused = await ask(ingest.POST, '/api/v1/ingest/claude-transcript?project=other', {
      method: 'POST',
      params: { kind: 'claude-transcript' },
      cookie: both,
      body: failing().text,
    })
    expect((await problem(refused)).slug).toBe('not-found')
    const elsewhere = await world.key(['ingest', 'read'], other)
    const answer = await taken(await send(failing().text, 'claude-transcript', {}, { key: elsewhere }))
    const id = answer.executions[0]!.id
    expect(
      (await ask(detail.GET, `/api/v1/executions/${id}`, { params: { id }, key: elsewhere })).status,
    ).toBe(200)
    for (const [route, path] of [
      [detail, ''],
      [events, '/events'],
      [calls, '/calls'],
      [raw, '/raw'],
    ] as const) {
      expect((await problem(await read(route, `/api/v1/executions/${id}${path}`, { id }))).slug).toBe(
        'not-found',
      )
    }
    const { items } = page(receivedPart).parse(
      await (await ask(raw.GET, '/x', { params: { id }, key: elsewhere })).json(),
    )
    expect((await read(received, '/x', { sha256: items[0]!.received })).status).toBe(404)
    expect(await (await read(find, `/api/v1/find?id=${id}`)).json()).toEqual({ items: [], nextCursor: null })
  })
})

test('the output of a command is taken in behind any amount of other text', async () => {
  const session = { session_id: 'f1f1f1f1-0000-4000-8000-00000000aaaa' }
  const run = [
    { type: 'system', subtype: 'init', cwd: '/srv/shop', model: 'm', ...session },
    { type: 'result', subtype: 'success', is_error: false, result: 'done', num_turns: 1, ...session },
  ]
  const noise = 'npm warn deprecated\n'.repeat(20_000)
  const answer = await taken(
    await send(noise + run.map((record) => `${JSON.stringify(record)}\n`).join(''), 'claude-stream'),
  )
  expect(answer.executions).toMatchObject([{ externalId: session.session_id, outcome: 'succeeded' }])
  expect(answer.oddTotal).toBe(20_000)
})

test('the hook route takes one frame, and answers as a hook that decides nothing', async () => {
  const frame = {
    session_id: '0b7e1111-0000-4000-8000-000000000000',
    transcript_path: '/x',
    cwd: '/srv/shop',
    hook_event_name: 'PostToolUseFailure',
    tool_name: 'Bash',
    tool_input: { command: 'npm test' },
    tool_use_id: 'toolu_hook_1',
    error: 'Exit code 2',
  }
  const response = await ask(hook.POST, '/api/hooks/claude-code', { method: 'POST', key, body: frame })
  expect([response.status, await response.text()]).toEqual([200, '{}'])
  const hits = page(found).parse(await (await read(find, `/api/v1/find?id=${frame.session_id}`)).json())
  expect(hits.items).toHaveLength(1)
  expect(
    page(found).parse(await (await read(find, '/api/v1/find?id=toolu_hook_1')).json()).items,
  ).toMatchObject([{ kind: 'call', executionId: hits.items[0]!.executionId }])
})

describe('the reading routes', () => {
  let id: string
  const session = failing()
    .says('I could not make the tests pass.')
    .call('Bash', { command: 'npm test' }, { fails: 'Exit code 1\nboom again' })
  beforeAll(async () => void (id = (await taken(await send(session.text))).executions[0]!.id))

  test('list executions page by page, without gap or repeat', async () => {
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const response = await read(list, `/api/v1/executions?limit=3${cursor ? `&cursor=${cursor}` : ''}`)
      const one = page(executionItem).parse(await response.json())
      expect(one.items.length).toBeLessThanOrEqual(3)
      seen.push(...one.items.map((item) => item.id))
      cursor = one.nextCursor
    } while (cursor)
    const [row] = await world.db.sql<
      { n: number }[]
    >`select count(*)::int as n from executions where project_id = ${world.project.id}`
    expect([new Set(seen).size, seen.length]).toEqual([row!.n, row!.n])
    expect(seen).toContain(id)
  })

  test('filter, count, and say what they did not understand', async () => {
    const failed = page(executionItem).parse(
      await (await read(list, '/api/v1/executions?q=outcome%3Afailed')).json(),
    )
    expect(failed.items.every((item) => item.outcome === 'failed')).toBe(true)
    const counted = facets.parse(
      await (await read(facetRoute, '/api/v1/executions/facets?q=outcome%3Afailed')).json(),
    )
    expect(counted.total).toBe(failed.items.length)
    for (const path of ['?q=colour%3Ared', '?q=%22open'])
      expect((await problem(await read(list, `/api/v1/executions${path}`))).slug).toBe('bad-filter')
    for (const cursor of ['x', 'WyJ4Il0', btoa('["attempts",1]')]) {
      expect((await problem(await read(list, `/api/v1/executions?cursor=${cursor}`))).slug).toBe('bad-cursor')
      expect(
        (await problem(await read(events, `/api/v1/executions/${id}/events?cursor=${cursor}`, { id }))).slug,
      ).toBe('bad-cursor')
    }
    for (const limit of ['0', '201', '-1', 'ten'])
      expect((await problem(await read(list, `/api/v1/executions?limit=${limit}`))).slug).toBe('bad-request')
    expect((await problem(await read(list, '/api/v1/executions?project=nowhere'))).slug).toBe('not-found')
  })

  test('show one execution, its records, calls and parts', async () => {
    const one = executionDetail.parse(await (await read(detail, `/api/v1/executions/${id}`, { id })).json())
    expect(one).toMatchObject({ id, outcome: 'failed', counts: { calls: 2, failedCalls: 2 } })
    const records = page(event).parse(
      await (await read(events, `/api/v1/executions/${id}/events?limit=200`, { id })).json(),
    )
    expect(records.items.map((item) => item.ordinal)).toEqual([0, 1, 2, 3, 4, 5])
    expect(
      page(call).parse(await (await read(calls, `/api/v1/executions/${id}/calls`, { id })).json()).items,
    ).toHaveLength(2)
    const parts = page(receivedPart).parse(
      await (await read(raw, `/api/v1/executions/${id}/raw`, { id })).json(),
    )
    expect(parts.items).toHaveLength(1)
    for (const bad of ['0199a000-0000-7000-8000-000000000000', 'not-an-id', "'; drop table executions"]) {
      expect((await problem(await read(detail, '/api/v1/executions/x', { id: bad }))).slug).toBe('not-found')
    }
  })

  test('lead from the cause to its very bytes', async () => {
    const { cause } = executionDetail.parse(
      await (await read(detail, `/api/v1/executions/${id}`, { id })).json(),
    )
    const at = cause!.pointer!
    const response = await read(
      received,
      `/api/v1/received/${at.received}?start=${at.byteStart}&end=${at.byteEnd}`,
      {
        sha256: at.received,
      },
    )
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect(bytes).toEqual(new TextEncoder().encode(session.text).slice(at.byteStart, at.byteEnd))
    expect(new TextDecoder().decode(bytes)).toContain('boom')
  })

  test('give kept bytes out so that nothing in them can run, whole or in ranges, and unchanged for ever', async () => {
    const { items } = page(receivedPart).parse(
      await (await read(raw, `/api/v1/executions/${id}/raw`, { id })).json(),
    )
    const digest = items[0]!.received
    const get = (headers = {}, query = ''): Promise<Response> =>
      read(received, `/api/v1/received/${digest}${query}`, { sha256: digest }, headers)
    const whole = await get()
    expect(sha256(new Uint8Array(await whole.arrayBuffer()))).toBe(digest)
    expect(whole.headers.get('content-type')).toBe('application/octet-stream')
    expect(whole.headers.get('content-disposition')).toMatch(/^attachment; filename="[0-9a-f]{16}\.jsonl"$/)
    expect(whole.headers.get('content-security-policy')).toContain('sandbox')
    expect(whole.headers.get('x-content-type-options')).toBe('nosniff')
    expect(whole.headers.get('cache-control')).toMatch(/^private,.*immutable/)
    expect((await get({ 'if-none-match': whole.headers.get('etag')! })).status).toBe(304)
    const size = session.text.length
    const cases: [string, number, string | null, number][] = [
      ['bytes=0-9', 206, `bytes 0-9/${size}`, 10],
      ['bytes=-5', 206, `bytes ${size - 5}-${size - 1}/${size}`, 5],
      [`bytes=${size - 1}-`, 206, `bytes ${size - 1}-${size - 1}/${size}`, 1],
      [`bytes=${size}-`, 416, `bytes */${size}`, 0],
      ['bytes=0-1,3-4', 200, null, size],
      ['lines=1-2', 200, null, size],
    ]
    for (const [range, status, contentRange, length] of cases) {
      const response = await get({ range })
      expect(
        [response.status, response.headers.get('content-range'), (await response.arrayBuffer()).byteLength],
        range,
      ).toEqual([status, contentRange, length])
    }
    expect((await problem(await get({}, '?start=9&end=3'))).slug).toBe('bad-request')
    expect((await problem(await read(received, '/x', { sha256: '0'.repeat(64) }))).slug).toBe('not-found')
  })

  test('give a large part out piece by piece, as its reader takes it', async () => {
    const text = `${JSON.stringify({ type: 'user', pad: 'ab'.repeat(1_600_000) })}\n`
    expect((await send(text)).status).toBe(200)
    const digest = sha256(new TextEncoder().encode(text))
    const get = (headers = {}): Promise<Response> =>
      read(received, `/api/v1/received/${digest}`, { sha256: digest }, headers)
    const reader = (await get()).body!.getReader()
    expect((await reader.read()).value!.length).toBe(1_048_576)
    await reader.cancel()
    const whole = await get()
    expect(whole.headers.get('content-length')).toBe(String(text.length))
    expect(sha256(new Uint8Array(await whole.arrayBuffer()))).toBe(digest)
    const middle = await get({ range: 'bytes=1000000-2500000' })
    expect([middle.status, middle.headers.get('content-range'), await middle.text()]).toEqual([
      206,
      `bytes 1000000-2500000/${text.length}`,
      text.slice(1_000_000, 2_500_001),
    ])
  })
})

test('the files of the sample of one kind come in together, so that they share transactions', async () => {
  const waves: string[][] = []
  let open = 0
  vi.spyOn(takeInModule, 'takeIn').mockImplementation(async (_db, { kind }) => {
    if (open++ === 0) waves.push([])
    waves.at(-1)!.push(kind)
    await Promise.resolve()
    open--
    return { accepted: 0, duplicates: 0, executions: [] } as unknown as IngestAnswer
  })
  await ask(sample.POST, '/api/v1/sample', { method: 'POST', cookie: await world.cookie('operator') })
  vi.restoreAllMocks()
  const kinds = [...sampleFiles().map(({ kind }) => kind), 'receipts']
  expect(waves.map((wave) => [...new Set(wave)])).toEqual([...new Set(kinds)].map((kind) => [kind]))
})

test('the sample comes in through the API, shows every kind of ending, and adds nothing the second time', async () => {
  const cookie = await world.cookie('operator')
  const load = async () =>
    (await ask(sample.POST, '/api/v1/sample', { method: 'POST', cookie })).json() as Promise<{
      accepted: number
      duplicates: number
      executions: { externalId: string; outcome: string }[]
    }>
  const first = await load()
  const { key, chains } = await sampleReceipts()
  const lines = [...sampleFiles(), ...chains].reduce((sum, file) => sum + file.text.split('\n').length - 1, 0)
  expect(first).toMatchObject({ accepted: lines, duplicates: 0 })
  const outcomes = Object.fromEntries(
    first.executions.map((one) => [one.externalId.replace(/^.*-0*/, ''), one.outcome]),
  )
  expect(outcomes).toMatchObject({
    1: 'failed',
    2: 'succeeded',
    3: 'interrupted',
    5: 'succeeded',
    6: 'failed',
    7: 'failed',
    8: 'failed',
    9: 'failed',
    10: 'retriable',
    11: 'succeeded',
    12: 'failed',
    // Receipts alone do not tell how a run ended.
    13: 'unknown',
    14: 'unknown',
  })
  expect(['failed', 'retriable']).toContain(outcomes[4])
  expect(await load()).toMatchObject({ accepted: 0, duplicates: lines })
  const keys = page(receiptKey).parse(await (await read(receiptKeys, '/api/v1/receipt-keys')).json()).items
  expect(keys.map(({ fingerprint, chainId, label }) => [fingerprint, chainId, label])).toEqual(
    chains.map(({ chainId }) => [key.fingerprint, chainId, SAMPLE_KEY_LABEL]),
  )
  const verdicts = await Promise.all(
    chains.map(async ({ chainId }) =>
      (await read(receiptVerdict, `/x?id=${encodeURIComponent(chainId)}`)).json(),
    ),
  )
  expect(verdicts).toMatchObject([
    { state: 'valid', status: 'complete' },
    { state: 'broken', reason: 'signature_invalid', firstBadIndex: 2 },
  ])
  const { items } = page(found).parse(
    await (await read(find, `/api/v1/find?id=${sampleSessionId(5)}`)).json(),
  )
  const parent = executionDetail.parse(await (await read(detail, '/x', { id: items[0]!.executionId })).json())
  expect(parent.children).toMatchObject([{ failedCalls: 1 }])
})

test('the failure signal is looked for by the tag of the setting; what came before it was set, once it is built anew', async () => {
  const project = await ensureProject(world.db.sql, { slug: 'tagged', name: 'Tagged' })
  const [own, cookie] = [
    await world.key(['ingest', 'read'], project),
    await world.cookie('admin', { project }),
  ]
  const take = async (session_id: string, tag: string): Promise<() => Promise<unknown>> => {
    const body = `${JSON.stringify({ type: 'result', subtype: 'success', session_id, result: `<${tag}>no disk</${tag}>` })}\n`
    const { id } = (await taken(await send(body, 'claude-stream', {}, { key: own }))).executions[0]!
    return async () =>
      executionDetail.parse(await (await ask(detail.GET, '/x', { params: { id }, key: own })).json()).outcome
  }
  const [before, other] = [await take('before', 'x-failed'), await take('other', 'octopus-task-failed')]
  vi.stubEnv('INQUEST_FAILURE_TAG', 'x-failed')
  const after = await take('after', 'x-failed')
  const outcomes = async (): Promise<unknown[]> => [await before(), await other(), await after()]
  expect(await outcomes()).toEqual(['succeeded', 'failed', 'failed'])
  await rebuildAll('tagged', cookie)
  expect(await outcomes()).toEqual(['failed', 'succeeded', 'failed'])
})

/** Asks for a project to be rebuilt, and takes the steps of the job, as the background jobs do. */
async function rebuildAll(project: string, cookie: string): Promise<ReingestItem> {
  const asked = await ask(reingestRoute.POST, '/api/v1/reingest', {
    method: 'POST',
    cookie,
    body: { project },
  })
  expect(asked.status).toBe(202)
  const { id, url } = reingestItem.parse(await asked.json())
  expect(asked.headers.get('location')).toBe(url)
  const again = await problem(
    await ask(reingestRoute.POST, '/api/v1/reingest', { method: 'POST', cookie, body: { project } }),
  )
  expect(again.slug, 'one at a time').toBe('in-use')
  const [row] = await world.db.sql<{ projectId: string }[]>`
    select project_id as "projectId" from reingests where id = ${id}`
  const key = { projectId: row!.projectId, id }
  await claimReingest(world.db.sql, key)
  while (await stepReingest(world.db, key, { failureTag: process.env.INQUEST_FAILURE_TAG }));
  return reingestItem.parse(await (await ask(reingestJob.GET, url, { cookie, params: { id } })).json())
}

test('a rebuild can be stopped, by an admin of the project only', async () => {
  const project = await ensureProject(world.db.sql, { slug: 'stopped', name: 'Stopped' })
  const cookie = await world.cookie('admin', { project })
  const asked = await ask(reingestRoute.POST, '/api/v1/reingest', {
    method: 'POST',
    cookie,
    body: { project: 'stopped' },
  })
  const { id, url } = reingestItem.parse(await asked.json())
  const reader = await world.cookie('operator', { project })
  expect(
    (await ask(reingestJob.DELETE, url, { method: 'DELETE', cookie: reader, params: { id } })).status,
  ).toBe(403)
  const stopped = await ask(reingestJob.DELETE, url, { method: 'DELETE', cookie, params: { id } })
  expect(reingestItem.parse(await stopped.json())).toMatchObject({ id, state: 'stopped' })
  const list = reingestList.parse(await (await ask(reingestRoute.GET, '/api/v1/reingest', { cookie })).json())
  expect(list.items).toMatchObject([{ id, project: 'stopped', state: 'stopped' }])
})

test('what is derived can be built anew from the kept bytes, comes out the same, and is an entry of the audit log', async () => {
  const project = await ensureProject(world.db.sql, { slug: 'rebuilt', name: 'Rebuilt' })
  const [own, cookie] = [
    await world.key(['ingest', 'read'], project),
    await world.cookie('admin', { project }),
  ]
  const made = await taken(await send(failing().text, 'claude-transcript', {}, { key: own }))
  const id = made.executions[0]!.id
  const look = async () => {
    const one = executionDetail.parse(
      await (await ask(detail.GET, '/x', { params: { id }, key: own })).json(),
    )
    const records = page(event).parse(
      await (await ask(events.GET, '/x', { params: { id }, key: own })).json(),
    )
    return { ...one, updatedAt: '', version: 0, records: records.items }
  }
  const rebuild = async (body: object) =>
    reingestAnswer.parse(
      await (await ask(reingestRoute.POST, '/api/v1/reingest', { method: 'POST', cookie, body })).json(),
    )
  const before = await look()
  const job = await rebuildAll('rebuilt', cookie)
  expect(job).toMatchObject({ state: 'done', streams: 1, executions: 1, records: 3, quarantined: 0 })
  expect(await look()).toEqual(before)
  expect(await rebuild({ execution: id })).toMatchObject({ executions: 1 })
  expect(await look()).toEqual(before)
  expect(
    (
      await problem(
        await ask(reingestRoute.POST, '/api/v1/reingest', {
          method: 'POST',
          cookie,
          body: { execution: 'none' },
        }),
      )
    ).slug,
  ).toBe('not-found')
  const entries = await world.db.sql<
    { subject: string }[]
  >`select subject from audit_log where project_id = ${project.id} and action = 'reingest.start' order by seq`
  expect(entries.map((entry) => entry.subject)).toEqual([job.id, id])
})
