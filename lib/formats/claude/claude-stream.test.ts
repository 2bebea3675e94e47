import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldAll } from './testing/fold'
import type { NormalRecord } from '../../model/normal-form'
import { claudeStream } from './claude-stream'

const S = 'session-1'
const fold = (...values: unknown[]): NormalRecord[] => foldAll(claudeStream, values)
const one = (value: unknown): NormalRecord => fold(value)[0]!
const system = (subtype: string, fields: object = {}) => ({
  type: 'system',
  subtype,
  session_id: S,
  ...fields,
})
const assistant = (content: unknown[], extra: object = {}) => ({
  type: 'assistant',
  session_id: S,
  message: { id: 'm1', model: 'claude-x', content },
  ...extra,
})
const user = (content: unknown, extra: object = {}) => ({
  type: 'user',
  session_id: S,
  message: { role: 'user', content },
  ...extra,
})

describe('system records', () => {
  test('the start names model, version, folder and the servers that are missing', () => {
    const record = one(
      system('init', {
        model: 'claude-x',
        cwd: '/a',
        claude_code_version: '2.1.3',
        mcp_servers: [
          { name: 'a', status: 'connected' },
          { name: 'b', status: 'failed' },
          { status: 'pending' },
        ],
      }),
    )
    expect(record).toMatchObject({
      kind: 'run_start',
      type: 'system/init',
      executionKey: S,
      facts: {
        runStart: { model: 'claude-x', serversNotConnected: ['b', '<unknown>'] },
        cwd: '/a',
        version: '2.1.3',
        model: 'claude-x',
      },
    })
  })

  test('a retried request', () => {
    expect(
      one(system('api_retry', { attempt: 1, max_retries: 10, error_status: 529, error: 'overloaded' })).facts
        .apiRetry,
    ).toEqual({ attempt: 1, maxRetries: 10, status: 529, class: 'overloaded' })
    expect(
      one(system('api_retry', { attempt: 1, max_retries: 10, error_status: null, error: 'unknown' })).facts
        .apiRetry,
    ).toMatchObject({ status: null, class: 'unknown' })
  })

  test('a refused call is a failed result of the call, in the execution of the agent that made it', () => {
    const refused = system('permission_denied', {
      tool_name: 'Bash',
      tool_use_id: 't1',
      message: 'Not in this folder',
      agent_id: 'a1',
    })
    expect(one(refused)).toMatchObject({
      kind: 'result',
      executionKey: `${S}/agent-a1`,
      facts: {
        results: [
          {
            callId: 't1',
            failed: true,
            signs: ['denial_recorded'],
            text: 'Not in this folder',
            span: { jsonPointer: '/message' },
          },
        ],
      },
    })
  })

  test.each<[object, string, RegExp | object]>([
    [
      system('hook_response', { hook_name: 'lint', outcome: 'error', exit_code: 1, stderr: 'no' }),
      'hook',
      { id: 'hook_failed', params: { hook: 'lint', exitCode: 1, output: 'no' } },
    ],
    [
      system('hook_response', { hook_name: 'lint', outcome: 'success', exit_code: 0 }),
      'hook',
      /^Hook lint success$/,
    ],
    [system('hook_started', { hook_name: 'lint' }), 'progress', /lint started/],
    [system('compact_boundary', { compact_metadata: { trigger: 'auto' } }), 'compaction', /compacted/],
    [
      system('task_updated', { patch: { status: 'failed', error: 'killed by signal' } }),
      'progress',
      /failed: killed by signal/,
    ],
    [system('something_new', { content: 'hello' }), 'meta', /^something_new: hello$/],
    [{ type: 'stream_event', session_id: S, event: {} }, 'progress', /Partial/],
    [
      { type: 'tool_progress', session_id: S, tool_name: 'Bash', elapsed_time_seconds: 30 },
      'progress',
      /Bash runs for 30 s/,
    ],
    [
      {
        type: 'rate_limit_event',
        session_id: S,
        rate_limit_info: { status: 'rejected', rateLimitType: 'five_hour' },
      },
      'meta',
      /rejected \(five_hour\)/,
    ],
    [{ type: 'keep_alive' }, 'meta', /keep_alive/],
  ])('%j is filed as %s', (value, kind, summary) => {
    const record = one(value)
    expect(record.kind).toBe(kind)
    if (summary instanceof RegExp) expect(record.summary).toMatch(summary)
    else expect(record.summary).toEqual(summary)
  })

  test('a retry of a sub-agent', () => {
    const value = {
      type: 'tool_progress',
      session_id: S,
      tool_name: 'Task',
      subagent_retry: { attempt: 2, max_retries: 5, error_status: 500, error_category: 'server_error' },
    }
    expect(one(value)).toMatchObject({
      kind: 'api_retry',
      facts: { apiRetry: { attempt: 2, maxRetries: 5, status: 500, class: 'server_error' } },
    })
  })

  test('lost records make a gap that is shown, and taken back messages are named', () => {
    expect(one(system('session_writes_lost', { error_code: 'ENOSPC' }))).toMatchObject({
      oddReason: 'gap',
      summary: { id: 'records_lost', params: { code: 'ENOSPC' } },
      oddDetail: { id: 'records_lost', params: { code: 'ENOSPC' } },
    })
    expect(
      one(system('model_refusal_no_fallback', { retracted_message_uuids: ['u1'] })).facts.retracts,
    ).toEqual(['u1'])
  })
})

describe('messages', () => {
  test('the stream spells its names otherwise than the file on disk', () => {
    const error = assistant([{ type: 'text', text: 'API Error: 429 limit' }], {
      is_api_error_message: true,
      error: 'rate_limit',
      message: { id: 'm', model: '<synthetic>', content: [{ type: 'text', text: 'API Error: 429 limit' }] },
    })
    expect(one(error)).toMatchObject({
      kind: 'api_error',
      facts: { apiError: { class: 'rate_limit', status: 429 } },
    })
    const done = user([{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }], {
      tool_use_result: { agentId: 'a1', durationMs: 5 },
    })
    expect(one(done).facts.results![0]).toMatchObject({ childAgentId: 'a1', durationMs: 5 })
    expect(
      one(
        user([{ type: 'tool_result', tool_use_id: 't1', content: '', is_error: true }], {
          tool_use_result: 'User rejected tool use',
        }),
      ).facts.results![0],
    ).toMatchObject({ signs: ['refused_by_user'], span: { jsonPointer: '/tool_use_result' } })
  })

  test('synthetic messages ask nothing, replayed ones do', () => {
    expect([one(user('x', { isSynthetic: true })).kind, one(user('x', { isReplay: true })).kind]).toEqual([
      'meta',
      'prompt',
    ])
  })

  test('records without a session belong to the one before', () => {
    expect(
      fold(system('init'), { type: 'user', message: { content: 'x' } }).map((record) => record.executionKey),
    ).toEqual([S, S])
  })
})

describe('sub-agents', () => {
  const task = assistant([{ type: 'tool_use', id: 't1', name: 'Task', input: { prompt: 'paint' } }])
  const inner = (extra: object = {}) =>
    assistant([{ type: 'tool_use', id: 'x', name: 'Read', input: {} }], {
      parent_tool_use_id: 't1',
      ...extra,
    })
  const done = user([{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }], {
    tool_use_result: { agentId: 'a1' },
  })

  test('with an agent id are named by it, later records without it too', () => {
    const records = fold(task, inner({ agent_id: 'a1' }), inner(), done)
    expect(records.map((record) => record.executionKey)).toEqual([S, `${S}/agent-a1`, `${S}/agent-a1`, S])
    expect(records.map((record) => record.facts.childOf)).toEqual([
      undefined,
      { parentKey: S, callId: 't1' },
      undefined,
      undefined,
    ])
    expect(records[3]!.facts.children).toEqual([{ callId: 't1', childKey: `${S}/agent-a1` }])
  })

  test('without one are named by the call that started them, and the result keeps to that name', () => {
    const records = fold(task, inner(), inner({ agent_id: 'a1' }), done)
    expect(records.map((record) => record.executionKey)).toEqual([S, `${S}/call-t1`, `${S}/call-t1`, S])
    expect(records[3]!.facts.children).toEqual([{ callId: 't1', childKey: `${S}/call-t1` }])
    expect(records[3]!.facts.results![0]!.childAgentId).toBeUndefined()
  })
})

describe('the result record', () => {
  test('is a fact of the session', () => {
    const record = one({
      type: 'result',
      subtype: 'error_during_execution',
      is_error: false,
      num_turns: 0,
      session_id: S,
    })
    expect(record).toMatchObject({
      kind: 'run_result',
      type: 'result/error_during_execution',
      facts: { runResult: { subtype: 'error_during_execution', isError: false, result: null } },
    })
  })

  test('with wrong types is kept, unreadable and odd', () => {
    expect(one({ type: 'result', subtype: 'success', is_error: 'no', session_id: S })).toMatchObject({
      oddReason: 'wrong_type',
      facts: { runResult: { unreadable: true } },
    })
  })

  test('the type itself is spelled in lower case only', () => {
    expect(one({ Type: 'result', subtype: 'success', session_id: S })).toMatchObject({
      kind: 'odd',
      oddReason: 'unknown_type',
    })
  })
})

test('unknown types are kept under their own name', () => {
  expect(one({ type: 'brand_new', session_id: S })).toMatchObject({
    kind: 'meta',
    type: 'brand_new',
    oddReason: 'unknown_type',
  })
})

test('no JSON value makes the reader throw, and folding is deterministic', () => {
  const shaped = fc.record(
    {
      type: fc.constantFrom(
        'system',
        'result',
        'tool_progress',
        'rate_limit_event',
        'assistant',
        'user',
        'stream_event',
      ),
      subtype: fc.oneof(
        fc.constantFrom(
          'init',
          'api_retry',
          'permission_denied',
          'hook_response',
          'task_updated',
          'status',
          'session_writes_lost',
        ),
        fc.jsonValue(),
      ),
      session_id: fc.jsonValue(),
      parent_tool_use_id: fc.jsonValue(),
      agent_id: fc.jsonValue(),
      message: fc.jsonValue(),
      mcp_servers: fc.jsonValue(),
      patch: fc.jsonValue(),
      tool_use_id: fc.jsonValue(),
      subagent_retry: fc.jsonValue(),
      rate_limit_info: fc.jsonValue(),
      retracted_message_uuids: fc.jsonValue(),
      errors: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.jsonValue(), shaped), { minLength: 1, maxLength: 5 }), (values) => {
      expect(fold(...values)).toEqual(fold(...values))
    }),
    { numRuns: 500 },
  )
})

const SAMPLES = '../shared/samples/claude-code/stream-json'
describe.runIf(existsSync(SAMPLES))('the sample records', () => {
  const sample = (name: string): unknown => JSON.parse(readFileSync(`${SAMPLES}/${name}.json`, 'utf8'))

  test('an array of one run, whose result record names no subtype', () => {
    const records = foldAll(claudeStream, sample('action-sample-turns') as unknown[])
    expect(records.filter((record) => record.oddReason)).toEqual([])
    expect(new Set(records.map((record) => record.executionKey))).toEqual(new Set(['sample-session-id']))
    // The README of the samples speaks of a failed call here; all three results say is_error false.
    expect(records.flatMap((record) => record.facts.results ?? []).map((result) => result.failed)).toEqual([
      false,
      false,
      false,
    ])
    expect(records.at(-1)!.facts.runResult).toMatchObject({
      subtype: null,
      isError: null,
      costUsd: 0.0347,
      durationMs: 18_750,
    })
  })

  test('records of a captured run belong together', () => {
    const records = fold(
      ...['system_message', 'assistant_message', 'user_message', 'result_success', 'result_error'].map(
        (name) => sample(`gleam-${name}`),
      ),
    )
    expect(records.map((record) => record.kind)).toEqual([
      'run_start',
      'call',
      'result',
      'run_result',
      'run_result',
    ])
    expect(records[3]!.facts.runResult).toMatchObject({
      subtype: 'success',
      isError: false,
      costUsd: 0.24722425,
    })
    expect(records.filter((record) => record.oddReason)).toEqual([])
  })
})
