import type { Door } from '../../model/normal-form'
import { oneLine } from '../../text/visible'
import type { Ending } from './ending'
import type { Basis, Outcome } from '../../model/execution'
import type { RunResultFact } from '../../model/run-facts'

export const FAILED_AT = ['agent', 'cli', 'infrastructure', 'tool', 'hook'] as const
export type FailedAt = (typeof FAILED_AT)[number]

/** Every rule that can decide an outcome, by name. The page shows the name and the reading; the docs explain both. */
export const OUTCOME_RULES = [
  'result_unreadable',
  'agent_signal',
  'startup_failure',
  'resume_unknown_session',
  'killed',
  'aborted',
  'api_failure',
  'limit_reached',
  'hook_stopped',
  'cli_status',
  'permission_denied',
  'result_success',
  'api_error_last',
  'interrupted_last',
  'unanswered_prompt',
  'call_without_result',
  'failed_call_last',
  'stopped_by_hook',
  'signal_in_last_text',
  'completed',
  'stop_failure',
  'stop_seen',
  'no_end_seen',
  'no_activity',
  'cancelled_row',
  'agent_failed_inside',
  'agent_result_missing',
  'run_incomplete',
  'terminal_row',
  'end_step_completed',
  'batch_completed',
  'nothing_terminal',
  'run_record',
  'run_record_open',
  'run_record_missing',
] as const
export type OutcomeRule = (typeof OUTCOME_RULES)[number]

export interface Judgement {
  outcome: Outcome
  basis: Basis
  rule: OutcomeRule
  because: string
  failedAt: FailedAt | null
}

/** Error classes that say the same work may be tried again as it is: the service was busy or broken, not the request. */
const TRY_AGAIN_CLASSES: ReadonlySet<string> = new Set(['rate_limit', 'overloaded', 'server_error'])

/**
 * Whether an API failure allows the same request again: by class first, else by HTTP status (408, 409, 429 and everything from 500), else,
 * when
 * neither is known, by the words of the text. A failed connection has neither class nor status and may be tried again.
 */
export function mayTryAgain(e: { class: string | null; status: number | null; text: string }): boolean {
  if (e.class !== null && e.class !== 'unknown') return TRY_AGAIN_CLASSES.has(e.class)
  const status = e.status ?? statusIn(e.text)
  if (status !== null) return status === 408 || status === 409 || status === 429 || status >= 500
  return /\b(?:overloaded|rate.?limit|usage limit|limit reached|hit your limit|connection|timed? ?out|ECONN\w+|ENOTFOUND|socket|fetch failed|network)\b/i.test(
    e.text,
  )
}

/** The HTTP status that "API Error: 529 {…}" names, or null. */
export const statusIn = (text: string): number | null => {
  const match = /\bAPI Error: (\d{3})\b/.exec(text)
  return match ? Number(match[1]) : null
}

const judged = (
  outcome: Outcome,
  basis: Basis,
  rule: OutcomeRule,
  because: string,
  failedAt: FailedAt | null = null,
): Judgement => ({
  outcome,
  basis,
  rule,
  because,
  failedAt,
})

const shown = (text: string | null): string => (text === null || text === '' ? '<none>' : oneLine(text))

/** Subtype, terminal reason, API status and the first error beside a verdict that would hide them. */
const beside = (r: RunResultFact): string =>
  [
    `subtype ${shown(r.subtype)}`,
    `is_error ${r.isError === null ? '<none>' : r.isError}`,
    ...(r.stopReason ? [`stop reason ${shown(r.stopReason)}`] : []),
    ...(r.terminalReason ? [`terminal reason ${shown(r.terminalReason)}`] : []),
    ...(r.apiErrorStatus === null ? [] : [`API status ${r.apiErrorStatus}`]),
    ...(r.errors[0] ? [`error “${oneLine(r.errors[0]).slice(0, 160)}”`] : []),
  ].join(', ')

const LIMIT = /^error_max_|^(?:max_turns|budget_exhausted|structured_output_retry_exhausted|blocking_limit)$/i

/** Reads the result record of a run; the order of the rules is that of the verdict (failure-signal §3), rule 4 told apart by its causes. */
export function judgeResult(r: RunResultFact): Judgement {
  const recorded = (outcome: Outcome, rule: OutcomeRule, because: string, failedAt: FailedAt | null = null) =>
    judged(outcome, 'recorded', rule, because, failedAt)
  if (r.unreadable)
    return recorded(
      'unknown',
      'result_unreadable',
      'The run ended, but its result record has fields of the wrong type.',
    )
  if (r.signal)
    return recorded(
      'failed',
      'agent_signal',
      'The agent declared the run failed in its final text, which overrides every status.',
      'agent',
    )
  const subtype = (r.subtype ?? '').toLowerCase()
  if (r.isError === true || subtype !== 'success') {
    const what = `The result record does not report success: ${beside(r)}.`
    const terminal = r.terminalReason ?? ''
    if (r.startupFailureReason !== null)
      return recorded(
        'failed',
        'startup_failure',
        `The run never started: ${shown(r.startupFailureReason)}.`,
        'cli',
      )
    if (r.errors.some((e) => /no conversation found/i.test(e)))
      return recorded(
        'failed',
        'resume_unknown_session',
        `The run tried to resume an unknown session: ${beside(r)}.`,
        'cli',
      )
    if (subtype === 'error_during_execution' && r.isError !== true)
      return recorded(
        'interrupted',
        'killed',
        `The run was killed or interrupted: ${beside(r)}. A stopped CLI writes this; the work itself did not fail.`,
      )
    if (/^aborted_/.test(terminal)) return recorded('interrupted', 'aborted', what)
    if (terminal === 'api_error' || terminal === 'model_error' || r.apiErrorStatus !== null) {
      const again = mayTryAgain({
        class: null,
        status: r.apiErrorStatus,
        text: r.result ?? r.errors[0] ?? '',
      })
      return recorded(
        again ? 'retriable' : 'failed',
        'api_failure',
        `The model request failed permanently: ${beside(r)}.`,
        'infrastructure',
      )
    }
    if (LIMIT.test(subtype) || LIMIT.test(terminal))
      return recorded('failed', 'limit_reached', `The run hit a limit: ${beside(r)}.`, 'cli')
    if (terminal === 'stop_hook_prevented' || terminal === 'hook_stopped')
      return recorded('failed', 'hook_stopped', what, 'hook')
    if (/^API Error\b/.test(r.result ?? '')) {
      const again = mayTryAgain({ class: null, status: null, text: r.result ?? '' })
      return recorded(
        again ? 'retriable' : 'failed',
        'api_failure',
        `The result is the text of a failed model request: ${beside(r)}.`,
        'infrastructure',
      )
    }
    return recorded('failed', 'cli_status', what, 'cli')
  }
  if (r.permissionDenials.length > 0) {
    const tools = r.permissionDenials.map((d) => shown(d.tool).replace('<none>', '<unknown>')).join(', ')
    return recorded(
      'failed',
      'permission_denied',
      `The run reported success, but tools were denied: ${tools}.`,
      'tool',
    )
  }
  return recorded(
    'succeeded',
    'result_success',
    'The result record reports success, with no failure signal and no denied tools.',
  )
}

const SOURCE_WORDS: Record<Exclude<Door, 'hook' | 'receipt' | 'rows' | 'pipeline'>, string> = {
  transcript: 'transcript',
  stream: 'output (which has no result record)',
  record: 'record of the process',
  log: 'session log',
}

/** Infers how a run without a result record ended; the first rule that applies decides (claude-code-formats §5). */
export function inferOutcome(end: Ending): Judgement {
  const inferred = (outcome: Outcome, rule: OutcomeRule, because: string, failedAt: FailedAt | null = null) =>
    judged(outcome, 'inferred', rule, because, failedAt)
  if (end.door === 'hook') return inferFromHooks(end)
  if (end.door === 'receipt') return inferFromReceipts(end)
  // Rows of an engine are judged by what they say of the run (`judgeRun`); they hold no turns.
  if (end.door === 'pipeline')
    return inferred('unknown', 'no_activity', 'The files contain no messages from an agent or a person.')
  if (end.door === 'rows')
    return inferred('unknown', 'no_activity', 'The events contain no messages from an agent or a person.')
  const words = SOURCE_WORDS[end.door]
  if (!end.active)
    return inferred('unknown', 'no_activity', `The ${words} contains no activity of the agent or a person.`)
  if (end.lastAssistant?.apiError) {
    const { apiError } = end.lastAssistant
    const again = mayTryAgain(apiError)
    return inferred(
      again ? 'retriable' : 'failed',
      'api_error_last',
      'The last answer is a model request error.',
      'infrastructure',
    )
  }
  if (end.lastUser?.interruption)
    return inferred('interrupted', 'interrupted_last', 'The last user message is an interruption notice.')
  if (end.unanswered)
    return inferred(
      'unknown',
      'unanswered_prompt',
      `The ${words} ends with an unanswered prompt: still running, or stopped before the agent answered.`,
    )
  if (!end.lastAssistant)
    return inferred(
      'unknown',
      'no_activity',
      'Only tool results were received, without the agent’s messages or calls.',
    )
  if (end.openCalls.length > 0 && !end.textAfterCalls)
    return inferred(
      'unknown',
      'call_without_result',
      `The ${words} ends on a call without a result: cut off or still running.`,
    )
  if (end.lastCall?.state === 'failed' && !end.textAfterCalls)
    return inferred(
      'failed',
      'failed_call_last',
      'The last call failed and the agent wrote nothing after it.',
      'tool',
    )
  if (end.hookStop) {
    const why = end.hookStop.fact.prevented
      ? 'A stop hook blocked the run.'
      : 'A stop hook reported an error when the run stopped.'
    return inferred('failed', 'stopped_by_hook', why, 'hook')
  }
  if (end.finalSaid?.fact.signal)
    return inferred(
      'failed',
      'signal_in_last_text',
      'The agent’s last message contains the failure signal.',
      'agent',
    )
  const tail =
    end.textAfterCalls || end.lastCall === null
      ? ''
      : ' No text follows the last call, so the end may be missing.'
  return inferred(
    'succeeded',
    'completed',
    `The ${words} ends without an error, interruption or open call.${tail}`,
  )
}

/** Frames come while the agent works: without one that ends the run it has not ended, as far as anyone heard. */
export const RUNNING: Judgement = judged(
  'running',
  'inferred',
  'no_end_seen',
  'No hook event ended the run: it is in progress or stopped silently.',
)

/** Hook frames alone: a stop with nothing after it is taken for an end. */
function inferFromHooks(end: Ending): Judgement {
  const ended = end.ended?.fact
  if (!ended || end.wentOn) return RUNNING
  if (/failure/i.test(ended.how)) {
    const again = mayTryAgain({ class: ended.error, status: null, text: ended.error ?? '' })
    return judged(
      again ? 'retriable' : 'failed',
      'inferred',
      'stop_failure',
      `The run stopped on a model request error (${shown(ended.error)}).`,
      'infrastructure',
    )
  }
  return judged(
    'succeeded',
    'inferred',
    'stop_seen',
    `The hook events end with ${oneLine(ended.how)}, without a failure.`,
  )
}

/** Receipts tell of calls, and nothing of how the run went on and ended. */
function inferFromReceipts(end: Ending): Judgement {
  if (end.lastCall?.failureClass === 'interrupted')
    return judged(
      'interrupted',
      'inferred',
      'interrupted_last',
      'The last call with a receipt was interrupted. No receipts follow it.',
    )
  if (end.lastCall?.state === 'failed')
    return judged(
      'failed',
      'inferred',
      'failed_call_last',
      'The last call with a receipt failed. No receipts follow it.',
      'tool',
    )
  if (end.openCalls[0]?.endUntold)
    return judged(
      'unknown',
      'inferred',
      'call_without_result',
      'The last receipt has no readable outcome.',
      null,
    )
  if (end.openCalls.length > 0)
    return judged(
      'unknown',
      'inferred',
      'call_without_result',
      'The receipts end on a call without a result: cut off or still running.',
      null,
    )
  return judged(
    'unknown',
    'inferred',
    'no_activity',
    'Only receipts were received. They cover calls, not how the run ended; calls without a receipt are invisible.',
    null,
  )
}
