import type { CallRules } from './call-answer'
import { errorSign } from './error-sign'
import { noParams } from './no-params'

/**
 * What the failure of a step of a workflow says. Steps call services, so their errors are those of requests, and
 * nobody can run a step by hand: what to look at are its rows and what it was given.
 */
const RULES: CallRules = [
  errorSign(
    'step_host_unresolved',
    /name or service not known|nodename nor servname|getaddrinfo|ENOTFOUND|could not resolve|no address associated/i,
    'unclear',
    'check_step_host',
  ),
  errorSign(
    'step_service_busy',
    /\b(?:ECONN\w+|ETIMEDOUT|timed? ?out|temporar(?:y|ily)|connection (?:reset|refused|aborted)|(?:HTTP|status(?: code)?)[ :/]*(?:\d\.\d )?(?:429|50[0234]))\b/i,
    'would_help',
    'rerun_step',
  ),
  errorSign(
    'step_unauthorized',
    /\b(?:HTTP|status(?: code)?)[ :/]*(?:\d\.\d )?40[13]\b|unauthori[sz]ed|forbidden|invalid credentials|permission denied/i,
    'wont_help',
    'fix_step_credential',
  ),
  errorSign(
    'step_request_rejected',
    /\b(?:HTTP|status(?: code)?)[ :/]*(?:\d\.\d )?4\d\d\b|bad request|unprocessable/i,
    'wont_help',
    'fix_step_request',
  ),
  {
    id: 'step_no_message',
    when: ({ error }) => error === '',
    verdict: ({ call }) => ({ retry: 'unclear', next: { id: 'read_step_events', params: { call } } }),
    params: noParams,
  },
  {
    id: 'step_message_unclear',
    when: () => true,
    verdict: ({ call, quote }) => ({
      retry: 'unclear',
      next: { id: 'read_step_input', params: { call, error: quote } },
    }),
    params: noParams,
  },
]

export const STEP_RULES: CallRules = RULES.map((rule) => ({
  ...rule,
  when: (facts) => facts.failed.isStep && rule.when(facts),
}))
