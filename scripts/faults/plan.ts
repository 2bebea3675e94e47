import { Random } from '@/bench/support/random'

/** What is hit, and how. */
export const FAULTS = [
  'import: SIGKILL',
  'import: SIGTERM',
  'record: SIGKILL',
  'hook: SIGKILL',
  'web: SIGKILL',
  'web: SIGTERM',
  'ingest thread: ended',
  'ingest thread: out of memory',
  'database: SIGKILL',
  'database: SIGQUIT',
  'database: stopped and started',
  'database: SIGSTOP',
  'backend: SIGKILL',
  'backend: SIGTERM',
  'disk full',
] as const
export type Fault = (typeof FAULTS)[number]

/** What goes on while it happens. */
export const WORKS = ['import', 'record', 'hook'] as const
export type Work = (typeof WORKS)[number]

export interface Round {
  number: number
  fault: Fault
  work: Work
  /** When: as a part of the time that the work takes when nothing happens. */
  at01: number
}

/** The round of that number; the same seed gives the same one, whichever others are run. */
export function planRound(seed: number, number: number, faults: readonly Fault[] = FAULTS): Round {
  const fault = faults[number % faults.length]!
  const [aimed] = fault.split(':')
  const random = new Random(seed * 1_000 + number)
  // Imports are the longest work, with the most in flight.
  const work = (WORKS as readonly string[]).includes(aimed!)
    ? (aimed as Work)
    : random.chance(0.6)
      ? 'import'
      : WORKS[random.int(WORKS.length)]!
  const at01 = random.next()
  return { number, fault, work, at01 }
}
