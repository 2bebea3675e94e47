import { isObject, member, memberAt, type ExactJson, type ExactObject } from '@/lib/text/exact-json'
import { eventTypeOf, isCompletingType, rowsOf } from '@/lib/formats/noetl/event-row'
import { validateDiagnosis } from '@/lib/formats/noetl/validate-diagnosis'
import type { DIAGNOSIS_KEYS } from '@/lib/model/diagnosis-lists'

/** GREEN: a complete diagnosis is attached. AMBER: everything else is right, there is no diagnosis. */
export type EndToEndVerdict = 'GREEN' | 'AMBER' | 'RED'

type EnvelopeCheck = 'envelope_status_error' | 'envelope_framework_noetl' | 'envelope_error_kind'
type DiagnosisCheck =
  | `diagnosis_has_${(typeof DIAGNOSIS_KEYS)[number]}`
  | 'confidence_in_range'
  | 'category_in_set'
  | 'source_in_set'
export type EndToEndCheck = 'result_is_object' | 'smoke_status_ok' | EnvelopeCheck | DiagnosisCheck

/**
 * What the end-to-end run of the source says of a document: that of its result, or of the execution that holds it.
 *
 * @returns failed checks, sorted. Those of the envelope do not decide.
 */
export function judgeEndToEnd(document: unknown): {
  verdict: EndToEndVerdict
  failedChecks: EndToEndCheck[]
} {
  const result = resultOf(document)
  if (!isObject(result)) return { verdict: 'RED', failedChecks: ['result_is_object'] }
  const envelope = member(result, 'agent_envelope')
  const diagnosis = [member(result, 'diagnosis'), memberAt(envelope, 'error', 'diagnosis')].find(isObject)
  const decisive: EndToEndCheck[] = member(result, 'smoke_status') === 'ok' ? [] : ['smoke_status_ok']
  if (diagnosis !== undefined) decisive.push(...diagnosisChecks(diagnosis))
  const failedChecks = [...decisive, ...(isObject(envelope) ? envelopeChecks(envelope) : [])].sort()
  return { verdict: decisive.length > 0 ? 'RED' : diagnosis === undefined ? 'AMBER' : 'GREEN', failedChecks }
}

function resultOf(document: unknown): unknown {
  const holders = [document, ...['data', 'result', 'output'].map((key) => member(document, key))]
  return holders.find(holdsStatus) ?? rowContext(document) ?? document
}

const holdsStatus = (value: unknown): boolean => member(value, 'smoke_status') !== undefined

function rowContext(document: unknown): ExactJson | undefined {
  for (const row of rowsOf(document)) {
    if (member(row, 'node_name') !== 'extract_envelope' || !isCompletingType(eventTypeOf(row))) continue
    const context = [memberAt(row, 'result', 'context'), member(row, 'context')].find(holdsStatus)
    if (context !== undefined) return context
  }
  return undefined
}

function envelopeChecks(envelope: ExactObject): EnvelopeCheck[] {
  const failed: EnvelopeCheck[] = []
  if (member(envelope, 'status') !== 'error') failed.push('envelope_status_error')
  if (member(envelope, 'framework') !== 'noetl') failed.push('envelope_framework_noetl')
  const error = member(envelope, 'error')
  if (isObject(error) && member(error, 'kind') !== 'agent.execution') failed.push('envelope_error_kind')
  return failed
}

function diagnosisChecks(diagnosis: ExactObject): DiagnosisCheck[] {
  const { problems, missing, confidenceUsable } = validateDiagnosis(diagnosis)
  const failed: DiagnosisCheck[] = missing.map((key) => `diagnosis_has_${key}` as const)
  // The source's check takes true and false for numbers.
  if (!confidenceUsable && typeof member(diagnosis, 'confidence') !== 'boolean')
    failed.push('confidence_in_range')
  if (missing.includes('category') || problems.includes('category_not_in_set')) failed.push('category_in_set')
  if (missing.includes('source') || problems.includes('source_not_in_set')) failed.push('source_in_set')
  return failed
}
