import type { OutcomeMessages } from '../../model/messages/outcome'
import type { Basis, Outcome } from '../../model/execution'
import type { Verdict } from '../rule-table'

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
  'result_status_missing',
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
  'left_open',
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
  'ci_step_failed',
  'ci_step_cancelled',
] as const
export type OutcomeRule = (typeof OUTCOME_RULES)[number]

/** How a run ended, by which rule; `failedAt` is null where nothing failed. */
export type Judgement = {
  [Rule in OutcomeRule]: {
    readonly outcome: Outcome
    readonly basis: Basis
    readonly rule: Rule
    readonly params: OutcomeMessages[Rule]
    readonly failedAt: FailedAt | null
  }
}[OutcomeRule]

/** What the tables of outcomes answer. */
export interface Ended {
  readonly outcome: Outcome
  readonly failedAt: FailedAt | null
}

export const ended = (outcome: Outcome, failedAt: FailedAt | null = null): Ended => ({ outcome, failedAt })

export const judgementOf = ({
  verdict,
  rule,
  params,
  basis,
}: Verdict<Ended, Pick<OutcomeMessages, OutcomeRule>>): Judgement =>
  ({ ...verdict, basis, rule, params }) as Judgement

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
