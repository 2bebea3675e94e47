import { Transcript } from '@/db/seed/transcript'
import { recordedRun } from '@/lib/sample/recorded-run'
import { type Loading, send, sessionId } from './loading'

const TOKEN = `ghp_${'a1B2'.repeat(9)}`

/** A text of each failure class that a tool gives. */
const FAILED_CALLS: readonly [tool: string, error: string][] = [
  ['Bash', 'Exit code 2'],
  ['Edit', 'File has not been read yet. Read it first before writing to it.'],
  ['Bash', 'User rejected tool use'],
  ['Read', 'File does not exist.'],
  ['Bash', 'Sibling tool call errored'],
  ['Edit', 'String to replace not found in file.'],
  ['Edit', 'Found 3 matches of the string to replace'],
  ['Read', 'File content (300KB) exceeds maximum allowed size'],
  ['Bash', 'Permission to use Bash has been denied.'],
  ['Bash', 'PreToolUse hook said no'],
  ['Read', 'EISDIR: illegal operation on a directory, read'],
  ['Grep', 'InputValidationError: pattern is missing'],
  ['TaskOutput', 'No task found with ID: t1'],
  ['Bash', '[Request interrupted by user for tool use]'],
  ['Skill', 'Unknown skill: commit'],
]

/** Ends of a printed stream that are failures of their own kind. */
const RESULTS: readonly Record<string, unknown>[] = [
  { subtype: 'error_during_execution', is_error: true, result: undefined, errors: ['boom'] },
  { subtype: 'error_max_turns', is_error: true, result: undefined },
  { subtype: 'error_max_budget_usd', is_error: true, result: undefined },
  { terminal_reason: 'hook_stopped', is_error: true },
  { is_error: true, result: 'API Error: 529 Overloaded', api_error_status: 529 },
  { startup_failure_reason: 'no such model', is_error: true },
  {
    permission_denials: [
      { tool_name: 'Write', tool_use_id: 'toolu_denied', tool_input: { file_path: '/etc/hosts' } },
    ],
  },
]

/**
 * Sessions as their files: failed in each way, redacted and not, odd, torn, in pieces, and with a sub-agent.
 */
export async function loadTranscripts(loading: Loading): Promise<void> {
  const failing = (n: number): Transcript =>
    new Transcript({ sessionId: sessionId('0001', n) })
      .user('Make the tests pass')
      .call('Bash', { command: 'npm test' }, { fails: 'Exit code 1\nboom' })
  await send(loading, 'claude-transcript', failing(1).text, {
    'inquest-file': encodeURIComponent('-srv-shop/one.jsonl'),
    'idempotency-key': 'transcript-1',
  })
  await send(
    loading,
    'claude-transcript',
    failing(2).call('Bash', { command: 'npm test' }, { ok: 'passed' }).text,
  )
  await send(loading, 'claude-transcript', failing(3).user(`use ${TOKEN}`).text, {
    'inquest-source': 'redacted',
  })
  await send(loading, 'claude-transcript', failing(4).user(`use ${TOKEN}`).text, {
    'inquest-source': encodeURIComponent('not redacted'),
  })
  await send(loading, 'claude-transcript', failing(5).interrupted().text)
  await send(
    loading,
    'claude-transcript',
    failing(6).call('Bash', { command: 'sleep 600' }, { none: true }).text,
  )
  const every = new Transcript({ sessionId: sessionId('0001', 10) }).user('Fail in every way')
  for (const [tool, fails] of FAILED_CALLS) every.call(tool, { file_path: `/srv/${fails.length}` }, { fails })
  await send(loading, 'claude-transcript', every.text)
  for (const [i, resultRecord] of RESULTS.entries()) {
    const { stream } = recordedRun({ id: sessionId('000a', i + 1), resultRecord })
    await send(loading, 'claude-stream', stream!)
  }
  // Odd records between good ones, and a last line that is torn.
  const torn = failing(7).text
  await send(
    loading,
    'claude-transcript',
    `${torn}not json\n[1,2]\n{"type":"of tomorrow","sessionId":"${sessionId('0001', 7)}"}\n${torn.slice(0, 40)}`,
  )
  await send(loading, 'claude-transcript', oddLines(failing(11).text))
  // One file in two pieces, and the same file with other bytes: a variant of the stream.
  const pieces = failing(8).says('I will look again.').text
  const cut = pieces.indexOf('\n') + 1
  const first = await send(loading, 'claude-transcript', pieces.slice(0, cut), { 'inquest-more': '1' })
  const rest = { 'inquest-offset': String(cut), 'inquest-stream': encodeURIComponent(first.streamId!) }
  await send(loading, 'claude-transcript', pieces.slice(cut), rest)
  await send(loading, 'claude-transcript', pieces.replaceAll('boom', 'bang'))
  // A piece that came before the one in front of it waits for that one.
  const waiting = failing(9).text
  const begun = await send(loading, 'claude-transcript', waiting.slice(0, waiting.indexOf('\n') + 1), {
    'inquest-more': '1',
  })
  await send(loading, 'claude-transcript', waiting.slice(waiting.lastIndexOf('\n', waiting.length - 2) + 1), {
    'inquest-offset': String(waiting.lastIndexOf('\n', waiting.length - 2) + 1),
    'inquest-stream': encodeURIComponent(begun.streamId!),
  })
  await loadSubAgent(loading)
}

/** Records of kinds that the others lack, and lines that cannot be read, each for a reason of its own. */
function oddLines(text: string): Uint8Array {
  const like = (more: object): string =>
    `${JSON.stringify({ ...(JSON.parse(text.split('\n')[0]!) as object), uuid: undefined, ...more })}\n`
  const session = sessionId('0001', 11)
  const lines = [
    '{"type":"user","message":{"role":"user","content":"Whose is this?"}}\n',
    text,
    like({
      type: 'assistant',
      uuid: `${session}-t`,
      message: {
        role: 'assistant',
        id: 'msg_t',
        model: 'm',
        content: [{ type: 'thinking', thinking: 'Let me see.' }],
      },
    }),
    like({
      type: 'system',
      uuid: `${session}-h`,
      subtype: 'stop_hook_summary',
      hookCount: 1,
      hookErrors: ['lint failed'],
      preventedContinuation: false,
    }),
    like({
      type: 'system',
      uuid: `${session}-c`,
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
    }),
    `{"type":"user","sessionId":"${session}","deep":${'['.repeat(3_000)}${']'.repeat(3_000)}}\n`,
    '\0\0 no text \0\n',
  ]
  return Buffer.concat([
    ...lines.map((line) => Buffer.from(line)),
    Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d, 0x0a]),
  ])
}

async function loadSubAgent(loading: Loading): Promise<void> {
  const main = new Transcript({ sessionId: sessionId('0002', 1) })
    .user('Delegate it')
    .call(
      'Task',
      { description: 'read', prompt: 'Read the notes', subagent_type: 'general' },
      { fails: 'The agent could not read them', toolResult: { agentId: 'a7b7' } },
    )
  const agent = new Transcript({ sessionId: sessionId('0002', 1), agentId: 'a7b7' })
    .user('Read the notes')
    .call('Read', { file_path: '/srv/notes.md' }, { fails: 'File does not exist.' })
  await send(loading, 'claude-transcript', main.text, {
    'inquest-file': encodeURIComponent(`-srv/${sessionId('0002', 1)}.jsonl`),
  })
  await send(loading, 'claude-transcript', agent.text, {
    'inquest-file': encodeURIComponent(`-srv/${sessionId('0002', 1)}/subagents/agent-a7b7.jsonl`),
  })
}
