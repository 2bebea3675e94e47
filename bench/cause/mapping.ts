import type { Kind } from './labels'
import { FAILURE_CLASSES, type FailureClass } from '@/lib/model/execution'
import type { CallResolution, Resolution } from '@/lib/model/resolution'
import type { CallRetry } from '@/lib/model/retry'
import type { Recovered, Retry } from './labels'

/**
 * The product's words in the words of the labels. Each class has one kind, chosen by what its phrases in
 * `lib/judge/calls/failure-signs.ts` mean and not by what the labels hold.
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

const RECOVERED_OF: Record<Resolution, Recovered> = {
  same_way: 'same',
  another_way: 'other_way',
  unresolved: 'no',
  unknown: 'no',
}

/** What became of a failed call; one without an answer counts as not recovered. */
export const recoveredOf = (read: Pick<CallResolution, 'resolution'> | null): Recovered =>
  read === null ? 'no' : RECOVERED_OF[read.resolution]

/** Whether the identical call, made again at once, would succeed; null where the product says that it is unclear. */
export function unchangedRetryOf(read: Pick<CallRetry, 'verdict'> | null): Retry | null {
  if (read?.verdict === 'wont_help') return 'would_not'
  return read?.verdict === 'helped' || read?.verdict === 'would_help' ? 'would_help' : null
}
