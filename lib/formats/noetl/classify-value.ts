import { isObject, member, type ExactJson, type ExactObject } from '../../text/exact-json'
import { isNumber } from '../../text/exact-number'
import { isDispatchHandle, runIdOf, statusWord } from './dispatch-handle'
import { isResultReference, isTruncationStub } from './stubs'
import { diagnosisState } from './validate-diagnosis'
import { ERROR_KINDS, FRAMEWORKS, IN_FLIGHT_STATUSES, isOneOf } from '../../model/diagnosis-lists'
import type { AgentOutcome, DiagnosisState } from '../../model/workflow-facts'

export type ValueShape =
  | 'agent_envelope'
  | 'dispatch_handle'
  | 'status_doc'
  | 'result_reference'
  | 'truncation_stub'
  | 'other'

export type ValueProblem =
  | 'unresolved_dispatch'
  | 'data_is_dispatch_handle'
  | 'diagnosis_is_dispatch_handle'
  | 'diagnosis_incomplete'
  | 'diagnosis_malformed'
  | 'missing_error_block'
  | 'error_not_object'
  | 'error_block_on_ok'
  | 'missing_error_kind'
  | 'unknown_error_kind'
  | 'unknown_status'
  | 'unknown_framework'
  | 'missing_execution_id'
  | 'execution_id_is_number'
  | 'wait_timed_out'
  | 'failed_and_completed'

export interface ClassifiedValue {
  shape: ValueShape
  outcome: AgentOutcome
  /** Id of the run that the value names: the child of an envelope. Digits as text. */
  executionId: string | null
  framework: string | null
  errorKind: string | null
  errorCode: string | null
  diagnosis: DiagnosisState
  /** Sorted. */
  problems: ValueProblem[]
}

/**
 * What a value of a run is, tried in the order of `ValueShape`, and what is odd about it. An agent that failed is data: nothing here tells
 * whether a step failed.
 *
 * @see docs/parity.md#envelopes
 */
export function classifyValue(value: unknown): ClassifiedValue {
  const nothing = { framework: null, errorKind: null, errorCode: null, diagnosis: 'absent' } as const
  if (!isObject(value))
    return { shape: 'other', outcome: 'unknown', executionId: null, ...nothing, problems: [] }
  const executionId = runIdOf(value)
  const problems: ValueProblem[] =
    executionId !== null && isNumber(member(value, 'execution_id')) ? ['execution_id_is_number'] : []
  if (isAgentEnvelope(value)) return classifyEnvelope(value, executionId, problems)
  const as = (shape: ValueShape, outcome: AgentOutcome): ClassifiedValue => ({
    shape,
    outcome,
    executionId,
    ...nothing,
    problems: problems.sort(),
  })
  if (isDispatchHandle(value)) return as('dispatch_handle', 'in_flight')
  const [completed, failed] = [member(value, 'completed'), member(value, 'failed')]
  if (typeof completed === 'boolean' && typeof failed === 'boolean') {
    if (member(value, 'timeout') === true) problems.push('wait_timed_out')
    if (completed && failed) problems.push('failed_and_completed')
    return as('status_doc', failed ? 'error' : completed ? 'ok' : 'in_flight')
  }
  if (isResultReference(value)) return as('result_reference', 'unknown')
  return as(isTruncationStub(value) ? 'truncation_stub' : 'other', 'unknown')
}

/** Whether an object is what an agent step returns. Failures of its configuration carry neither framework nor entry point. */
export function isAgentEnvelope(value: unknown): value is ExactObject {
  if (!isObject(value) || !Object.hasOwn(value, 'status')) return false
  if (Object.hasOwn(value, 'framework')) return true
  const kind = member(member(value, 'error'), 'kind')
  return typeof kind === 'string' && kind.startsWith('agent.')
}

function classifyEnvelope(
  value: ExactObject,
  executionId: string | null,
  problems: ValueProblem[],
): ClassifiedValue {
  const said = outcomeOf(member(value, 'status'))
  if (said === 'in_flight') problems.push('unresolved_dispatch')
  if (said === 'unknown') problems.push('unknown_status')
  const isDataHandle = isDispatchHandle(member(value, 'data'))
  if (isDataHandle) problems.push('data_is_dispatch_handle')

  const error = member(value, 'error') ?? null
  const kind = member(error, 'kind') ?? null
  if (error === null) {
    if (said === 'error') problems.push('missing_error_block')
  } else if (!isObject(error)) problems.push('error_not_object')
  else {
    if (said === 'ok') problems.push('error_block_on_ok')
    if (typeof kind !== 'string' || kind === '') problems.push('missing_error_kind')
    else if (!isOneOf(ERROR_KINDS, kind)) problems.push('unknown_error_kind')
  }

  const diagnosis = diagnosisState(member(error, 'diagnosis'))
  const oddDiagnosis = DIAGNOSIS_PROBLEMS[diagnosis]
  if (oddDiagnosis !== undefined) problems.push(oddDiagnosis)

  const framework = member(value, 'framework') ?? null
  if (framework !== null && !isOneOf(FRAMEWORKS, framework)) problems.push('unknown_framework')
  const isBeforeTheRun = kind === 'agent.configuration' || kind === 'agent.dependency'
  if (framework === 'noetl' && executionId === null && !isBeforeTheRun) problems.push('missing_execution_id')
  return {
    shape: 'agent_envelope',
    outcome: said === 'ok' && isDataHandle ? 'in_flight' : said,
    executionId,
    framework: textOrNull(framework),
    errorKind: textOrNull(kind),
    errorCode: textOrNull(member(error, 'code')),
    diagnosis,
    problems: problems.sort(),
  }
}

/** What the status of an envelope says. In flight: it was built from a handle, also where an error block is beside it. */
function outcomeOf(status: ExactJson | undefined): AgentOutcome {
  const word = statusWord(status)
  if (word === 'ok' || word === 'success') return 'ok'
  if (word === 'error' || word === 'failed') return 'error'
  return isOneOf(IN_FLIGHT_STATUSES, word) ? 'in_flight' : 'unknown'
}

const DIAGNOSIS_PROBLEMS: Partial<Record<DiagnosisState, ValueProblem>> = {
  dispatch_handle: 'diagnosis_is_dispatch_handle',
  incomplete: 'diagnosis_incomplete',
  malformed: 'diagnosis_malformed',
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
