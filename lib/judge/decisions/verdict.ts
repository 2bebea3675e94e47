import { contentFaultOf, contentStateOf } from './content-state'
import type { Policy } from './policies'
import { step, type RuleStep } from '../../model/rule-step'
import { isComplete, isKillAnomaly } from './session'
import { patternsFound, type VerdictFacts } from './verdict-facts'
import { FAILURE_SUBTYPES, type ContentState, type DecisionOutcome, type RetryReason } from './vocabulary'

export interface Verdict {
  contentState: ContentState
  /** The stricter check, whether or not a rule asked for it. */
  contentOk: boolean
  /** Before the guards. */
  successSignal: boolean
  retrySignal: { needsRetry: boolean; reason: RetryReason }
  outcome: DecisionOutcome
  success: boolean
  needsRetry: boolean
  retryReason: RetryReason
  /** Normalised: a wider set than what the session can say. */
  subtype: string
  trace: RuleStep[]
}

/** Success, retry and the guards between them, over facts alone: the same facts give the same verdict. */
export function concludeVerdict(facts: VerdictFacts, policy: Policy): Verdict {
  const trace: RuleStep[] = []
  const contentState = contentStateOf(facts)
  const successSignal = successOf(facts, trace)
  const retrySignal = retryOf(facts, trace)
  let success = successSignal
  let { needsRetry, reason } = retrySignal
  if (success && needsRetry) {
    success = false
    trace.push(
      step(
        'contradiction',
        'guard:contradiction',
        { success: true, needs_retry: true, reason },
        'success dropped, the retry stands',
      ),
    )
  } else if (!success && !needsRetry && (facts.channel === 'channel_a' || facts.channel === 'channel_b')) {
    const promoted = policy.promotes[contentState]
    const inputs = { channel: facts.channel, content_state: contentState, policy: policy.name }
    if (promoted === undefined)
      trace.push(step('dead_end', `guard:dead_end_terminal:${contentState}`, inputs, 'stays failed'))
    else {
      needsRetry = true
      reason = promoted
      trace.push(
        step('dead_end', `guard:dead_end_promoted:${contentState}`, inputs, `retriable, ${promoted}`),
      )
    }
  }
  const outcome = success ? 'succeeded' : needsRetry ? 'retriable' : 'failed'
  return {
    contentState,
    contentOk: contentFaultOf(facts) === null,
    successSignal,
    retrySignal,
    outcome,
    success,
    needsRetry,
    retryReason: reason,
    subtype: normalisedSubtype(facts, success),
    trace,
  }
}

function successOf(facts: VerdictFacts, trace: RuleStep[]): boolean {
  const { channel, termination, subtype, exitCode } = facts
  if (channel === 'channel_b') {
    if (facts.patterns.length === 0 || isComplete(facts)) {
      const found = patternsFound(facts)
      trace.push(
        found
          ? step(
              'success',
              'success:channel_b_bypass',
              { patterns: facts.patterns.length },
              'success without a look at the content',
            )
          : step(
              'success',
              'success:channel_b_patterns_missing',
              { missing: missingOf(facts) },
              'no success',
            ),
      )
      return found
    }
    trace.push(
      step(
        'success',
        'success:channel_b_bypass_refused',
        { subtype, is_error: facts.isError, patterns: facts.patterns.length },
        'the channel does not decide',
      ),
    )
  }
  const delivered = subtype === 'success' && !facts.blank
  if (termination === 'completed') return exitCode === 0 || delivered ? checkContent(facts, trace) : false
  if (termination !== 'natural_exit') return false
  if (exitCode === 0) return checkContent(facts, trace)
  if (!delivered || !facts.markerInResult) return false
  const ok = checkContent(facts, trace)
  trace.push(
    step(
      'success',
      'success:post_completion_kill',
      { exit_code: exitCode, marker_in_result: true },
      'the exit code is forgiven, the content decides',
    ),
  )
  return ok
}

function checkContent(facts: VerdictFacts, trace: RuleStep[]): boolean {
  const fault = contentFaultOf(facts)
  const inputs = {
    is_error: facts.isError,
    blank: facts.blank,
    subtype: facts.subtype,
    only_marker: facts.onlyMarker,
    marker_found: facts.markerSet ? facts.markerInText : null,
    patterns_missing: missingOf(facts),
  }
  trace.push(
    fault === null
      ? step('content', 'content:ok', inputs, 'success')
      : step('content', `content:fail:${fault}`, inputs, 'no success'),
  )
  return fault === null
}

const missingOf = ({ patterns }: VerdictFacts): string[] =>
  patterns.filter(({ state }) => state !== 'found').map(({ pattern }) => pattern)

function retryOf(facts: VerdictFacts, trace: RuleStep[]): Verdict['retrySignal'] {
  const { subtype, termination, channel, exitCode, blank } = facts
  const again = (rule: string, reason: RetryReason, inputs: RuleStep['inputs']): Verdict['retrySignal'] => {
    trace.push(step('retry', rule, inputs, `retry, ${reason}`))
    return { needsRetry: true, reason }
  }
  if (subtype === 'error_max_turns' || facts.exhaustion !== null)
    return again('retry:api_signal', 'resume', {
      max_turns: subtype === 'error_max_turns',
      exhaustion: facts.exhaustion,
    })
  const anomaly = isKillAnomaly(subtype, blank)
  if (
    termination === 'natural_exit' &&
    channel !== 'channel_a' &&
    channel !== 'channel_b' &&
    exitCode === 0
  ) {
    if (anomaly) return again('retry:kill_anomaly', 'empty_output', { subtype, blank, exit_code: exitCode })
    if (subtype === 'success' && !blank && facts.markerSet && !facts.markerInResult)
      return again('retry:early_stop', 'early_stop', { subtype, marker_found: false })
  }
  if (termination === 'completed' && channel !== 'channel_b' && anomaly)
    return again('retry:kill_anomaly', 'resume', { subtype, blank, exit_code: exitCode })
  trace.push(step('retry', 'retry:none', { termination, channel, exit_code: exitCode }, 'no retry'))
  return { needsRetry: false, reason: 'none' }
}

function normalisedSubtype(facts: VerdictFacts, success: boolean): string {
  if (facts.subtype !== 'success')
    return success && FAILURE_SUBTYPES.has(facts.subtype) ? 'success' : facts.subtype
  if (success) return 'success'
  if (facts.blank) return 'empty_result'
  if (facts.exhaustion === 'flag') return 'context_exhausted'
  if (facts.markerSet && !facts.markerInResult) return 'missing_completion_marker'
  return 'adjudicated_failure'
}
