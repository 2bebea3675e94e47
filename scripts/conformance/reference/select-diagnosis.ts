import { member, type ExactObject } from '@/lib/text/exact-json'
import { isNumber, type ExactNumber } from '@/lib/text/exact-number'

export interface SelectedDiagnosis {
  category: string
  confidence: ExactNumber
  rootCause: string
  suggestedAction: string
  source: string
  /** A paid remote model ran. */
  escalated: boolean
}

/** The diagnosis that a run keeps: of a remote model that says ok (OpenAI is looked at first), else of the local one. */
export function selectDiagnosis(replies: {
  local: unknown
  openai: unknown
  claude: unknown
}): SelectedDiagnosis {
  const remote = [replies.openai, replies.claude].find((reply) => member(reply, 'status') === 'ok') as
    | ExactObject
    | undefined
  const chosen = remote ?? replies.local
  const source = remote === undefined ? 'ollama' : textOf(remote, 'source') || 'remote'
  const confidence = member(chosen, 'confidence')
  return {
    category: textOf(chosen, 'category') || 'unknown',
    confidence: isNumber(confidence) ? confidence : 0,
    rootCause: textOf(chosen, 'root_cause'),
    suggestedAction: textOf(chosen, 'suggested_action'),
    source,
    escalated: source === 'openai' || source === 'claude',
  }
}

const textOf = (value: unknown, key: string): string => {
  const text = member(value, key)
  return typeof text === 'string' ? text : ''
}
