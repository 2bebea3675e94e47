import type { WorkedCall } from '../calls/merge-calls'
import { callName, quoted } from './phrases'
import type { ReasonPattern, Reading } from './reading'

/** Reasons in the words of a step's error, in the order they are looked for. Steps call services: their errors are those of requests. */
const PATTERNS: readonly ReasonPattern[] = [
  {
    when: /name or service not known|nodename nor servname|getaddrinfo|ENOTFOUND|could not resolve|no address associated/i,
    retry: 'unknown',
    because: 'a host name did not resolve: a wrong name keeps failing, a DNS outage may pass',
    next: 'Check that the step’s host name is right and resolves on the worker, then rerun',
  },
  {
    when: /\b(?:ECONN\w+|ETIMEDOUT|timed? ?out|temporar(?:y|ily)|connection (?:reset|refused|aborted)|(?:HTTP|status(?: code)?)[ :/]*(?:\d\.\d )?(?:429|50[0234]))\b/i,
    retry: 'could-help',
    because: 'connection errors and busy services are often temporary',
    next: 'Rerun. If it fails again, check that the service the step calls is up',
  },
  {
    when: /\b(?:HTTP|status(?: code)?)[ :/]*(?:\d\.\d )?40[13]\b|unauthori[sz]ed|forbidden|invalid credentials|permission denied/i,
    retry: 'cannot-help',
    because: 'the service rejects the step’s credentials',
    next: 'Fix the step’s credential or its permissions, then rerun',
  },
  {
    when: /\b(?:HTTP|status(?: code)?)[ :/]*(?:\d\.\d )?4\d\d\b|bad request|unprocessable/i,
    retry: 'cannot-help',
    because: 'the service rejects the request itself',
    next: 'Fix what the error names in the step’s request or its input, then rerun',
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
        ? 'there is no error message to predict a retry from'
        : 'the error does not say if a retry would help',
    next:
      text === ''
        ? `Read the events of ${step} in Timeline. The first one has its input; there is no error message.`
        : `Read the events and input of ${step} in Timeline, starting from ${quoted(text, 120)}. Fix that and rerun.`,
  }
}
