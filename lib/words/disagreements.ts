import type { DisagreementFacts } from '../model/messages/disagreement'
import { storedText, type Catalogue } from './catalogue'

/** `cliSubtype` → `cli subtype`. */
const inWords = (key: string): string => key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** The fact that sources say differently. */
export const DISAGREEMENT_WORDS: Catalogue<DisagreementFacts> = {
  run_status: () => 'status of the run',
  outcome: () => 'outcome',
  call_refused: ({ callId }) => `call ${callId} refused`,
  call_fact: ({ callId, fact }) => `call ${callId} ${fact}`,
  recorded_fact: ({ fact, run }) => `recorded ${inWords(fact)}${run === null ? '' : ` of ${run}`}`,
}

/** The fact of a stored disagreement, in today's words. */
export const disagreementFact = ({
  rule = null,
  params = null,
  fact,
}: {
  /** Left out by older versions. */
  rule?: string | null | undefined
  params?: unknown
  fact: string
}): string => storedText(DISAGREEMENT_WORDS, { id: rule, params, text: fact })
