import type { Cell } from '../support/result'
import { median, noise, round } from '../support/stats'
import type { Load } from './closed-loop'

/** What is asked for: four answers of the product, and what the framework needs by itself. */
export const TARGETS = [
  'minimal page',
  'list page',
  'execution page',
  'minimal route, list',
  'list API',
  'minimal route, execution',
  'execution API',
  'prerendered page',
] as const
export type Target = (typeof TARGETS)[number]

/** The answers that have a budget: requests a second as a share of the reference in the same round. */
export const BUDGETS: readonly { target: Target; reference: Target; shareMin: number }[] = [
  { target: 'list page', reference: 'minimal page', shareMin: 1 / 3 },
  { target: 'execution page', reference: 'minimal page', shareMin: 1 / 3 },
  { target: 'list API', reference: 'minimal route, list', shareMin: 1 / 2 },
  { target: 'execution API', reference: 'minimal route, execution', shareMin: 1 / 2 },
]

export const MEMORY_BUDGET_MB = 300

/** One target in one round: what the generator saw, and the processor time of those who answered. */
export interface Measured extends Load {
  serverCpuMs: number | null
  databaseCpuMs: number | null
}

export type Rounds = Record<Target, Measured[]>

/** Shares of each round, so that what else the machine does touches both sides. */
const shareOf = (rounds: Rounds, { target, reference }: (typeof BUDGETS)[number]): number =>
  median(rounds[target].map(({ perSecond }, i) => perSecond / rounds[reference][i]!.perSecond))

const perAnswer = (measured: readonly Measured[], key: 'serverCpuMs' | 'databaseCpuMs'): number | null => {
  const known = measured.flatMap((one) => (one[key] === null ? [] : [one[key] / one.answers]))
  return known.length === 0 ? null : median(known)
}

/** A row for each target, with medians over the rounds. */
export const rowsOf = (rounds: Rounds): Record<string, Cell>[] =>
  TARGETS.map((target) => {
    const measured = rounds[target]
    const of = (key: keyof Load): number => median(measured.map((one) => one[key]))
    const budget = BUDGETS.find((one) => one.target === target)
    const cpu = perAnswer(measured, 'serverCpuMs')
    const referenceCpu = budget ? perAnswer(rounds[budget.reference], 'serverCpuMs') : null
    const cell = (value: number | null, digits: number): Cell =>
      value === null ? null : round(value, digits)
    return {
      answer: target,
      'requests/s': round(of('perSecond'), 1),
      noise: round(noise(measured.map(({ perSecond }) => perSecond))),
      share: budget ? round(shareOf(rounds, budget), 3) : null,
      'share, least': budget ? round(budget.shareMin) : null,
      'p50, ms': round(of('p50Ms'), 1),
      'p95, ms': round(of('p95Ms'), 1),
      'kB each': round(of('bytesPerAnswer') / 1000, 1),
      errors: measured.reduce((sum, { errors }) => sum + errors, 0),
      'server CPU each, ms': cell(cpu, 2),
      'share by CPU': cell(cpu && referenceCpu && referenceCpu / cpu, 3),
      'database CPU each, ms': cell(perAnswer(measured, 'databaseCpuMs'), 2),
      'generator, cores': round(of('generatorCores')),
    }
  })

/**
 * Whether all budgets were met, and a line for each that was not.
 *
 * @param peakMb resident memory of the product at its peak; null where the system does not say
 */
export function judge(rounds: Rounds, peakMb: number | null): { met: boolean | null; misses: string[] } {
  const misses = BUDGETS.flatMap((budget) => {
    const share = shareOf(rounds, budget)
    return share >= budget.shareMin
      ? []
      : [
          `${budget.target}: ${share.toFixed(3)} of the ${budget.reference}, not ${budget.shareMin.toFixed(2)}`,
        ]
  })
  const errors = TARGETS.filter((target) => rounds[target].some((one) => one.errors > 0))
  if (errors.length > 0) misses.push(`errors: ${errors.join(', ')}`)
  if (peakMb !== null && peakMb > MEMORY_BUDGET_MB)
    misses.push(`memory: ${peakMb.toFixed(0)} MB, not ${MEMORY_BUDGET_MB} MB`)
  return { met: misses.length > 0 ? false : peakMb === null ? null : true, misses }
}
