import type { WorkedCall } from './merge-calls'
import { callName, quoted } from './phrases'
import type { ReasonPattern, Reading } from './reading'

/** Reasons in the words of a step's error, in the order they are looked for. Steps call services: their errors are those of requests. */
const PATTERNS: readonly ReasonPattern[] = [
  {
    when: /name or service not known|nodename nor servname|getaddrinfo|ENOTFOUND|could not resolve|no address associated/i,
    retry: 'unknown',
    because:
      'the name of a host could not be resolved: a wrong name fails each time, a name service that was down may answer again',
    next: 'Check the host in the address that the step calls, and that it can be resolved where the worker runs; then start the run again',
  },
  {
    when: /\b(?:ECONN\w+|ETIMEDOUT|timed? ?out|temporar(?:y|ily)|connection (?:reset|refused|aborted)|(?:HTTP|status(?: code)?)[ :/]*(?:\d\.\d )?(?:429|50[0234]))\b/i,
    retry: 'could-help',
    because: 'the message names a connection or a busy service, which may pass',
    next: 'Start the run again; if it fails the same way, check that the service that the step calls is up',
  },
  {
    when: /\b(?:HTTP|status(?: code)?)[ :/]*(?:\d\.\d )?40[13]\b|unauthori[sz]ed|forbidden|invalid credentials|permission denied/i,
    retry: 'cannot-help',
    because: 'the service refuses the credentials of the step, and does each time',
    next: 'Mend the credential that the step uses, or the rights that it has; then start the run again',
  },
  {
    when: /\b(?:HTTP|status(?: code)?)[ :/]*(?:\d\.\d )?4\d\d\b|bad request|unprocessable/i,
    retry: 'cannot-help',
    because: 'the service refuses the request itself; the same request is refused again',
    next: 'Mend what the message names in the request of the step, or in what it was made from; then start the run again',
  },
]

/** What the failure of a step of a workflow says: nobody can run a step by hand, so what to look at are its rows and what it was given. */
export function readStep(a: WorkedCall, text: string): Reading {
  const pattern = PATTERNS.find(({ when }) => when.test(text))
  if (pattern)
    return { retry: pattern.retry, because: pattern.because, next: `${pattern.next}: ${quoted(text, 120)}.` }
  const step = `step ${quoted(callName(a), 60)}`
  return {
    retry: 'unknown',
    because:
      text === ''
        ? 'there is no message that could say whether another attempt would end differently'
        : 'nothing in the message says whether another attempt would end differently',
    next:
      text === ''
        ? `Read the rows of ${step} in Timeline: what it was given stands in its first one; no message says what to mend.`
        : `Read the rows of ${step} in Timeline and what it was given, and begin at ${quoted(text, 120)}; mend that and start the run again.`,
  }
}
