import { isObject, member, memberAt, type ExactJson } from '../exact-json'
import { eventTypeOf, isCompletingType, rowResult, rowsOf } from './event-row'
import { validateDiagnosis } from './validate-diagnosis'
import { DIAGNOSIS_KEYS } from './words'

/** GREEN: a complete diagnosis is attached. AMBER: everything else is right, there is no diagnosis. */
export type EndToEndVerdict = 'GREEN' | 'AMBER' | 'RED'

type EnvelopeCheck = 'envelope_status_error' | 'envelope_framework_noetl' | 'envelope_error_kind'
type DiagnosisCheck = `diagnosis_has_${(typeof DIAGNOSIS_KEYS)[number]}` | 'confidence_in_range' | 'category_in_set' | 'source_in_set'
export type EndToEndCheck = 'result_is_object' | 'smoke_status_ok' | EnvelopeCheck | DiagnosisCheck

/**
 * What the end-to-end run of the source says of a document: that of its result, or of the execution that holds it.
 *
 * @returns failed checks, sorted. Those of the envelope do not decide.
 */
export function judgeEndToEnd(document: unknown): { verdict: EndToEndVerdict; failedChecks: EndToEndCheck[] } {
  const result = resultOf(document)
  if (!isObject(result)) return { verdict: 'RED', failedChecks: ['result_is_object'] }
  if (member(result, 'smoke_status') !== 'ok') return { verdict: 'RED', failedChecks: ['smoke_status_ok'] }
  const envelope = member(result, 'agent_envelope')
  const failed: EndToEndCheck[] = envelopeChecks(envelope)
  const diagnosis = [member(result, 'diagnosis'), memberAt(envelope, 'error', 'diagnosis')].find(isSomething)
  if (diagnosis === undefined) return { verdict: 'AMBER', failedChecks: failed.sort() }
  const ofDiagnosis = diagnosisChecks(diagnosis)
  return { verdict: ofDiagnosis.length === 0 ? 'GREEN' : 'RED', failedChecks: [...failed, ...ofDiagnosis].sort() }
}

function resultOf(document: unknown): unknown {
  const holders = [document, ...['data', 'result', 'output'].map((key) => member(document, key))]
  return holders.find(holdsStatus) ?? rowContext(document) ?? document
}

const holdsStatus = (value: unknown): boolean => member(value, 'smoke_status') !== undefined

function rowContext(document: unknown): ExactJson | undefined {
  for (const row of rowsOf(document)) {
    if (member(row, 'node_name') !== 'extract_envelope' || !isCompletingType(eventTypeOf(row))) continue
    const context = [member(rowResult(row), 'context'), member(row, 'context')].find(holdsStatus)
    if (context !== undefined) return context
  }
  return undefined
}

function envelopeChecks(envelope: unknown): EnvelopeCheck[] {
  const failed: EnvelopeCheck[] = []
  if (member(envelope, 'status') !== 'error') failed.push('envelope_status_error')
  if (member(envelope, 'framework') !== 'noetl') failed.push('envelope_framework_noetl')
  if (memberAt(envelope, 'error', 'kind') !== 'agent.execution') failed.push('envelope_error_kind')
  return failed
}

function diagnosisChecks(diagnosis: ExactJson): DiagnosisCheck[] {
  const { problems, missing, confidenceUsable } = validateDiagnosis(diagnosis)
  const failed: DiagnosisCheck[] = missing.map((key) => `diagnosis_has_${key}` as const)
  if (!confidenceUsable) failed.push('confidence_in_range')
  if (missing.includes('category') || problems.includes('category_not_in_set')) failed.push('category_in_set')
  if (missing.includes('source') || problems.includes('source_not_in_set')) failed.push('source_in_set')
  return failed
}

const isSomething = (value: ExactJson | undefined): boolean =>
  value !== undefined && value !== null && value !== '' && value !== false && value !== 0 && !(isObject(value) && Object.keys(value).length === 0)
