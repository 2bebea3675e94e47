import type { ExactJson } from '@/lib/text/exact-json'
import { classifyValue } from '@/lib/formats/noetl/classify-value'
import { isDispatchHandle } from '@/lib/formats/noetl/dispatch-handle'
import { terminalResultOfChild } from '../reference/child-result'
import { judgeEndToEnd } from '../reference/end-to-end'
import { readEventRow } from '@/lib/formats/noetl/event-row'
import { parseLocalReply, parseRemoteReply, type RemoteVendor } from '../reference/model-reply'
import { readDiagnosis } from '@/lib/judge/diagnosis/run-diagnosis'
import { DIAGNOSIS_STEP, findPersistedDiagnosis } from '@/lib/judge/diagnosis/run-rows'
import { selectDiagnosis } from '../reference/select-diagnosis'
import { readStatusDocument } from '../reference/status-document'
import { terminalStateFrom } from '@/lib/formats/noetl/terminal-state'
import { diagnosisState, validateDiagnosis } from '@/lib/formats/noetl/validate-diagnosis'
import { lineOf } from '@/lib/formats/claude/testing/fold'
import { readRow } from '@/lib/formats/noetl/read-row'
import { isExemptKind } from '../reference/worker-outcome'
import { exactOf, type Input, type Operations } from './exact-cases'
import type { RowFact } from '@/lib/model/workflow-facts'

/** What a reader needs of envelopes, rows, waiting and diagnoses, in the spelling of the recorded cases. */
export const diagnosisOperations: Operations = {
  classify_value: ({ text }) => {
    const { shape, outcome, executionId, framework, errorKind, errorCode, diagnosis, problems } =
      classifyValue(exactOf(text))
    return {
      shape,
      outcome,
      execution_id: executionId,
      framework,
      error_kind: errorKind,
      error_code: errorCode,
      diagnosis,
      problems,
    }
  },
  optional_subsystem: ({ failed_envelope: envelope, diagnosis }) => {
    const facts = (envelope ?? null) === null ? null : factsOfAgentRow(envelope as ExactJson)
    const kept = diagnosis === undefined ? null : keptDiagnosis(diagnosis as ExactJson)
    return {
      page_renders: true,
      diagnosis_state: facts?.diagnosis?.state ?? diagnosisState(kept),
      ...(facts && { error_code_shown: facts.agent?.errorCode }),
      ...(kept !== null && { low_confidence: readDiagnosis(kept).lowConfidence }),
    }
  },
  read_event_row: ({ row }) => {
    const { label, agentOutcome, diagnosis, errorColumnPresent } = readEventRow(row)
    return { label, agent_outcome: agentOutcome, diagnosis, error_column_present: errorColumnPresent }
  },
  carveout_rule: ({ kinds }) => ({ exempt: listOf(kinds).filter(isExemptKind) }),
  validate_diagnosis: ({ text }) => {
    const { complete, missing, problems, groupCategory, confidenceUsable } = validateDiagnosis(exactOf(text))
    return { complete, missing, problems, group_category: groupCategory, confidence_usable: confidenceUsable }
  },
  assert_spike: ({ document }) => {
    const { verdict, failedChecks } = judgeEndToEnd(document)
    return { verdict, failed_checks: failedChecks }
  },
  parse_local_reply: ({ reply }) => {
    const { rootCause, suggestedAction, userMessage, parseError, ...rest } = parseLocalReply(reply)
    return {
      ...rest,
      root_cause: rootCause,
      suggested_action: suggestedAction,
      user_message: userMessage,
      parse_error: parseError,
    }
  },
  parse_remote_reply: ({ vendor, body }) => {
    const read = parseRemoteReply(vendor as RemoteVendor, body)
    if ('raises' in read) return { raises: read.raises, result: null }
    const { rootCause, suggestedAction, userMessage, firstPassCorrect, ...rest } = read.result
    const texts = { root_cause: rootCause, suggested_action: suggestedAction, user_message: userMessage }
    const result = { ...rest, ...texts, first_pass_correct: firstPassCorrect }
    return { raises: null, result }
  },
  select_diagnosis: ({ local, openai, claude, execution_id }) => {
    const { rootCause, suggestedAction, ...rest } = selectDiagnosis({ local, openai, claude })
    return { execution_id, ...rest, root_cause: rootCause, suggested_action: suggestedAction }
  },
  is_dispatch_handle: ({ text }) => ({ handle: isDispatchHandle(exactOf(text)) }),
  read_status_document: ({ document }) => {
    const { terminal, agentStatus, mayFetchDiagnosis } = readStatusDocument(document)
    return { terminal, agent_status: agentStatus, may_fetch_diagnosis: mayFetchDiagnosis }
  },
  execution_status_from_events: ({ latest_event, terminal_event, pending_commands }) => {
    const { status, endTime } = terminalStateFrom(
      latest_event as ExactJson,
      terminal_event as ExactJson,
      Number(pending_commands),
    )
    return { status, end_time: endTime }
  },
  find_persisted_diagnosis: ({ events, step }) => ({
    diagnosis: findPersistedDiagnosis(listOf(events), step as string),
  }),
  terminal_result_of_child: ({ events }) => ({ data: terminalResultOfChild(listOf(events)) }),
}

const listOf = (value: Input[string]): ExactJson[] => value as ExactJson[]

/** What ingest stores of the row that an agent step writes. */
function factsOfAgentRow(envelope: ExactJson): RowFact | null {
  const row = { event_type: 'call.done', result: { context: envelope } }
  return readRow(row, lineOf(row)).facts.row ?? null
}

/** A diagnosis as a page finds it in the rows of the run that made it. */
const keptDiagnosis = (diagnosis: ExactJson): ExactJson =>
  findPersistedDiagnosis([
    { event_type: 'call.done', node_name: DIAGNOSIS_STEP, result: { context: { diagnosis } } },
  ])
