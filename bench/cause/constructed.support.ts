import type { CallReading, Reading } from './labels'
import type { CallAnswer, SessionAnswer } from './product-answer'
import type { Session } from './score'

const CALL_READING: CallReading = {
  kind: 'command_failed',
  acceptable: [],
  recovered: 'no',
  unchangedRetry: 'would_not',
}
const CALL_ANSWER: CallAnswer = {
  id: '',
  failureClass: 'exit_code',
  kind: 'command_failed',
  recovered: 'no',
  unchangedRetry: null,
  retryWords: '',
  isCommand: true,
  errorChars: 0,
}

/**
 * One reading: what to see first, and what it says of each call beyond a failed command that nobody
 * repeated.
 */
export const reading = (
  firstToSee: string[],
  calls: Record<string, Partial<CallReading>>,
  outcome: Reading['outcome'] = 'succeeded',
): Reading => ({
  outcome,
  firstToSee,
  calls: new Map(Object.entries(calls).map(([id, call]) => [id, { ...CALL_READING, ...call }])),
})

export const answer = (
  failed: Record<string, Partial<CallAnswer>>,
  shown: Partial<SessionAnswer> = {},
): SessionAnswer => ({
  outcome: 'succeeded',
  raises: true,
  causeCallId: null,
  causeCategory: null,
  failed: Object.entries(failed).map(([id, call]) => ({ ...CALL_ANSWER, ...call, id })),
  ...shown,
})

export const session = (
  first: Reading,
  second: Reading,
  of: SessionAnswer,
  file = 'agent/one-1.jsonl',
): Session => ({
  set: 'agent',
  file,
  readings: [first, second],
  project: 'one',
  answer: of,
})
