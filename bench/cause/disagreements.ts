import type { Cell } from '../support/result'
import {
  acceptedKinds,
  agreedRecovered,
  agreedRetry,
  callsOf,
  falseAlarmPart,
  headlinePart,
  isQuiet,
  outcomePart,
  type LabelledCall,
  type Session,
} from './score'

/** One answer of the product that differs from the readings, or is missing. */
export type Disagreement = Record<
  'session' | 'about' | 'call' | 'product' | 'first reading' | 'second reading',
  string
>

/**
 * Everything that is not right by `score.ts`, session by session. Ids and labels only: the sessions' own
 * text is third parties'.
 */
export const disagreementsOf = (sessions: readonly Session[]): Disagreement[] =>
  sessions.flatMap((session) => [
    ...ofSession(session),
    ...callsOf(session).flatMap((call) => ofCall(session, call)),
  ])

/** As rows of a table, without what is the same in all. */
export const asRows = (list: readonly Disagreement[]): Record<string, Cell>[] =>
  list.map((one) => ({
    ...one,
    session: one.session.slice(one.session.lastIndexOf('/') + 1).replace(/\.jsonl$/, ''),
  }))

function ofSession(session: Session): Disagreement[] {
  const {
    file,
    answer,
    readings: [first, second],
  } = session
  const found: Disagreement[] = []
  const add = (about: string, product: string, a: string, b: string): void =>
    void found.push({ session: file, about, call: '', product, 'first reading': a, 'second reading': b })
  const shown = answer.raises
    ? `${answer.causeCallId ?? 'no call'} (${answer.causeCategory ?? 'no category'})`
    : 'nothing'
  const calls = (ids: readonly string[]): string => ids.join(', ') || 'nothing'
  const isWrong = isQuiet(session) ? falseAlarmPart(session)[0] === 1 : headlinePart(session)[0] === 0
  if (isWrong)
    add(
      isQuiet(session) ? 'false alarm' : 'headline',
      shown,
      calls(first.firstToSee),
      calls(second.firstToSee),
    )
  const [right, of] = outcomePart(session)
  if (right < of) add('outcome', answer.outcome, first.outcome ?? '', second.outcome ?? '')
  return found
}

function ofCall({ file }: Session, call: LabelledCall): Disagreement[] {
  const { answer, readings } = call
  const found: Disagreement[] = []
  const add = (about: string, product: string, of: (reading: (typeof readings)[number]) => string): void => {
    const [a = 'not labelled', b = 'not labelled'] = readings.map(of)
    found.push({ session: file, about, call: call.id, product, 'first reading': a, 'second reading': b })
  }
  const unknown = 'no such failed call'
  const recovered = agreedRecovered(call)
  if (recovered !== null && answer?.recovered !== recovered)
    add('recovered', answer?.recovered ?? unknown, (r) => r.recovered)
  const retry = agreedRetry(call)
  if (retry !== null && answer?.unchangedRetry !== retry)
    add(
      'unchanged_retry',
      answer ? `${answer.unchangedRetry ?? 'no answer'} (${answer.retryWords})` : unknown,
      (r) => r.unchangedRetry,
    )
  if (!answer || !acceptedKinds(call).has(answer.kind))
    add('kind', answer ? `${answer.kind} (${answer.failureClass ?? 'no class'})` : unknown, (r) =>
      [r.kind, ...r.acceptable].join(' or '),
    )
  return found
}
