import type { CallAnswer } from './product-answer'
import { acceptedFirst, callsOf, isQuiet, type Part, type Session } from './score'

/** What anyone could headline without judging. None of them is ever quiet, and none knows the labels. */
type Pick = (failed: readonly CallAnswer[]) => CallAnswer | undefined

const PICKS: readonly { name: string; pick: Pick }[] = [
  { name: 'first failed call', pick: (failed) => failed[0] },
  { name: 'last failed call', pick: (failed) => failed.at(-1) },
  { name: 'longest error text', pick: longest },
  { name: 'a refusal, else the last failed command', pick: refusalOrCommand },
]

/** Of texts of one length the first. */
function longest(failed: readonly CallAnswer[]): CallAnswer | undefined {
  return failed.reduce<CallAnswer | undefined>(
    (best, call) => (best && best.errorChars >= call.errorChars ? best : call),
    undefined,
  )
}

/**
 * The first call that a person refused; else the last command that failed; a session without both has its
 * last failed call.
 */
function refusalOrCommand(failed: readonly CallAnswer[]): CallAnswer | undefined {
  return (
    failed.find(({ failureClass }) => failureClass === 'user_rejected') ??
    failed.findLast(({ isCommand }) => isCommand) ??
    failed.at(-1)
  )
}

/** The share by which a failed call drawn by chance is right: the expected value, nothing is drawn. */
function randomPart(session: Session): Part {
  const { failed } = session.answer
  const accepted = acceptedFirst(session)
  return [failed.length === 0 ? 0 : failed.filter(({ id }) => accepted.has(id)).length / failed.length, 1]
}

export const HEADLINE_BASELINES: readonly { name: string; part: (session: Session) => Part }[] = [
  {
    name: 'random failed call (expected)',
    part: (session) => (isQuiet(session) ? [0, 0] : randomPart(session)),
  },
  ...PICKS.map(({ name, pick }) => ({
    name,
    part: (session: Session): Part =>
      isQuiet(session)
        ? [0, 0]
        : [Number(acceptedFirst(session).has(pick(session.answer.failed)?.id ?? '')), 1],
  })),
]

/** The value that comes most often; of several the one that comes first. */
export function mostFrequent<T>(values: readonly (T | null)[]): T {
  const counts = new Map<T, number>()
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  const best = [...counts].reduce<[T, number] | null>((a, b) => (a === null || b[1] > a[1] ? b : a), null)
  if (best === null) throw new Error('there is no label to count')
  return best[0]
}

export const allCalls = (sessions: readonly Session[]) => sessions.flatMap(callsOf)
