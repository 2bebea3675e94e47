import { judgeRun, type RunVerdict } from '@/lib/formats/claude/run-verdict'
import { lineOf } from '@/lib/formats/claude/testing/fold'
import { readResultRecord } from '@/lib/formats/claude/result-record'
import { jsonLines } from './json-lines'

interface FailureSignalCase {
  id: string
  input: { exit_code: number; result_event: Record<string, unknown> | null }
  expected: unknown
}

export const failureSignal = jsonLines<FailureSignalCase>(
  'failure-signal',
  (path) => path.endsWith('failure-signal/cases.jsonl'),
  ({ input, expected }) => {
    const { exit_code: exitCode, result_event: record } = input
    const verdict = judgeRun(
      exitCode,
      record === null ? null : readResultRecord(record, lineOf(record), { wrong: [] }),
    )
    return {
      expected,
      got: {
        failed: verdict.failed,
        kind: verdict.kind,
        reason: verdict.reason,
        detail: detailOut(verdict.detail),
      },
    }
  },
)

function detailOut(detail: RunVerdict['detail']): unknown {
  if (detail === null) return null
  if ('exitCode' in detail) return { exit_code: detail.exitCode }
  return 'tools' in detail
    ? { tools: detail.tools }
    : { subtype: detail.subtype, stop_reason: detail.stopReason }
}
