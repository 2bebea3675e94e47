import { Random } from '../support/random'
import { quantile } from '../support/stats'
import type { Figure } from './figures'
import type { Part } from './score'

/** The parts of some sessions added up, class by class; a session may come several times. */
export function totalsOf({ parts }: Pick<Figure, 'parts'>, sessions: readonly number[]): Part[] {
  const classes = parts[0]?.length ?? 0
  return Array.from({ length: classes }, (_, i) => {
    let right = 0
    let of = 0
    for (const session of sessions) {
      const part = parts[session]![i]!
      right += part[0]
      of += part[1]
    }
    return [right, of]
  })
}

/** The share, or the mean of the shares of those classes that occur at all; null when none does. */
export function rateOf(totals: readonly Part[]): number | null {
  const shares = totals.filter(([, of]) => of > 0).map(([right, of]) => right / of)
  return shares.length === 0 ? null : shares.reduce((sum, share) => sum + share, 0) / shares.length
}

export const everySession = ({ parts }: Pick<Figure, 'parts'>): number[] => parts.map((_, session) => session)

/**
 * Draws as many sessions as there are, with replacement, again and again; every figure is taken from the
 * same draws.
 */
export function drawSessions(sessions: number, resamples: number, seed: number): number[][] {
  const random = new Random(seed)
  return Array.from({ length: resamples }, () => Array.from({ length: sessions }, () => random.int(sessions)))
}

/**
 * The middle 95 % of a figure over the draws (percentile bootstrap). Calls of one session are alike, so
 * whole sessions are drawn. A draw in which nothing counts towards the figure is left out.
 */
export function intervalOf(
  figure: Pick<Figure, 'parts'>,
  draws: readonly (readonly number[])[],
): [low: number, high: number] | null {
  const values = draws.flatMap((draw) => rateOf(totalsOf(figure, draw)) ?? [])
  return values.length === 0 ? null : [quantile(values, 0.025), quantile(values, 0.975)]
}
