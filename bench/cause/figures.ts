import { allCalls, HEADLINE_BASELINES, mostFrequent } from './baselines'
import { RECOVERED, type Retry } from './labels'
import {
  agreedRecovered,
  agreedRetry,
  falseAlarmPart,
  headlinePart,
  kindPart,
  outcomePart,
  recoveredParts,
  retryAbstainedPart,
  retryPrecisionPart,
  retryRecallPart,
  retryRightPart,
  type Part,
  type Session,
} from './score'

/** A share, or the mean of several, with what each session adds to it. */
export interface Figure {
  name: string
  /** Null: the product's own. */
  baseline: string | null
  /** For each session one part, or one for each class of a mean. */
  parts: readonly (readonly Part[])[]
}

/** Every figure that the labels' README names, each followed by its baselines. */
export function figuresOf(sessions: readonly Session[]): Figure[] {
  const calls = allCalls(sessions)
  const recovered = mostFrequent(calls.map(agreedRecovered))
  const retry = mostFrequent(calls.map(agreedRetry))
  const kind = mostFrequent(calls.flatMap(({ readings }) => readings.map((reading) => reading.kind)))
  const outcome = mostFrequent(
    sessions.map(({ readings: [a, b] }) => (a.outcome === b.outcome ? a.outcome : null)),
  )
  const figure = (
    name: string,
    part: (session: Session) => Part,
    baseline: string | null = null,
  ): Figure => ({
    name,
    baseline,
    parts: sessions.map((session) => [part(session)]),
  })
  const retryFigures = (name: Retry, words: string): Figure[] => [
    figure(`retry, "${words}": precision`, (session) => retryPrecisionPart(session, name)),
    figure(`retry, "${words}": recall`, (session) => retryRecallPart(session, name)),
  ]
  return [
    figure('headline', headlinePart),
    ...HEADLINE_BASELINES.map(({ name, part }) => figure('headline', part, name)),
    figure('false alarms', falseAlarmPart),
    figure('false alarms', (session) => [0, falseAlarmPart(session)[1]], 'never raising'),
    {
      name: 'recovered, mean recall',
      baseline: null,
      parts: sessions.map((session) => recoveredParts(session)),
    },
    {
      name: 'recovered, mean recall',
      baseline: `always ${recovered}`,
      parts: sessions.map((session) => recoveredParts(session, () => recovered)),
    },
    ...RECOVERED.map((name, i) =>
      figure(`recovered, recall of ${name}`, (session) => recoveredParts(session)[i]!),
    ),
    figure('retry, either answer right', (session) => retryRightPart(session)),
    figure(
      'retry, either answer right',
      (session) => retryRightPart(session, () => retry),
      `always ${retry}`,
    ),
    ...retryFigures('would_not', "won't help"),
    ...retryFigures('would_help', 'would help'),
    figure('retry, no answer', retryAbstainedPart),
    figure('kind', (session) => kindPart(session)),
    figure('kind', (session) => kindPart(session, () => kind), `always ${kind}`),
    figure('outcome', (session) => outcomePart(session)),
    figure('outcome', (session) => outcomePart(session, outcome), `always ${outcome}`),
  ]
}
