import type { RecorderNote } from '../../model/messages/decision'
import type { Decision, RecorderVerdict } from './decision'
import type { RunFact } from '../../model/run-facts'

type Judged = Pick<Decision, 'outcome' | 'rule' | 'contentState' | 'evidence'>

const UNSOUND: readonly string[] = ['failed', 'retriable', 'interrupted', 'cancelled']

/** Sets the recorder's verdict beside ours; it changes nothing in that. */
export function besideDecision(verdict: NonNullable<RunFact['verdict']>, decision: Judged): RecorderVerdict {
  const failedHere = UNSOUND.includes(decision.outcome)
  if (!failedHere && decision.outcome !== 'succeeded') return { ...verdict, differs: null }
  if (isRed(verdict) !== failedHere) return { ...verdict, differs: 'outcome' }
  return {
    ...verdict,
    differs: !failedHere || (KNOWN_HERE[verdict.kind]?.(decision) ?? false) ? null : 'reason',
  }
}

/** A run that was to be judged and could not be is made to fail without a verdict. */
const isRed = ({ failed, failedOn }: Pick<RecorderVerdict, 'failed' | 'failedOn'>): boolean =>
  failed || failedOn !== null

/** Whether what a kind of verdict of the recorder says is in our decision too; a kind that is not here is one that only a newer recorder knows. */
const KNOWN_HERE: Readonly<Record<string, (d: Judged) => boolean>> = {
  exit_code: ({ evidence: { exit_code: exitCode, signal } }) =>
    (typeof exitCode === 'number' && exitCode !== 0) || typeof signal === 'string',
  agent_signal: ({ rule }) => rule === 'agent_signal',
  permission_denied: ({ rule }) => rule === 'permission_denied',
  // The rules of a result record are in our decision under what caused them (docs/sources/outcome.md).
  cli_status: ({ rule, evidence: { is_error: isError, subtype } }) =>
    rule !== 'agent_signal' &&
    rule !== 'permission_denied' &&
    (isError === undefined || isError === true || subtype !== 'success'),
  contract: ({ contentState, rule }) =>
    contentState === 'absent' || contentState === 'contract_violation' || rule === 'peer_parse_exception',
  timeout: ({ evidence }) => evidence['termination'] === 'timed_out',
}

/** What the recorder said: its verdict, what that made of the exit status, and why we may say something else. */
export function recorderNotes(
  { failed, text, failedOn, kind, differs }: RecorderVerdict,
  decision: Judged,
): { failed: boolean; notes: RecorderNote[] } {
  const exitCode = decision.evidence['exit_code']
  const red = isRed({ failed, failedOn })
  const notes: (RecorderNote | false)[] = [
    text !== null ? { id: 'verdict', params: { text } } : !red && { id: 'nothing_failed', params: {} },
    failedOn !== null
      ? { id: 'exit_status_set', params: { failOn: failedOn } }
      : typeof exitCode === 'number' && { id: 'exit_status_kept', params: { exitCode } },
    differs === 'outcome' &&
      (red
        ? kind === 'exit_code' && { id: 'exit_code_forgiven', params: {} }
        : isContractAlone(decision) && { id: 'contract_not_checked', params: {} }),
  ]
  return { failed: red, notes: notes.filter((note) => note !== false) }
}

/** Nothing but the contract was broken. */
const isContractAlone = ({ contentState, rule }: Judged): boolean =>
  rule !== 'permission_denied' &&
  rule !== 'agent_signal' &&
  (contentState === 'absent' || contentState === 'contract_violation')
