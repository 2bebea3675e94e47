import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { detectFormat } from './detect'

const bytes = (text: string) => new TextEncoder().encode(text)
const of = (...records: unknown[]) => `${records.map((r) => JSON.stringify(r)).join('\n')}\n`
const pretty = (value: unknown) => JSON.stringify(value, null, 2)

const user = {
  type: 'user',
  sessionId: 's',
  uuid: 'u',
  parentUuid: null,
  message: { role: 'user', content: 'hi' },
}
const init = { type: 'system', subtype: 'init', session_id: 's', cwd: '/', model: 'm' }
const result = { type: 'result', subtype: 'success', is_error: false, session_id: 's', result: 'ok' }
const summary = { type: 'summary', summary: 'x', leafUuid: 'l' }
const snapshot = { type: 'file-history-snapshot', messageId: 'm', snapshot: {}, isSnapshotUpdate: false }

describe('formats that are taken in', () => {
  test.each([
    ['claude-transcript', 'a main file', of(user)],
    ['claude-transcript', 'a sub-agent file', of({ ...user, isSidechain: true, agentId: 'a1' })],
    ['claude-transcript', 'a summary first', of(summary, summary, user)],
    ['claude-transcript', 'nothing but summaries', of(summary)],
    ['claude-transcript', 'a snapshot first', of(snapshot, user)],
    [
      'claude-transcript',
      'a queue operation first',
      of({ type: 'queue-operation', operation: 'dequeue', sessionId: 's' }),
    ],
    ['claude-transcript', 'noise and a torn line first', `{"type":"us\nwarning: x\n${of(user)}`],
    ['claude-transcript', 'CRLF and a byte order mark', `\ufeff${of(user).replace('\n', '\r\n')}`],
    ['claude-stream', 'stream-json', of(init, { type: 'assistant', session_id: 's', message: {} }, result)],
    ['claude-stream', 'a warning of a wrapper first', `npm warn x\n${of(init)}`],
    ['claude-stream', 'one object of json output', of(result)],
    ['claude-stream', 'one object over lines', pretty(result)],
    ['claude-stream', 'a list on one line', JSON.stringify([init, result])],
    ['claude-stream', 'a list over lines', pretty([init, result])],
    [
      'claude-stream',
      'a result without a session',
      of({ type: 'result', subtype: 'error_max_turns', is_error: true }),
    ],
    ['claude-stream', 'partial messages', of({ type: 'stream_event', event: {}, session_id: 's' })],
    [
      'claude-hook',
      'one frame',
      JSON.stringify({ session_id: 's', hook_event_name: 'PreToolUse', tool_name: 'Bash' }),
    ],
    [
      'claude-hook',
      'a spool of frames',
      of({ session_id: 's', hook_event_name: 'Stop' }, { session_id: 's', hook_event_name: 'SessionEnd' }),
    ],
  ])('%s: %s', (kind, _, text) => {
    expect(detectFormat({ head: bytes(text) })).toEqual({ status: 'supported', kind })
  })
  test('a head that ends anywhere in a long first record is enough', () => {
    const line = JSON.stringify({ ...user, message: { role: 'user', content: 'x'.repeat(200_000) } })
    expect(detectFormat({ head: bytes(line).subarray(0, 65_536) })).toEqual({
      status: 'supported',
      kind: 'claude-transcript',
    })
    const list = pretty([{ ...init, tools: Array(9000).fill('Tool') }, result])
    expect(detectFormat({ head: bytes(list).subarray(0, 65_536) })).toEqual({
      status: 'supported',
      kind: 'claude-stream',
    })
  })
})

describe('session logs of AutoSkillit', () => {
  const line = { session_id: 's', dir_name: 's', skill_command: '/x', success: true }
  const audit = {
    skill_command: '/x',
    exit_code: 1,
    subtype: 'stale',
    needs_retry: true,
    retry_reason: 'stale',
  }
  test.each<[string, string, string?]>([
    ['the index', of(line, line), 'sessions.jsonl'],
    ['the index without a name, behind a torn line', `ion_id":"a"}\n${of(line)}`],
    [
      'a summary',
      pretty({ anomaly_count: 0, claude_code_log: null, dir_name: 's', start_ts: 't' }),
      'sessions/s/summary.json',
    ],
    [
      'a summary whose head was cut',
      pretty({ anomaly_count: 0, claude_code_log: null, dir_name: 's', start_ts: 't' }).slice(0, -9),
    ],
    ['anomalies', of({ kind: 'oom', at: 1 }), 'sessions/s/anomalies.jsonl'],
    ['the trace', of({ seq: 0, event: 'snapshot', pid: 1 }), 's/proc_trace.jsonl'],
    [
      'token usage',
      JSON.stringify({ step_name: 'plan', input_tokens: 1, output_tokens: 2 }),
      's/token_usage.json',
    ],
    ['timing', JSON.stringify({ step_name: 'plan', total_seconds: 1.5 }), 's/step_timing.json'],
    ['the history, named or not', JSON.stringify([audit])],
    [
      'the text of a crash',
      'Traceback (most recent call last):\n{"type":"user","uuid":"u","sessionId":"s"}\n',
      's/crash_exception.txt',
    ],
    ['a file of the layout of which nothing can be read', '{"dir_na', 'sessions/s/summary.json'],
  ])('%s', (_, text, fileName) => {
    expect(detectFormat({ head: bytes(text), fileName })).toEqual({
      status: 'supported',
      kind: 'autoskillit',
    })
  })
  test.each<[string, string, string, string]>([
    [
      'token counts of someone else',
      JSON.stringify({ input_tokens: 1, output_tokens: 2 }),
      'usage.json',
      'unknown',
    ],
    ['a crash of which nothing is text', '\0'.repeat(400), 's/crash_exception.txt', 'binary'],
    ['an empty file of the layout', '', 'sessions/s/anomalies.jsonl', 'empty'],
    ['another document by the name of a summary', pretty({ total: 3 }), 'sessions/s/summary.json', 'unknown'],
  ])('%s is none', (_, text, fileName, status) => {
    expect(detectFormat({ head: bytes(text), fileName }).status).toBe(status)
  })
  test('a transcript is one, whatever it is called', () => {
    expect(detectFormat({ head: bytes(of(user)), fileName: 'sessions/s/proc_trace.jsonl' })).toEqual({
      status: 'supported',
      kind: 'claude-transcript',
    })
  })
})

test.each<[string, string]>([
  ['one', of({ '@context': [], type: ['VerifiableCredential', 'AgentReceipt'], credentialSubject: {} })],
  ['one of an unknown type', of({ '@context': [], credentialSubject: {} })],
  ['a list', pretty([{ type: ['VerifiableCredential', 'AgentReceipt'] }])],
  ['an export', pretty({ receipts: [{ type: ['VerifiableCredential', 'AgentReceipt'] }] })],
])('receipts: %s', (_, text) =>
  expect(detectFormat({ head: bytes(text) })).toEqual({ status: 'supported', kind: 'receipts' }),
)

describe('formats that are known by name', () => {
  test.each<[string, string, string?]>([
    ['codex-rollout', of({ timestamp: 't', type: 'session_meta', payload: { id: 'x' } })],
    ['codex-exec', of({ type: 'thread.started', thread_id: 't' }, { type: 'turn.started' })],
    ['gemini-chat', pretty({ sessionId: 's', projectHash: 'h', messages: [] })],
    ['gemini-output', of({ type: 'init', session_id: 's', model: 'gemini', timestamp: 't' })],
    ['gemini-output', of({ session_id: 's', response: 'x', stats: {} })],
    ['opencode', of({ type: 'step_start', timestamp: 1, sessionID: 'ses', part: {} })],
    ['swe-agent', pretty({ environment: 'main', trajectory: [], history: [] }), 'a.traj'],
    ['atif', pretty({ schema_version: 'ATIF-v1.4', session_id: 's', agent: {}, steps: [] })],
    ['claude-telemetry', of({ _type: 'log', scope: 'com.anthropic.claude_code', attrs: {} })],
    ['claude-telemetry', of({ resourceLogs: [] })],
    ['sqlite', 'SQLite format 3\0\x10\0'],
    ['zip', 'PK\x03\x04rest'],
  ])('%s', (name, text, fileName) => {
    expect(detectFormat({ head: bytes(text), fileName })).toEqual({
      status: 'recognised',
      why: ['sqlite', 'zip'].includes(name)
        ? { id: 'known_file', params: { file: name } }
        : { id: 'other_format', params: { format: name } },
    })
  })
})

test('a gzip file is known by its mark', () => {
  expect(detectFormat({ head: new Uint8Array([0x1f, 0x8b, 8, 0]) })).toMatchObject({
    status: 'recognised',
    why: { id: 'known_file', params: { file: 'gzip' } },
  })
})

test.each<[string, Uint8Array, string]>([
  ['absurd nesting of lists', bytes('['.repeat(65_536)), 'unknown'],
  ['absurd nesting of objects', bytes('{"a":'.repeat(13_000)), 'unknown'],
  ['empty', new Uint8Array(), 'empty'],
  ['blanks', bytes(' \n\r\n'), 'empty'],
  ['NULs', new Uint8Array(500), 'binary'],
  ['an executable', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 1, 2, 3]), 'binary'],
  ['prose', bytes('Dear reader,\n'), 'unknown'],
  ['other JSON', bytes('{"name":"x","version":"1"}'), 'unknown'],
  ['numbers', bytes('1\n2\n'), 'unknown'],
  ['a list of lists', bytes('[[1]]'), 'unknown'],
])('%s: %s is %s', (_, head, status) =>
  expect(detectFormat({ head })).toEqual({
    status,
    why: { id: expect.any(String), params: expect.any(Object) },
  }),
)

test('no bytes make it throw', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.json().map(bytes),
        fc.array(fc.constantFrom(...'{}[]",:\\ \n1a'), { maxLength: 30 }).map((a) => bytes(a.join(''))),
      ),
      (head) => {
        expect(['supported', 'recognised', 'unknown', 'empty', 'binary']).toContain(
          detectFormat({ head }).status,
        )
      },
    ),
    { numRuns: 1000 },
  )
})

const samples = join(import.meta.dirname, '../../../shared/samples')
describe.runIf(existsSync(samples))('the samples', () => {
  const list = (folder: string) =>
    existsSync(join(samples, folder))
      ? readdirSync(join(samples, folder), { withFileTypes: true })
          .filter((e) => e.isFile() && e.name !== 'README.md')
          .map((e) => `${folder}/${e.name}`)
      : []
  const detected = (file: string) =>
    detectFormat({
      head: new Uint8Array(readFileSync(join(samples, file))).subarray(0, 65_536),
      fileName: file,
    })
  test.each(list('claude-code'))('%s is a transcript', (file) =>
    expect(detected(file)).toEqual({ status: 'supported', kind: 'claude-transcript' }),
  )
  test.each(list('claude-code/stream-json'))('%s is output of a run', (file) =>
    expect(detected(file)).toEqual({ status: 'supported', kind: 'claude-stream' }),
  )
  const names: Record<string, string> = {
    codex: 'codex-rollout',
    opencode: 'opencode',
    sweagent: 'swe-agent',
    claude: 'claude-telemetry',
    gemini: 'gemini-chat',
  }
  test.each(list('claude-code/other-agents'))('%s is known by name', (file) => {
    expect(detected(file)).toMatchObject({
      status: 'recognised',
      why: { id: 'other_format', params: { format: names[file.split('/').at(-1)!.split('-')[0]!] } },
    })
  })
  const documents = [...list('noetl/upstream'), ...list('noetl/constructed')].filter(
    (file) => !file.includes('docs-envelope'),
  )
  test.each(documents)('%s is a NoETL document', (file) =>
    expect(detected(file)).toEqual({ status: 'supported', kind: 'noetl' }),
  )
})
