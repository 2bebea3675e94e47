import { FAILURE_CLASSES, type FailureClass, type Outcome as ProductOutcome } from '@/lib/model/execution'
import type { FailureAdvice } from '@/lib/model/advice'
import type { RetryVerdicts } from '@/lib/model/retry'
import type { Kind, Outcome, Recovered, Retry } from './labels'

/**
 * The product's words in the words of the labels. Each class has one kind, chosen by what its phrases in
 * `lib/judge/calls/failure-class.ts` mean and not by what the labels hold.
 */
const KIND_OF: Record<FailureClass, Kind> = {
  exit_code: 'command_failed',
  not_read_first: 'edit_mismatch', // the edit is refused because the file is not as the agent last saw it
  user_rejected: 'refused',
  file_missing: 'not_found',
  sibling_cancelled: 'cancelled_sibling',
  edit_no_match: 'edit_mismatch',
  edit_multi_match: 'edit_mismatch',
  too_large: 'too_large',
  permission_denied: 'permission',
  hook: 'permission', // a hook does not let the call through
  is_dir: 'bad_input', // the path of a folder where a file is asked for
  input_validation: 'bad_input',
  task_output: 'not_found', // "No task found with ID"
  interrupted: 'interrupted',
  agent_failure: 'other',
  other: 'other',
}

const isClass = (name: string): name is FailureClass => (FAILURE_CLASSES as readonly string[]).includes(name)

/** A class that a newer rule invents has no kind before someone gives it one here: it is `other`. */
export const kindOf = (failureClass: string | null): Kind =>
  failureClass !== null && isClass(failureClass) ? KIND_OF[failureClass] : 'other'

/** As the labels' README maps them. */
const OUTCOME_OF: Record<ProductOutcome, Outcome> = {
  succeeded: 'succeeded',
  failed: 'failed',
  retriable: 'failed',
  interrupted: 'interrupted',
  cancelled: 'interrupted',
  unknown: 'open',
  running: 'open',
}
export const outcomeOf = (outcome: ProductOutcome): Outcome => OUTCOME_OF[outcome]

/**
 * What became of a failed call. The product says it of retry chains and not of calls, so a call has the
 * answer of its chain: `recovered` is the same way, `doneOtherwise` is another way, and all the rest is no.
 */
export function recoveredOf(
  chain: { number: number; recovered: boolean } | undefined,
  read: Pick<FailureAdvice, 'doneOtherwise'> | undefined,
): Recovered {
  if (chain?.recovered) return 'same'
  return chain !== undefined && read?.doneOtherwise?.includes(chain.number) ? 'other_way' : 'no'
}

/**
 * Whether the identical call, made again at once, would succeed; null where the product claims nothing of that:
 * where it is unclear, or may help. A same call that worked after other work is about a changed state, so it is no
 * answer either. The product says this of failures with the same words together, so all calls of such a group have
 * one answer.
 */
export function unchangedRetryOf(read: Omit<RetryVerdicts, 'runRetry'> | undefined): Retry | null {
  if (read?.callRetry === 'wont_help') return 'would_not'
  if (read?.callRetry !== 'helped' || read.recoveredBy === null) return null
  return read.recoveredBy === 'same_call' && read.afterOtherWork ? null : 'would_help'
}
