import type { Decision } from '../judge/decisions/decision'
import { decidedAdvice } from '../judge/decisions/decided-advice'
import { judgeAttention } from '../judge/causes/attention'
import { causeAt, decidedCause, processCause, type DecidedCause } from '../judge/decisions/decided-cause'
import { withCauseText } from './cause-text'
import { lastRun } from '../judge/decisions/decide-execution'
import type { ExecutionSummary } from '../model/summary'
import { decisionReasonText } from '../words/decision'
import { OUTCOME_WORDS } from '../words/outcome'
import type { FoundCause } from '../model/messages/cause'
import { OUTCOMES, type Outcome } from '../model/execution'
import type { FailuresAdvice, RetryAdvice } from '../model/advice'
import type { RetryVerdicts } from '../model/retry'
import { advise } from '../judge/retry/advise'

/**
 * What is known of an execution, once more than what it did was looked at: outcome, cause and advice are those of the decision. Of a
 * cause that the records themselves tell only the verdict changes.
 */
export function applyDecision(summary: ExecutionSummary, decision: Decision | null): ExecutionSummary {
  if (decision === null) return summary
  const marks = {
    contentState: decision.contentState,
    retryReason: decision.retryReason,
    differs: decision.differs.length > 0,
  }
  if (!isOutcome(decision.outcome) || decision.outcome === 'unknown')
    return { ...summary, decision: marks, ...withoutEnd(summary) }
  const decidedFields = {
    ...summary,
    decision: marks,
    outcome: decision.outcome,
    outcomeBasis: decision.basis,
    outcomeRule: decision.rule,
    outcomeParams: decision.reason.id === 'by_records' ? summary.outcomeParams : null,
    outcomeBecause: decisionReasonText(decision.reason),
    attention: judgeAttention({
      outcome: decision.outcome,
      outcomeRule: decision.rule,
      failedCalls: summary.counts.failedCalls,
      leads: summary.leads,
    }),
  }
  if (decision.outcome !== 'failed' && decision.outcome !== 'retriable')
    return { ...decidedFields, failedAt: null }
  // The records speak of the end themselves, unless they took it for a good one.
  const keepsCause = summary.cause !== null && summary.outcome !== 'succeeded'
  const decided = keepsCause ? null : decidedCause(summary, decision)
  const run = lastRun(summary)?.fact ?? null
  const advice = decidedAdvice(decision, decided ?? endOf(summary, decision), run, summary.advice)
  return {
    ...decidedFields,
    failedAt: summary.failedAt ?? failedAtOf(decided),
    cause: decided ? withCauseText(decided) : withEnd(summary, decision),
    advice: {
      ...advice,
      ...(keepsCause && summary.advice ? recoveryIn(summary.advice) : {}),
      ...failuresOf(summary.advice),
    },
  }
}

const OPEN_PROCESS = { received: 'open_process' } as const

/** A record that has no end: whoever kept it was ended before the command was, and nothing else tells what broke. */
function withoutEnd({
  cause,
  outcome,
  outcomeRule,
  evidence,
}: ExecutionSummary): Pick<ExecutionSummary, 'outcomeParams' | 'outcomeBecause' | 'cause' | 'advice'> | null {
  const run = evidence.runs.at(-1)
  if (
    !run ||
    cause !== null ||
    outcome !== 'unknown' ||
    outcomeRule !== 'no_activity' ||
    run.fact.endedAt !== null ||
    run.fact.termination !== null
  )
    return null
  return {
    outcomeParams: OPEN_PROCESS,
    outcomeBecause: OUTCOME_WORDS.no_activity(OPEN_PROCESS),
    cause: withCauseText(
      causeAt({ category: 'cut_off', message: { id: 'recorder_stopped', params: {} } }, run.pointer),
    ),
    advice: advise({ recorderStopped: true }),
  }
}

const isOutcome = (word: string): word is Outcome => (OUTCOMES as readonly string[]).includes(word)

/** What became of the failure that the cause is about stays, whatever was decided about the run. */
const recoveryIn = ({ callRetry, recoveredBy, afterOtherWork }: RetryAdvice): Partial<RetryVerdicts> =>
  recoveredBy === null ? {} : { callRetry, recoveredBy, afterOtherWork }

const failuresOf = (advice: FailuresAdvice | null): FailuresAdvice => ({
  ...(advice?.failures ? { failures: advice.failures } : {}),
  ...(advice?.failuresLeftOut ? { failuresLeftOut: advice.failuresLeftOut } : {}),
})

const failedAtOf = (cause: DecidedCause | null): string =>
  cause === null || cause.category === 'contract' || cause.category === 'unexplained' ? 'agent' : 'cli'

/** What is known of the end of the process, where the agent's own records only break off. */
function endOf({ cause, outcomeBasis, evidence }: ExecutionSummary, decision: Decision): DecidedCause | null {
  const run = evidence.runs.at(-1)
  if (
    !run ||
    outcomeBasis !== 'inferred' ||
    (cause?.category !== 'cut_off' && cause?.category !== 'call_failures')
  )
    return null
  return processCause(run, decision)
}

/** The cause that the records tell, below how the process ended where that says more. */
function withEnd(summary: ExecutionSummary, decision: Decision): FoundCause | null {
  const ended = endOf(summary, decision)
  if (ended === null) return summary.cause
  const earlier: FoundCause['earlier'] = { id: 'by_records', params: { cause: summary.cause!.message } }
  return withCauseText({ ...ended, earlier })
}
