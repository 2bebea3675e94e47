import type { Cell } from '../support/result'
import { round } from '../support/stats'
import { figuresOf, type Figure } from './figures'
import { drawSessions, everySession, intervalOf, totalsOf, rateOf } from './resample'
import type { Session } from './score'

export const SEED = 2911
export const RESAMPLES = 10_000

/**
 * Every figure as a row: its count, its share, its interval, and its share without the sessions of each
 * project. Nothing is fitted to the sessions, so leaving a project out shows how much of a figure that
 * project makes. Where there are several sets of labels, each has a column too: rules may have been written
 * with one of them in view.
 */
export function rowsOf(sessions: readonly Session[], resamples: number): Record<string, Cell>[] {
  const draws = drawSessions(sessions.length, resamples, SEED)
  const projects = [...new Set(sessions.map(({ project }) => project))].sort()
  const sets = [...new Set(sessions.map(({ set }) => set))].sort()
  return figuresOf(sessions).map((figure) => {
    const among = (isIn: (session: Session) => boolean): number | null =>
      percent(
        rateOf(
          totalsOf(
            figure,
            everySession(figure).filter((i) => isIn(sessions[i]!)),
          ),
        ),
      )
    return {
      ...rowOf(figure, draws),
      ...Object.fromEntries(
        projects.map((name) => [`without ${name}`, among(({ project }) => project !== name)]),
      ),
      ...(sets.length > 1 &&
        Object.fromEntries(sets.map((name) => [`only ${name}`, among(({ set }) => set === name)]))),
    }
  })
}

const percent = (share: number | null | undefined): number | null =>
  share == null ? null : round(share * 100, 1)

/** A mean has no count of its own: its classes have. */
function rowOf(figure: Figure, draws: readonly (readonly number[])[]): Record<string, Cell> {
  const totals = totalsOf(figure, everySession(figure))
  const [only] = totals.length === 1 ? totals : []
  const interval = intervalOf(figure, draws)
  return {
    figure: figure.name,
    by: figure.baseline ?? 'product',
    right: only ? round(only[0]) : null,
    of: only?.[1] ?? null,
    '%': percent(rateOf(totals)),
    'from %': percent(interval?.[0]),
    'to %': percent(interval?.[1]),
  }
}
