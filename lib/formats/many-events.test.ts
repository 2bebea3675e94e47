import { describe, expect, test } from 'vitest'
import type { IngestKind } from '../model/ingest-kinds'
import type { NormalRecord } from '../model/normal-form'
import { limits } from '../limits'
import { adapterOf } from './adapters'
import { parsePart } from './parse-part'
import { peekPart } from './peek-part'
import { receiptSpans } from './receipt/receipt-spans'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const list = (count: number, item: (i: number) => string): string =>
  `[${Array.from({ length: count }, (_, i) => item(i)).join(',')}]`

async function read(kind: IngestKind, bytes: Uint8Array, final = true) {
  const adapter = adapterOf(kind)
  const { sessionId } = await peekPart(kind, bytes)
  return parsePart({
    adapter,
    bytes,
    offset: 0,
    context: adapter.start({ sessionId }),
    redact: true,
    final,
  })
}
/** Reads one record; its bytes are kept whatever is said of it. */
async function recordsOf(kind: IngestKind, text: string): Promise<NormalRecord[]> {
  const bytes = encode(text)
  const { kept, records } = await read(kind, bytes)
  expect(kept.length).toBe(bytes.length)
  return records
}

describe('blocks of a message', () => {
  const call = (i: number): string => `{"type":"tool_use","id":"t${i}","name":"Bash","input":{}}`
  const failure = (i: number): string =>
    `{"type":"tool_result","tool_use_id":"t${i}","is_error":true,"content":"no"}`
  const message = (type: string, session: string, blocks: string): string =>
    `{"type":"${type}","${session}":"s-1","uuid":"u","message":{"id":"m","role":"${type}","content":${blocks}}}\n`
  const KINDS = [
    ['claude-transcript', 'sessionId'],
    ['claude-stream', 'session_id'],
  ] as const

  test.each(KINDS)('%s: as many as the limit are read', async (kind, session) => {
    const calls = await recordsOf(kind, message('assistant', session, list(limits.messageBlocksMax, call)))
    expect(calls[0]!.facts.calls).toHaveLength(limits.messageBlocksMax)
    expect(calls[0]!.oddReason).toBeUndefined()
    const results = await recordsOf(kind, message('user', session, list(limits.messageBlocksMax, failure)))
    expect(results[0]!.facts.results).toHaveLength(limits.messageBlocksMax)
    expect(results[0]!.oddReason).toBeUndefined()
  })

  test.each(KINDS)(
    '%s: one more, and the record is odd and stays with its session',
    async (kind, session) => {
      for (const [type, block] of [
        ['assistant', call],
        ['user', failure],
      ] as const) {
        const records = await recordsOf(
          kind,
          message(type, session, list(limits.messageBlocksMax + 1, block)),
        )
        expect(records).toMatchObject([
          {
            executionKey: 's-1',
            kind: 'odd',
            summary: { id: 'too_many_events', params: { what: 'blocks', count: 1001, max: 1000 } },
            oddReason: 'too_many_events',
            oddDetail: { id: 'too_many_events', params: { what: 'blocks', count: 1001, max: 1000 } },
          },
        ])
        expect(records[0]!.facts.calls ?? records[0]!.facts.results).toBeUndefined()
      }
    },
  )
})

describe('rows of a document', () => {
  const row = (i: number): string => `{"event_id":${i},"event_type":"x"}`
  const documentOf = (rows: number, key: string): string =>
    `{"execution_id":"7","status":"FAILED","${key}":${list(rows, row)}}\n`
  test.each(['events', 'result'])(
    'more %s than the limit are not read, what the document says is',
    async (key) => {
      const records = await recordsOf('noetl', documentOf(limits.recordEventsMax + 1, key))
      expect(records).toMatchObject([
        {
          executionKey: '7',
          oddReason: 'too_many_events',
          oddDetail: { id: 'too_many_events', params: { what: 'rows', count: 100_001, max: 100_000 } },
        },
      ])
    },
  )
  test('as many as the limit are', async () => {
    const records = await recordsOf('noetl', documentOf(limits.recordEventsMax, 'events'))
    expect(records).toHaveLength(limits.recordEventsMax + 1)
    expect(records[0]!.oddReason).toBeUndefined()
  })
})

test('of the tasks of a run the first are read, and its record says that there are more', async () => {
  const task = (i: number): string => `{"id":"t${i}","status":"passed"}`
  const run = (tasks: number): string =>
    `{"id":"r-1","pipelineName":"x","status":"failed","tasks":${list(tasks, task)}}\n`
  const records = await recordsOf('async-pipeline', run(limits.runTasksMax + 1))
  expect(records).toHaveLength(limits.runTasksMax + 1)
  expect(records[0]).toMatchObject({
    executionKey: 'r-1',
    oddReason: 'too_many_events',
    oddDetail: { id: 'too_many_events', params: { what: 'tasks', count: 2_001, max: 2_000 } },
  })
  expect((await recordsOf('async-pipeline', run(limits.runTasksMax)))[0]!.oddReason).toBeUndefined()
})

describe('values of a record', () => {
  /** A record of so many values. */
  const wide = (values: number): string => `{"type":"x","sessionId":"s-1","x":${list(values - 4, () => '0')}}`
  const KINDS = [
    'claude-transcript',
    'claude-stream',
    'claude-hook',
    'noetl',
    'async-pipeline',
    'receipts',
    'autoskillit',
    'record',
  ] as const

  test.each(KINDS)('%s: more than the limit are not parsed', async (kind) => {
    const records = await recordsOf(kind, `${wide(limits.recordValuesMax + 1)}\n`)
    expect(records).toMatchObject([
      { oddReason: 'too_many_values', oddDetail: { id: 'too_many_values', params: { max: 1_000_000 } } },
    ])
  })
  test('as many as the limit are', async () => {
    const records = await recordsOf('claude-transcript', `${wide(limits.recordValuesMax)}\n`)
    expect(records).toMatchObject([{ executionKey: 's-1', oddReason: 'unknown_type' }])
  })
  test('without a line end it waits for the rest only while a bracket is open', async () => {
    const whole = wide(limits.recordValuesMax + 1)
    expect((await read('claude-transcript', encode(whole), false)).records).toHaveLength(1)
    const torn = encode(whole.slice(0, -2))
    expect(await read('claude-transcript', torn, false)).toMatchObject({ records: [], nextOffset: 0 })
    expect((await read('claude-transcript', torn)).records).toMatchObject([{ oddReason: 'torn_line' }])
  })
  test('an export of receipts with more is one record', () => {
    const bytes = encode(`{"receipts":${list(limits.recordValuesMax, () => '0')}}\n`)
    expect([...receiptSpans(bytes)]).toEqual([{ start: 0, end: bytes.length }])
  })
})
