import type { Kind } from './labels'
import {
  RECOVERED,
  RETRY,
  type CallReading,
  type LabelledSession,
  type Recovered,
  type Retry,
} from './labels'
import type { CallAnswer, SessionAnswer } from './product-answer'

/** What a session adds to a share: so many right, of so many. */
export type Part = readonly [right: number, of: number]

export interface Session extends LabelledSession {
  project: string
  answer: SessionAnswer
}

/**
 * A labelled call with both readings, where both have it, and the product's answer, where the product knows
 * a failed call of that id.
 */
export interface LabelledCall {
  id: string
  readings: readonly CallReading[]
  answer: CallAnswer | undefined
}

/** The project a file is from: its name up to the first dash. */
export const projectOf = (file: string): string =>
  /^[^-.]+/.exec(file.slice(file.lastIndexOf('/') + 1))?.[0] ?? file

const part = (right: boolean | number, of: boolean | number = 1): Part => [Number(right), Number(of)]

/** Calls that either reading says should be shown first. */
export const acceptedFirst = ({ readings }: LabelledSession): ReadonlySet<string> =>
  new Set(readings.flatMap(({ firstToSee }) => firstToSee))

/** Both readings say that nothing needs attention: only false alarms are counted there. */
export const isQuiet = (session: LabelledSession): boolean => acceptedFirst(session).size === 0

/** Either reading says that nothing needs attention, so silence is right. */
const mayBeQuiet = ({ readings }: LabelledSession): boolean =>
  readings.some(({ firstToSee }) => firstToSee.length === 0)

/** Whether a headline about this call is right; null is silence. */
export const isRightHeadline = (session: LabelledSession, shown: string | null): boolean =>
  shown === null ? mayBeQuiet(session) : acceptedFirst(session).has(shown)

/**
 * Sessions in which at least one reading names a call. A cause that points at no call of the session names
 * none, and is wrong.
 */
export function headlinePart(session: Session): Part {
  if (isQuiet(session)) return [0, 0]
  const { raises, causeCallId } = session.answer
  return part(
    raises ? causeCallId !== null && isRightHeadline(session, causeCallId) : isRightHeadline(session, null),
  )
}

/** Sessions in which both readings are empty; here the share counts what is wrong. */
export const falseAlarmPart = (session: Session): Part =>
  isQuiet(session) ? part(session.answer.raises) : [0, 0]

/** Every labelled call of a session, in the order of the readings. */
export function callsOf({ readings, answer }: Session): LabelledCall[] {
  const ids = new Set(readings.flatMap(({ calls }) => [...calls.keys()]))
  const answers = new Map(answer.failed.map((call) => [call.id, call]))
  return [...ids].map((id) => ({
    id,
    readings: readings.flatMap(({ calls }) => calls.get(id) ?? []),
    answer: answers.get(id),
  }))
}

/** What both readings say; null where they differ, or either is unclear, or a reading has no such call. */
export function agreed<T extends string>(
  readings: readonly CallReading[],
  of: (reading: CallReading) => T | 'unclear',
): T | null {
  const [first, second] = readings.map(of)
  return first === undefined || first !== second || first === 'unclear' ? null : (first as T)
}
export const agreedRecovered = ({ readings }: LabelledCall): Recovered | null =>
  agreed<Recovered>(readings, (r) => r.recovered)
export const agreedRetry = ({ readings }: LabelledCall): Retry | null =>
  agreed<Retry>(readings, (r) => r.unchangedRetry)

const sum = (parts: readonly Part[]): Part =>
  parts.reduce<Part>(([r, n], [right, of]) => [r + right, n + of], [0, 0])

type Answers<T> = (call: LabelledCall) => T | null | undefined

/**
 * One part for each class: of the calls that have it, how many got it as the answer. Their mean is the mean
 * recall.
 */
export function recoveredParts(
  session: Session,
  answerOf: Answers<Recovered> = ({ answer }) => answer?.recovered,
): Part[] {
  const calls = callsOf(session)
  return RECOVERED.map((name) =>
    sum(calls.map((call) => (agreedRecovered(call) === name ? part(answerOf(call) === name) : [0, 0]))),
  )
}

const retryAnswer: Answers<Retry> = ({ answer }) => answer?.unchangedRetry

/** Of the calls for which this was answered, how many have it in both readings. */
export const retryPrecisionPart = (session: Session, name: Retry, answerOf = retryAnswer): Part =>
  sum(
    callsOf(session).map((call) =>
      agreedRetry(call) !== null && answerOf(call) === name ? part(agreedRetry(call) === name) : [0, 0],
    ),
  )

/** Of the calls that have it in both readings, for how many it was answered; an abstention is a miss. */
export const retryRecallPart = (session: Session, name: Retry, answerOf = retryAnswer): Part =>
  sum(callsOf(session).map((call) => (agreedRetry(call) === name ? part(answerOf(call) === name) : [0, 0])))

/** Of all calls that count, those with either answer right. */
export const retryRightPart = (session: Session, answerOf = retryAnswer): Part =>
  sum(RETRY.map((name) => retryRecallPart(session, name, answerOf)))

/** Of all calls that count, those without an answer. */
export const retryAbstainedPart = (session: Session): Part =>
  sum(callsOf(session).map((call) => (agreedRetry(call) === null ? [0, 0] : part(retryAnswer(call) == null))))

export const acceptedKinds = ({ readings }: LabelledCall): ReadonlySet<Kind> =>
  new Set(readings.flatMap(({ kind, acceptable }) => [kind, ...acceptable]))

export const kindPart = (session: Session, answerOf: Answers<Kind> = ({ answer }) => answer?.kind): Part =>
  sum(
    callsOf(session).map((call) => {
      const answer = answerOf(call)
      return part(answer != null && acceptedKinds(call).has(answer))
    }),
  )

/** Only sessions on whose outcome both readings agree. */
export function outcomePart({ readings: [first, second], answer }: Session, outcome = answer.outcome): Part {
  return first.outcome !== null && first.outcome === second.outcome ? part(outcome === first.outcome) : [0, 0]
}
