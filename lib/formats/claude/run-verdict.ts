import type { RunResultFact } from '../../model/run-facts'

export const VERDICT_KINDS = ['none', 'exit_code', 'agent_signal', 'cli_status', 'permission_denied'] as const
export type VerdictKind = (typeof VERDICT_KINDS)[number]

/** The part of a result record that a verdict is made of. */
export type RunEvidence = Pick<
  RunResultFact,
  'subtype' | 'isError' | 'stopReason' | 'permissionDenials' | 'signal' | 'unreadable'
>

export interface RunVerdict {
  failed: boolean
  kind: VerdictKind
  /** The agent's own reason; only for `agent_signal`, and `null` there too when it gave none. */
  reason: string | null
  detail: null | { exitCode: number } | { subtype: string; stopReason: string } | { tools: string[] }
  /** What the operator reads; `null` when nothing failed. */
  text: string | null
}

const NONE: RunVerdict = { failed: false, kind: 'none', reason: null, detail: null, text: null }

/**
 * The verdict on one run of a command line agent; the first rule that applies decides:
 * exit code, no readable result record, failure signal, error status, refused tools.
 *
 * @param exitCode of the process, negative ones too; `null` when nobody kept it, which decides nothing
 * @param record   facts of the last result record, `null` when none was seen. One that could not be read counts as none:
 *                 say so beside the verdict, since "not failed" is then not a success
 * @see docs/sources/claude-code.md#result-record
 */
export function judgeRun(exitCode: number | null, record: RunEvidence | null): RunVerdict {
  if (exitCode !== null && exitCode !== 0) {
    return {
      failed: true,
      kind: 'exit_code',
      reason: null,
      detail: { exitCode },
      text: `The process ended with exit code ${exitCode}`,
    }
  }
  if (record === null || record.unreadable) return NONE
  if (record.signal) {
    const { reason } = record.signal
    const said = 'The agent declared the run failed'
    return {
      failed: true,
      kind: 'agent_signal',
      reason,
      detail: null,
      text: reason === null ? said : `${said}: ${reason}`,
    }
  }
  if (record.isError === true || (record.subtype ?? '').toLowerCase() !== 'success') {
    const detail = { subtype: record.subtype || '<none>', stopReason: record.stopReason || '<none>' }
    const text = `The run did not complete well (subtype ${detail.subtype}, stop reason ${detail.stopReason})`
    return { failed: true, kind: 'cli_status', reason: null, detail, text }
  }
  if (record.permissionDenials.length > 0) {
    const tools = record.permissionDenials.map((denial) => denial.tool || '<unknown>')
    return {
      failed: true,
      kind: 'permission_denied',
      reason: null,
      detail: { tools },
      text: `Tools were refused: ${tools.join(', ')}`,
    }
  }
  return NONE
}
