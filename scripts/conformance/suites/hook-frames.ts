import type { EmitterFrame } from '@/lib/formats/receipt/emitter-frame'
import { runReferenceHook } from '@/lib/formats/receipt/hook-frame'
import { hookReceiptOf } from '../reference/hook-receipt'
import { jsonLines } from './json-lines'

interface HookFrameCase {
  id: string
  env: Record<string, string>
  stdin: string
  expected: { input_omitted?: true; frame: object | null; receipt?: unknown }
}

/** Hook runs and what the reference made of them, down to the receipt. */
export const hookFrames = jsonLines<HookFrameCase>(
  'hook-frames',
  (path) => path.endsWith('receipts/hook-frames.jsonl'),
  ({ env, stdin, expected }) => {
    const run = runReferenceHook(expandRepeats(stdin), Boolean(env.CLAUDE_SESSION_ID))
    const { frame } = run
    const got = {
      recognised: run.stage !== 'unrecognised',
      exit_code: run.stage === 'sent' || run.stage === 'unrecognised' ? 0 : 1,
      stage: run.stage,
      warns_missing_file_path: run.warnsMissingFilePath,
      ...(frame === null
        ? {}
        : { session_id_generated: frame.session_id === undefined, error_truncated: run.errorCut }),
      // Only says that the recorded frame lacks its input.
      ...(expected.input_omitted ? { input_omitted: true } : {}),
      frame: frame === null ? null : withValues(frame, expected.input_omitted ?? false),
    }
    const { receipt: _, ...ofFrame } = expected
    return { expected: withDoubles(ofFrame), got }
  },
  {
    kind: 'receipt',
    compare: ({ env, stdin, expected }) => {
      const { frame } = runReferenceHook(expandRepeats(stdin), Boolean(env.CLAUDE_SESSION_ID))
      return {
        expected: { receipt: withDoubles(expected.receipt) },
        got: { receipt: frame === null ? null : hookReceiptOf(frame) },
      }
    },
  },
)

/** `@@c*n@@` stands for n times the character c. */
const expandRepeats = (text: string): string =>
  text.replace(/@@(.)\*(\d+)@@/gsu, (_, character: string, times: string) => character.repeat(Number(times)))

function withValues({ input, output, ...rest }: EmitterFrame, isInputOmitted: boolean): object {
  return {
    ...rest,
    ...(input === undefined || isInputOmitted ? {} : { input: JSON.parse(input) as unknown }),
    ...(output === undefined ? {} : { output: JSON.parse(output) as unknown }),
  }
}

/** The reader of cases spells integers out that no double holds; the reference knows doubles only. */
function withDoubles(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(withDoubles)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withDoubles(one)]))
  return value
}
