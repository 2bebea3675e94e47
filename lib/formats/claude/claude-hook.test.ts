import type { ReceiptLoss } from '../../model/messages/odd-details'
import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesAt, foldAll, lineOf } from './testing/fold'
import type { NormalRecord } from '../../model/normal-form'
import { judgeFailure } from '../../judge/calls/failure-class'
import { claudeHook } from './claude-hook'

const S = 'session-1'
const frame = (hook_event_name: unknown, fields: object = {}) => ({
  hook_event_name,
  session_id: S,
  cwd: '/a',
  ...fields,
})
const fold = (...values: unknown[]): NormalRecord[] => foldAll(claudeHook, values)
const one = (value: unknown): NormalRecord => fold(value)[0]!
const bash = { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: 't1' }

describe('calls', () => {
  test('begin with a call', () => {
    expect(one(frame('PreToolUse', bash))).toMatchObject({
      kind: 'call',
      type: 'PreToolUse',
      executionKey: S,
      at: null,
      facts: {
        calls: [{ callId: 't1', tool: 'Bash', target: 'npm test', looseTarget: 'npm test' }],
        cwd: '/a',
      },
    })
  })

  test('that succeeded carry call and result, whatever the answer looks like', () => {
    const record = one(
      frame('PostToolUse', {
        ...bash,
        tool_response: { isError: true, stderr: 'boom' },
        error: 'looks bad',
        duration_ms: 12,
      }),
    )
    expect(record.facts.results).toEqual([
      { callId: 't1', failed: false, durationMs: 12, span: { start: 0, end: expect.any(Number) } },
    ])
    expect(record.facts.calls).toHaveLength(1)
  })

  test('that failed carry the error and point at it', () => {
    const line = lineOf(frame('PostToolUseFailure', { ...bash, error: '  Exit code 2\nfatal: “no”  ' }))
    const fact = claudeHook.read(line, claudeHook.start({})).facts.results![0]!
    expect(fact).toMatchObject({
      callId: 't1',
      failed: true,
      signs: ['exit_code'],
      freeOutput: true,
      exitCode: 2,
      text: 'Exit code 2\nfatal: “no”',
    })
    expect(JSON.parse(bytesAt(line, fact.span))).toBe('  Exit code 2\nfatal: “no”  ')
    expect(bytesAt(line, fact.decisive!.span)).toBe('fatal: “no”')
  })

  test.each<[unknown, unknown, string, string]>([
    ['', false, 'tool call failed', 'other'],
    [undefined, undefined, 'tool call failed', 'other'],
    [null, null, 'tool call failed', 'other'],
    [' \u0085\u3000', false, 'tool call failed', 'other'],
    ['', true, 'tool call interrupted', 'interrupted'],
    ['stopped', true, 'stopped', 'interrupted'],
    [false, false, 'false', 'other'],
    [{}, false, '{}', 'other'],
  ])('error %j with is_interrupt %j reads %j', (error, is_interrupt, text, failureClass) => {
    const result = one(frame('PostToolUseFailure', { ...bash, error, is_interrupt })).facts.results![0]!
    expect(result).toMatchObject({ failed: true, text })
    expect(judgeFailure({ result, pointer: null }).verdict).toBe(failureClass)
  })

  test('an error that is no text is kept as it was sent', () => {
    const text =
      '{"hook_event_name":"PostToolUseFailure","session_id":"s","tool_name":"Edit","error": {  "code" : 7 ,  "m":"\\u00e9" } }'
    const record = claudeHook.read(lineOf(JSON.parse(text), text), claudeHook.start({}))
    expect(record.facts.results![0]!.text).toBe('{  "code" : 7 ,  "m":"\\u00e9" }')
  })

  test('without an id are not lost when they end, and not invented when they begin', () => {
    const [begun, failed] = fold(
      frame('PreToolUse', { ...bash, tool_use_id: undefined }),
      frame('PostToolUseFailure', { ...bash, tool_use_id: undefined, error: 'x' }),
    )
    expect([begun!.facts.calls, begun!.oddReason]).toEqual([undefined, 'wrong_type'])
    expect(failed!.facts.results![0]!.callId).toBe(failed!.facts.calls![0]!.callId)
    expect(failed!.facts.results![0]!.callId).toMatch(/^frame-[0-9a-f]{32}$/)
  })

  test('flags and names of the wrong type are odd, and the failure stays one', () => {
    expect(
      one(frame('PostToolUseFailure', { ...bash, tool_name: 5, is_interrupt: 'true', error: 'x' })),
    ).toMatchObject({
      oddReason: 'wrong_type',
      facts: { results: [{ failed: true, text: 'x' }], calls: [{ tool: 'unknown' }] },
    })
  })

  test.each<[object, ReceiptLoss]>([
    [{ agent_id: 'a/b' }, { id: 'agent_id_not_plain', params: {} }],
    [{ agent_type: 'x'.repeat(257) }, { id: 'field_too_long', params: { field: 'agent_type', bytes: 256 } }],
    [
      { tool_use_id: 'x'.repeat(257) },
      { id: 'field_too_long', params: { field: 'correlation_id', bytes: 256 } },
    ],
    [
      { tool_input: { command: 'x'.repeat(1024 * 1024) } },
      { id: 'payload_too_long', params: { bytes: 1_048_576 } },
    ],
    [
      { tool_input: { command: 'x'.repeat(2 * 1024 * 1024) } },
      { id: 'frame_too_long', params: { bytes: 1_052_672 } },
    ],
    [{ tool_name: '' }, { id: 'no_tool_name', params: {} }],
  ])('that Agent Receipts would lose (%#) are kept whole, and odd', (fields, loss) => {
    const record = one(frame('PostToolUseFailure', { ...bash, error: 'x', ...fields }))
    expect(record).toMatchObject({
      oddReason: 'no_receipt',
      oddDetail: { id: 'receipt_lost', params: { loss } },
      facts: { results: [{ failed: true, text: 'x' }] },
    })
  })

  test('that were denied failed without having run', () => {
    expect(
      one(frame('PermissionDenied', { ...bash, reason: 'Outside the folder' })).facts.results![0],
    ).toMatchObject({
      failed: true,
      signs: ['denial_recorded'],
      text: 'Outside the folder',
      span: { jsonPointer: '/reason' },
    })
  })

  test('of a batch are calls; how they ended is not claimed', () => {
    const record = one(
      frame('PostToolBatch', { tool_calls: [bash, { ...bash, tool_use_id: 't2', tool_response: 'ok' }, 5] }),
    )
    expect(record.facts.calls!.map((call) => call.callId)).toEqual(['t1', 't2'])
    expect(record.facts.results).toBeUndefined()
  })
})

describe('ends', () => {
  test.each<[string, object, object]>([
    [
      'Stop',
      { last_assistant_message: 'Done <octopus-task-failed>no</octopus-task-failed>' },
      {
        kind: 'text',
        facts: {
          ended: { how: 'Stop', error: null },
          said: { signal: { reason: 'no' }, span: { jsonPointer: '/last_assistant_message' } },
        },
      },
    ],
    ['Stop', { stop_hook_active: false }, { kind: 'meta', facts: { ended: { how: 'Stop', error: null } } }],
    [
      'StopFailure',
      { error: 'rate_limit', error_details: '429 slow down' },
      {
        kind: 'api_error',
        facts: {
          ended: { how: 'StopFailure', error: 'rate_limit' },
          apiError: {
            class: 'rate_limit',
            status: null,
            text: '429 slow down',
            span: { jsonPointer: '/error_details' },
          },
        },
      },
    ],
    ['StopFailure', {}, { kind: 'api_error', facts: { ended: { how: 'StopFailure', error: 'unknown' } } }],
    [
      'SessionEnd',
      { reason: 'logout' },
      { kind: 'meta', facts: { ended: { how: 'SessionEnd', error: null, reason: 'logout' } } },
    ],
    [
      'SubagentStop',
      { agent_id: 'a1', agent_type: 'x' },
      {
        executionKey: `${S}/agent-a1`,
        facts: { ended: { how: 'SubagentStop' }, childOf: { parentKey: S, callId: null } },
      },
    ],
  ])('%s %j', (event, fields, want) => expect(one(frame(event, fields))).toMatchObject(want))
})

describe('other frames', () => {
  test.each<[unknown, object, object]>([
    [
      'UserPromptSubmit',
      { prompt: 'Mend it', session_title: 'Doors' },
      { kind: 'prompt', facts: { prompt: 'Mend it', title: 'Doors' } },
    ],
    [
      'SessionStart',
      { source: 'resume', model: 'claude-x' },
      { kind: 'run_start', facts: { runStart: { model: 'claude-x' }, model: 'claude-x' } },
    ],
    [
      'SubagentStart',
      { agent_id: 'a1', agent_type: 'Explore' },
      { kind: 'run_start', executionKey: `${S}/agent-a1` },
    ],
    ['PreCompact', { trigger: 'auto' }, { kind: 'compaction' }],
    ['PermissionRequest', { tool_name: 'Bash', tool_input: {} }, { kind: 'meta', type: 'PermissionRequest' }],
    ['Notification', { message: 'waiting' }, { kind: 'meta', summary: 'Notification: waiting' }],
    [
      'BrandNew',
      { tool_name: 'Bash', error: 'boom' },
      { kind: 'meta', type: 'BrandNew', oddReason: 'unknown_type' },
    ],
    [3, {}, { kind: 'odd', oddReason: 'unknown_type' }],
    [undefined, {}, { kind: 'odd', oddReason: 'unknown_type' }],
  ])('%j %j', (event, fields, want) => {
    const record = one(frame(event, fields))
    expect(record).toMatchObject(want)
    if (!('oddReason' in want)) expect(record.oddReason).toBeUndefined()
  })

  test('an unknown event never looks like a success', () =>
    expect(one(frame('PostToolUseX', { ...bash, error: 'boom' })).facts.results).toBeUndefined())

  test('names match in any letter case', () => {
    expect(
      one({ Hook_Event_Name: 'PostToolUseFailure', SESSION_ID: S, Tool_Name: 'Edit', Error: 'caps' }),
    ).toMatchObject({
      executionKey: S,
      facts: { results: [{ failed: true, text: 'caps', span: { jsonPointer: '/Error' } }] },
    })
  })

  test('frames of a sub-agent are its own', () => {
    const records = fold(
      frame('PreToolUse', { ...bash, agent_id: 'a1' }),
      frame('PostToolUse', { ...bash, agent_id: 'a1' }),
    )
    expect(records.map((record) => record.executionKey)).toEqual([`${S}/agent-a1`, `${S}/agent-a1`])
    expect(records.map((record) => record.facts.childOf)).toEqual([{ parentKey: S, callId: null }, undefined])
  })

  test('a frame without a session is kept and shown as odd', () =>
    expect(one({ hook_event_name: 'Stop' })).toMatchObject({
      oddReason: 'no_session',
      facts: { ended: { how: 'Stop' } },
    }))

  test('what a sender had no room for is shown, and belongs to no execution', () =>
    expect(
      one({
        inquest_spool_dropped: { frames: 12, records: 1, bytes: 3400, since: 'Monday', until: 'Tuesday' },
      }),
    ).toMatchObject({
      homeless: true,
      oddReason: 'spool_dropped',
      oddDetail: {
        id: 'records_dropped',
        params: { frames: 12, records: 1, bytes: 3400, since: 'Monday', until: 'Tuesday' },
      },
    }))

  test.each([
    ['no session', { hook_event_name: 'Stop' }],
    ['no event', { session_id: S }],
    ['an event that is no text', { session_id: S, hook_event_name: 7 }],
    ['nothing at all', {}],
    ['a list', []],
  ])('what names %s belongs to no execution', (_what, value) =>
    expect(one(value)).toMatchObject({ homeless: true, oddReason: expect.any(String) }),
  )

  test('an event that nobody knows belongs to its session', () =>
    expect(one(frame('NewInNextVersion')).homeless).toBeUndefined())
})

test('no JSON value makes the reader throw, and folding is deterministic', () => {
  const shaped = fc.record(
    {
      hook_event_name: fc.oneof(
        fc.constantFrom(
          'PreToolUse',
          'PostToolUse',
          'PostToolUseFailure',
          'PermissionDenied',
          'PostToolBatch',
          'Stop',
          'StopFailure',
          'UserPromptSubmit',
        ),
        fc.jsonValue(),
      ),
      session_id: fc.jsonValue(),
      tool_name: fc.jsonValue(),
      tool_input: fc.jsonValue(),
      tool_use_id: fc.jsonValue(),
      error: fc.jsonValue(),
      is_interrupt: fc.jsonValue(),
      duration_ms: fc.jsonValue(),
      tool_calls: fc.jsonValue(),
      last_assistant_message: fc.jsonValue(),
      prompt: fc.jsonValue(),
      agent_id: fc.jsonValue(),
      reason: fc.jsonValue(),
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

const FRAMES = '../shared/conformance/receipts/hook-frames.jsonl'
describe.runIf(existsSync(FRAMES))('recorded failure frames', () => {
  const expand = (text: string): string =>
    text.replace(/@@(.)\*(\d+)@@/g, (_, character: string, times: string) => character.repeat(Number(times)))
  const cases = (existsSync(FRAMES) ? readFileSync(FRAMES, 'utf8').trim().split('\n') : [])
    .map(
      (line) =>
        JSON.parse(line) as {
          id: string
          what: string
          stdin: string
          expected: { frame: { error?: string } | null }
        },
    )
    .filter(({ expected }) => typeof expected.frame?.error === 'string')

  test('there are some', () => expect(cases.length).toBeGreaterThan(50))

  test.each(cases)('$id: $what', ({ stdin, expected }) => {
    const text = expand(stdin)
    // What the text is to the byte is checked where it is made; here it is cut for a screen.
    const result = claudeHook.read(lineOf(JSON.parse(text), text), claudeHook.start({})).facts.results![0]!
    expect([result.failed, result.text!.slice(0, 40)]).toEqual([
      true,
      expected.frame!.error!.replace(/^\ufeff/, '').slice(0, 40),
    ])
  })
})
