import { stageOfRule } from '../../model/decision-rules'
import type { RunFact } from '../../model/run-facts'
import type { RetryAdvice } from '../../model/advice'
import { advise } from '../retry/advise'
import type { DecidedFacts } from '../retry/decided-facts'
import type { Decision } from './decision'
import type { DecidedCause } from './decided-cause'
import { patternReadings, readWhatIf } from './kept'

/**
 * Whether another attempt would help and what to do, where a decision says it; but for what the run says of itself, of
 * which its own records know more.
 */
export function decidedAdvice(
  decision: Decision,
  cause: DecidedCause | null,
  run: RunFact | null,
  known: RetryAdvice | null,
): RetryAdvice {
  const { outcome, retryReason, basis, subtype, contentState, rule } = decision
  const unparseable = rule === 'peer_parse_exception' && cause !== null
  if (known !== null && !unparseable && stageOfRule(rule) === 'signal') return known
  const decided = advise({
    decided: {
      outcome,
      retryReason,
      basis,
      subtype,
      contentState,
      unparseable,
      category: cause?.category ?? null,
      run,
      pattern: patternMissing(decision),
    },
  })
  return decided.because.id === 'decision_unclear' && known !== null ? known : decided
}

function patternMissing(decision: Decision): DecidedFacts['pattern'] {
  const missing = patternReadings(decision, readWhatIf(decision.whatIf)?.actual ?? null).find(
    ({ state }) => state === 'missing' || state === 'invalid',
  )
  return missing === undefined ? null : { text: missing.pattern, invalid: missing.state === 'invalid' }
}
