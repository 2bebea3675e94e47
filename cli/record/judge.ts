import { judgeRun } from '@/lib/formats/claude/run-verdict'
import type { FailOn } from './command-line'
import type { ContractFinding } from './judge-contract'
import type { RunResultFact } from '@/lib/model/run-facts'
import { recordEndText } from '@/lib/words/cli/record-end'

/** What a run is judged by. */
export interface Judged {
  exitCode: number | null
  signal: string | null
  timedOut: boolean
  /** The last result record of the output. */
  result: RunResultFact | null
  /** `null`: nobody asked for it. */
  contract: ContractFinding | null
}

/** The recorder's own verdict, as the record keeps it. */
export interface Verdict {
  failed: boolean
  kind: string
  reason: string | null
  /** What the operator reads; of a run that did not fail, what was not judged about it. */
  text: string | null
  /** The kind of `--fail-on` that makes the exit status 70. */
  failedOn: FailOn | null
}

/**
 * Judges a run by the rules of the failure signal. When its process ended with 0, the first of the kinds that were asked for makes it fail; each
 * is asked for itself, so that a run with a signal and refused tools fails on either.
 *
 * @see docs/sources/claude-code.md#result-record
 */
export function judge(run: Judged, failOn: readonly FailOn[]): Verdict {
  const { exitCode, signal, result } = run
  if (signal !== null)
    return {
      failed: true,
      kind: 'exit_code',
      reason: null,
      text: recordEndText.killed({ signal }),
      failedOn: null,
    }
  const { failed, kind, reason, text } = judgeRun(exitCode, result)
  for (const asked of exitCode === 0 ? failOn : []) {
    const found = CHECKS[asked](run)
    if (found !== null) return { ...found, failedOn: asked }
  }
  // By the rules it says nothing, which is not the same as that all is well.
  return { failed, kind, reason, text: text ?? (result?.unreadable ? UNREADABLE : null), failedOn: null }
}

const UNREADABLE = recordEndText.badResultRecord

type Found = Omit<Verdict, 'failedOn'>

const CHECKS: Record<FailOn, (run: Judged) => Found | null> = {
  'agent-signal': ({ result }) => (result?.signal ? ruled(result) : null),
  'cli-status': ({ result }) => result && ruled({ ...result, signal: undefined, permissionDenials: [] }),
  'permission-denied': ({ result }) =>
    result && ruled({ ...result, signal: undefined, isError: false, subtype: 'success' }),
  contract: ({ contract }) =>
    contract?.broken ? { failed: true, kind: 'contract', reason: null, text: contract.text } : null,
  timeout: ({ timedOut }) =>
    timedOut ? { failed: true, kind: 'timeout', reason: null, text: recordEndText.timedOut } : null,
}

function ruled(result: RunResultFact): Found | null {
  const { failed, kind, reason, text } = judgeRun(0, result)
  return failed ? { failed, kind, reason, text } : null
}
