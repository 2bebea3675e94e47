/** How a step of claude-code-action can end, with the file that it leaves behind (more-agents §2). */
export interface Ending {
  name: string
  conclusion: 'failure' | 'cancelled'
  /** Records of its file; null: there is none. */
  records: (session: string) => object[] | null
  /** What a stranger reads as the reason, in the log and in the summary. */
  reason: RegExp
  /** The same on the page. */
  onPage: RegExp
}

const init = { type: 'system', subtype: 'init', tools: ['Bash'], model: 'claude-x' }
const call = (id: string, command: string) => ({
  type: 'assistant',
  message: {
    id: `m-${id}`,
    role: 'assistant',
    content: [{ type: 'tool_use', id, name: 'Bash', input: { command } }],
  },
})
const answer = (id: string, content: string, failed = true) => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, is_error: failed }] },
})
const result = (more: object) => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  num_turns: 12,
  result: 'Done.',
  ...more,
})
const of =
  (...records: object[]) =>
  (session: string) =>
    records.map((record, n) => ({ ...record, session_id: session, uuid: `${session}-${n}` }))

const REFUSED = 'Claude requested permissions to use Bash, but you haven’t granted it yet.'

export const ENDINGS: Ending[] = [
  {
    name: 'API error',
    conclusion: 'failure',
    records: of(
      init,
      result({
        is_error: true,
        result: 'API Error: 529 Overloaded',
        terminal_reason: 'api_error',
        api_error_status: 529,
      }),
    ),
    reason: /529/,
    onPage: /529/,
  },
  {
    name: 'refused tool',
    conclusion: 'failure',
    records: of(
      init,
      call('t1', 'git push'),
      answer('t1', REFUSED),
      result({
        permission_denials: [{ tool_name: 'Bash', tool_use_id: 't1', tool_input: { command: 'git push' } }],
      }),
    ),
    reason: /reported success, but Bash.*was denied permission/,
    onPage: /was denied/,
  },
  {
    name: 'max turns',
    conclusion: 'failure',
    records: of(
      init,
      call('t1', 'npm test'),
      answer('t1', 'Exit code 1\n2 tests failed'),
      result({
        subtype: 'error_max_turns',
        is_error: true,
        result: undefined,
        errors: ['Reached maximum number of turns (12)'],
      }),
    ),
    reason: /turn limit after 12 turns/,
    onPage: /turn limit after 12 turns/,
  },
  {
    name: 'thrown SDK error',
    conclusion: 'failure',
    records: of(init, {
      type: 'assistant',
      message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'I begin.' }] },
    }),
    reason: /The CI step failed, and the agent reported no result/,
    onPage: /the agent reported no result/,
  },
  {
    name: 'green but failed',
    conclusion: 'failure',
    records: of(
      init,
      {
        type: 'assistant',
        message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
      },
      result({}),
    ),
    reason: /The CI step failed, although the agent reported success/,
    onPage: /although the agent reported success/,
  },
  {
    name: 'cancelled',
    conclusion: 'cancelled',
    records: () => null,
    reason: /There is no file|cancelled/,
    onPage: /CI step was cancelled/,
  },
]
