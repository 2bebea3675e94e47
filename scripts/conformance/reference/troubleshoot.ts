import { isTruthy } from '@/lib/judge/decisions/python-values'
import { isObject, member, type ExactJson, type ExactObject } from '@/lib/text/exact-json'
import { isOneOf } from '@/lib/model/diagnosis-lists'

/** Where the source looks for its troubleshooter when nothing else is configured. */
export const TROUBLESHOOTER_PATH = 'automation/agents/troubleshoot/diagnose_execution'

/**
 * Whether the source asks for a diagnosis of a failure: never of its troubleshooter's own, else as the step says, else as the environment
 * says.
 *
 * @param env value of the environment switch, null when it is not set
 */
export function isTroubleshootOn(
  task: unknown,
  env: string | null,
  entrypoint: string,
  troubleshooter: string,
): boolean {
  if (entrypoint === troubleshooter) return false
  const onFailure = member(task, 'on_failure')
  // Any text counts as on, `"false"` too.
  if (isObject(onFailure) && Object.hasOwn(onFailure, 'troubleshoot')) return isTruthy(onFailure.troubleshoot)
  return isOneOf(['1', 'true', 'yes', 'on'], env?.trim().toLowerCase())
}

const FORWARDED = [
  'confidence_threshold',
  'escalate_to',
  'openai_credential',
  'openai_model',
  'anthropic_credential',
  'anthropic_model',
  'noetl_url',
]

/** The input of the troubleshooter: the run that failed, and those settings that concern it. */
export function forwardedInput(onFailure: unknown, failedExecutionId: ExactJson): ExactObject {
  const settings = isObject(onFailure) ? Object.entries(onFailure) : []
  const forwarded = settings.filter(
    ([key]) => key.startsWith('triage_') || key.startsWith('ollama_') || FORWARDED.includes(key),
  )
  return { ...Object.fromEntries(forwarded), execution_id: failedExecutionId }
}

/** The step behind the first pass: a remote model where that was not sure enough, and one is named. */
export function stepAfterTriage(
  confidence: number,
  threshold: number,
  escalateTo: unknown,
): 'persist_diagnosis' | 'escalate_openai' | 'escalate_claude' {
  if (confidence >= threshold) return 'persist_diagnosis'
  return escalateTo === 'openai'
    ? 'escalate_openai'
    : escalateTo === 'claude'
      ? 'escalate_claude'
      : 'persist_diagnosis'
}
