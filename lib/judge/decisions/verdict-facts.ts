import type { PatternFinding } from './patterns'
import type { Exhaustion } from './session'

/** What is known of the process that made the output. */
export interface ProcessFacts {
  exitCode: number
  /** One of `TERMINATIONS`, or a newer word. */
  termination: string
  /** One of `CHANNELS`, or a newer word. */
  channel: string
}

/** What the agent was asked to deliver. */
export interface Contract {
  /** Printed last; empty when none was agreed on. */
  marker: string
  /** Regular expressions that all have to be found. */
  patterns: readonly string[]
}

/**
 * Everything that a verdict is made of, without the texts: small enough to be kept for each execution, replayed under other policies and
 * changed by hand to see what would have been.
 */
export interface VerdictFacts extends ProcessFacts {
  subtype: string
  isError: boolean
  /** The result holds nothing but white space. */
  blank: boolean
  exhaustion: Exhaustion | null
  /** Where signs of it stand, whether or not they count: most do only in a session that ended with an error. */
  exhaustionSigns: readonly Exhaustion[]
  markerSet: boolean
  /** In the result as it is, and without the white space around it. */
  markerInResult: boolean
  markerInText: boolean
  /** Nothing is left when each marker is taken out. */
  onlyMarker: boolean
  patterns: readonly PatternFinding[]
}

/** All that was asked for is there; nothing asked for is. */
export const patternsFound = ({ patterns }: Pick<VerdictFacts, 'patterns'>): boolean =>
  patterns.every(({ state }) => state === 'found')
