import type { RunResultFact } from '../../model/run-facts'
import type { CauseMessage } from '../../model/messages/cause'
import type { RunRetryReason } from '../../model/messages/run-retry'
import type { RetryAdvice } from '../../model/advice'
import type { WorkedCall } from '../calls/merge-calls'
import type { AgentFailure } from '../calls/workflow-calls'
import type { CauseFound } from '../causes/cause-found'
import type { Focus } from '../causes/focus'
import type { Judgement } from '../outcomes/outcome'
import { callFacts, type FailureContext } from './call-facts'
import { judgeCallRetry } from './call-retry'
import type { FailureFacts } from './failure-rules'
import type { RunVerdict } from './run-answer'
import { judgeRunRetry, type RunFacts } from './run-retry'

interface AdviceInput {
  found: CauseFound
  judgement: Judgement
  result: RunResultFact | null
  /** A child execution's advice speaks of the parent's call, not of a session to resume. */
  isChild: boolean
  openCall: WorkedCall | null
  /** The agent inside whose failure the cause is about; unset: it is about none. */
  agent?: AgentFailure | undefined
  /** The agent's own reason for the failure that it declared; null: none. */
  signalReason: string | null
  context: FailureContext
}

/**
 * Whether a retry would help and what to do now, from the cause, the class of the failure and what happened later.
 *
 * @see docs/sources/cause.md#advice
 */
export function adviseOn({ found, judgement, result, context, ...known }: AdviceInput): RetryAdvice {
  const { cause, focus } = found
  return advise({
    ending: {
      category: cause.category,
      outcome: judgement.outcome,
      rule: judgement.rule,
      ofCall: focus !== null,
      text: requestWords(cause.message),
      status: result?.apiErrorStatus ?? null,
      isChild: known.isChild,
      openCall: known.openCall,
      agent: known.agent ?? null,
      signalReason: known.signalReason,
    },
    ...(focus && { failure: failureFacts(focus, context) }),
  })
}

/** What a failed request said of itself; empty where the cause is about none. */
function requestWords(message: CauseMessage): string {
  switch (message.id) {
    case 'request_failed':
    case 'request_failed_last':
      return `HTTP ${message.params.status} ${message.params.error}`
    case 'stop_failure':
      return `${message.params.code} ${message.params.error}`
    case 'requests_failed':
      return message.params.error
    default:
      return ''
  }
}

/** The same of one failed piece of work. */
export const adviseOnFailure = (focus: Focus, context: FailureContext): RetryAdvice =>
  advise({ failure: failureFacts(focus, context) })

function failureFacts(focus: Focus, context: FailureContext): FailureFacts {
  const facts = callFacts(focus, context)
  return { ...facts, onCall: judgeCallRetry(facts) }
}

/** The verdicts of the table of runs, with the rule that gave them. */
export const advise = (facts: RunFacts): RetryAdvice => adviceOf(judgeRunRetry(facts))

const adviceOf = ({ rule, params, verdict }: RunVerdict): RetryAdvice => ({
  ...verdict,
  because: { id: rule, params } as RunRetryReason,
})
