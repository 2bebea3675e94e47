import type { FailureClass, Pointer } from '../../model/execution'
import type { ResultFact } from '../../model/event-facts'
import type { FailureSign } from '../../model/failure-signs'
import type { NoParams } from '../../model/message'
import { firstThatHolds, type Rule, type RuleTable, type Verdict } from '../rule-table'

/** What the rules ask of a failed call: its result, and where that is. */
interface FailureFacts {
  readonly result: Pick<ResultFact, 'signs' | 'freeOutput' | 'exitCode' | 'failureClass'>
  readonly pointer: Pointer | null
}

/** The rules by the types of their params. */
interface FailureClassRules extends Record<Exclude<FailureSign, 'exit_code'>, NoParams> {
  /** Null: a number of more digits than an exit code has. */
  exit_code: { exitCode: number | null }
  stored_class: NoParams
  no_sign: NoParams
}

type FailureVerdict = Verdict<FailureClass, FailureClassRules>

const noParams = (): NoParams => ({})
const pointer = (facts: FailureFacts): Pointer | null => facts.pointer
const has =
  (sign: FailureSign) =>
  ({ result }: FailureFacts): boolean =>
    result.signs?.includes(sign) === true

/** The sign names the class: the record states it, or the text says it. */
const bySign = (
  id: Exclude<FailureSign, 'exit_code'>,
  verdict: FailureClass,
  { stated = false, notInFreeOutput = false } = {},
): Rule<FailureFacts, FailureClass, FailureClassRules> => ({
  id,
  when: (facts) => has(id)(facts) && !(notInFreeOutput && facts.result.freeOutput === true),
  verdict,
  params: noParams,
  pointer,
  basis: stated ? 'recorded' : 'inferred',
})

/**
 * How a call failed. What its record states comes before what its text says, and of that the exit code comes first:
 * output of commands often contains the phrases of other classes, and a search anywhere in it would invent time-outs
 * and missing files.
 *
 * @see docs/sources/cause.md#failure-classes
 */
const FAILURE_CLASS: RuleTable<FailureFacts, FailureClass, FailureClassRules> = [
  {
    // Rows of versions that classified while they parsed; a reingest replaces them.
    id: 'stored_class',
    when: ({ result }) => result.failureClass !== undefined,
    verdict: ({ result }) => result.failureClass!,
    params: noParams,
    pointer,
  },
  bySign('denial_recorded', 'permission_denied', { stated: true }),
  bySign('interrupt_recorded', 'interrupted', { stated: true }),
  bySign('command_failed', 'exit_code', { stated: true }),
  bySign('agent_failed', 'agent_failure', { stated: true }),
  {
    id: 'exit_code',
    when: has('exit_code'),
    verdict: 'exit_code',
    params: ({ result }) => ({ exitCode: result.exitCode ?? null }),
    pointer,
  },
  bySign('interrupted_by_user', 'interrupted'),
  bySign('refused_by_user', 'user_rejected'),
  bySign('parallel_call_failed', 'sibling_cancelled'),
  bySign('refused_by_hook', 'hook'),
  bySign('refused_by_policy', 'permission_denied'),
  bySign('permission_missing', 'permission_denied'),
  bySign('access_denied', 'permission_denied'),
  bySign('file_not_read', 'not_read_first'),
  bySign('file_modified', 'not_read_first'),
  bySign('modified_since_read', 'not_read_first', { notInFreeOutput: true }),
  bySign('many_matches', 'edit_multi_match'),
  bySign('no_match', 'edit_no_match'),
  bySign('nothing_to_change', 'edit_no_match'),
  bySign('over_limit', 'too_large', { notInFreeOutput: true }),
  bySign('is_folder', 'is_dir'),
  bySign('path_missing', 'file_missing'),
  bySign('no_such_file', 'file_missing'),
  bySign('input_invalid', 'input_validation'),
  bySign('task_unknown', 'task_output'),
  { id: 'no_sign', when: () => true, verdict: 'other', params: noParams, pointer: () => null },
]

/** The last rule holds always: what no sign names is `other`, never a guess. */
export const judgeFailure = (facts: FailureFacts): FailureVerdict => firstThatHolds(FAILURE_CLASS, facts)!
