/** Records as claude-code-action writes them into its `execution_file`. */
type Rec = Record<string, unknown>

/** Result records by how the run ended. */
export const RESULT = {
  success: { type: 'result', subtype: 'success', is_error: false, result: 'Done.', num_turns: 3 },
  maxTurns: {
    type: 'result',
    subtype: 'error_max_turns',
    is_error: true,
    num_turns: 3,
    stop_reason: 'tool_use',
    errors: ['Reached maximum number of turns (3)'],
  },
  apiError: {
    type: 'result',
    subtype: 'success',
    is_error: true,
    num_turns: 1,
    result: 'API Error: 529 Overloaded',
    terminal_reason: 'api_error',
    api_error_status: 529,
  },
} as const satisfies Record<string, Rec>

/** A command that failed with this output. */
export const failedCall =
  (command: string, output: string) =>
  (id: string): Rec[] => [
    {
      type: 'assistant',
      message: {
        id: `msg_${id}`,
        model: 'claude-x',
        role: 'assistant',
        content: [{ type: 'tool_use', id, name: 'Bash', input: { command } }],
      },
    },
    {
      type: 'user',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: output, is_error: true }],
      },
    },
  ]

/** All records of a run; without a result the SDK threw. */
export function executionFile(
  calls: readonly ((id: string) => Rec[])[],
  result: Rec | null,
  session = '5b0c1f7e-0000-4000-8000-000000000001',
): Rec[] {
  const records = [
    { type: 'system', subtype: 'init', cwd: '/home/runner/work/shop', tools: ['Bash'], model: 'claude-x' },
    ...calls.flatMap((call, i) => call(`toolu_${i + 1}`)),
    ...(result === null ? [] : [result]),
  ]
  return records.map((record, i) => ({ ...record, session_id: session, uuid: `${session}-${i}` }))
}
