import { asRows, disagreementsOf } from './cause/disagreements'
import { judgeSessions } from './cause/judge-sessions'
import { hasLabels, LABELS_FOLDER, MORE_LABELS_FOLDER, readLabels, SAMPLES_FOLDER } from './cause/labels'
import { RESAMPLES, rowsOf, SEED } from './cause/rows'
import { agreedRetry, callsOf, type Session } from './cause/score'
import type { Bench, BenchResult } from './support/result'

/** How often the product's judgement of real sessions is that of careful readers (docs/cause-accuracy.md). */
export const benchCause: Bench = async ({ log, small }): Promise<BenchResult> => {
  if (!hasLabels())
    throw new Error(
      `There are no labels: ${LABELS_FOLDER} and ${SAMPLES_FOLDER} are needed beside the project`,
    )
  const { sessions, unread } = await judgeSessions([...readLabels(), ...readLabels(MORE_LABELS_FOLDER)])
  log(`${sessions.length} sessions read and judged`)
  const resamples = small ? 500 : RESAMPLES
  return {
    name: 'cause',
    what: `how often the product judges ${sessions.length} real sessions as two readers do`,
    reference:
      'rules that judge nothing (first failed call, last, longest error …), and the most frequent label',
    budget: 'none',
    met: null,
    seed: SEED,
    // Each set by itself: the rules were written with the first in view.
    rows: setsOf(sessions).flatMap(([set, of]) => rowsOf(of, resamples).map((row) => ({ set, ...row }))),
    details: asRows(disagreementsOf(sessions)),
    notes: [
      ...notesOf(sessions),
      `from and to: 95 % intervals, from ${resamples} draws of the sessions of a set with replacement`,
      ...unread.map((file) => `not scored, in no format that is taken in: ${file}`),
    ],
  }
}

const setsOf = (sessions: readonly Session[]): [set: string, sessions: Session[]][] =>
  [...new Set(sessions.map(({ set }) => set))].map((set) => [
    set,
    sessions.filter((session) => session.set === set),
  ])

function notesOf(sessions: readonly Session[]): string[] {
  const calls = sessions.flatMap(callsOf)
  const known = calls.filter(({ answer }) => answer).length
  const ids = new Set(calls.map(({ id }) => id))
  const more = sessions.flatMap(({ answer }) => answer.failed).filter(({ id }) => !ids.has(id)).length
  const helpful = sessions.flatMap((session) =>
    callsOf(session).flatMap((call) => (agreedRetry(call) === 'would_help' ? [session.file] : [])),
  )
  return [
    `${calls.length} labelled calls, ${known} of them known as failed; ${more} failed calls without a label`,
    `"would help" is right for ${helpful.length} calls of ${new Set(helpful).size} sessions; ` +
      'with fewer than twenty calls of five sessions it is not measurable',
    'false alarms and retries without an answer: fewer is better; a mean recall has no count of its own',
  ]
}
