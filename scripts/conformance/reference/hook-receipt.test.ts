import { describe, expect, test } from 'vitest'
import type { EmitterFrame } from '@/lib/formats/receipt/emitter-frame'
import { hookReceiptOf, outcomeStatus } from './hook-receipt'

const frame: EmitterFrame = { v: '1', channel: 'claude-code', tool: { name: 'Edit' }, decision: 'allowed' }

describe('status', () => {
  test.each<[Partial<EmitterFrame>, string]>([
    [{}, 'success'],
    [{ error: 'x' }, 'failure'],
    [{ decision: 'pending', error: 'x' }, 'pending'],
    [{ decision: 'denied' }, 'failure'],
    [{ output: '{"isError":true}' }, 'success'],
    [{ channel: 'mcp', output: '{"isError":true}' }, 'failure'],
    [{ channel: 'mcp', output: '{"isError":"true"}' }, 'success'],
    [{ channel: 'mcp', output: '{"isError":1}' }, 'success'],
    [{ channel: 'mcp', output: '[{"isError":true}]' }, 'success'],
    [{ channel: 'mcp', output: 'null' }, 'success'],
    [{ channel: 'mcp' }, 'success'],
  ])('%j', (fields, status) => expect(outcomeStatus({ ...frame, ...fields })).toBe(status))
})

describe('the daemon', () => {
  test.each<[Partial<EmitterFrame>, object]>([
    [{ agent_id: 'a/b' }, { rejected_by_daemon: 'agent_id' }],
    [{ agent_id: 'a\0b', agent_type: 't'.repeat(300) }, { rejected_by_daemon: 'agent_id' }],
    [{ agent_type: 'é'.repeat(129) }, { rejected_by_daemon: 'agent_type' }],
    [{ agent_type: 'é'.repeat(128), agent_id: 'a' }, { agent_chain_suffix: '/agent/a' }],
    [
      { tool: { server: 'git', name: 'push' }, channel: 'mcp' },
      { action_type: 'mcp.git.push', tool_name: 'push' },
    ],
    [
      { input: 'null', output: '0' },
      { parameters_hash: null, response_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
    ],
  ])('takes %j as %j', (fields, want) => expect(hookReceiptOf({ ...frame, ...fields })).toMatchObject(want))

  test.each<[string, string]>([
    ['"\\ud800\\ud83d\\ude00\\udc00\\\\ud800\\uD83D\\n"', '"\ufffd😀\ufffd\\\\ud800\ufffd\\n"'],
    ['{"\\\\ud83d\\ude00":1.0}', '{"\\\\ud83d\ufffd":1}'],
  ])('hashes %s as %s: half of a surrogate pair is U+FFFD', (sent, read) => {
    expect(hookReceiptOf({ ...frame, input: sent })).toEqual(hookReceiptOf({ ...frame, input: read }))
  })
})
