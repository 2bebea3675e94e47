import { decide, type DecisionFacts } from './decide'
import { UNKNOWN, type VerdictWords } from './decision'
import type { Policy } from './policies'

/** How a pattern that cannot be looked for is named among the inputs that are not known. */
export const patternInput = (pattern: string): string => `pattern ${pattern}`

/** The pattern of such a name; null for the name of another input. */
export const patternOfInput = (name: string): string | null =>
  name.startsWith('pattern ') ? name.slice('pattern '.length) : null

/** What the facts of an attempt could be, when not all inputs are known; made by `gatherPossible`, where the output is at hand. */
export interface PossibleFacts {
  /** Names of the inputs that are not known. */
  missing: readonly string[]
  /** All of them; one when everything that counts is known. */
  possible: readonly DecisionFacts[]
}

export interface PartlyDecided extends VerdictWords {
  missing: readonly string[]
  /** What each word could be. A subtype may itself read `unknown`: the verdict is known where there is but one. */
  could: Readonly<Record<keyof VerdictWords, readonly string[]>>
}

/**
 * The decision as far as it is the same whatever the missing inputs were; `unknown` where it is not, and for the content state of an
 * attempt whose content is not looked at. To know more never takes back what was known.
 */
export function decideWithUnknowns({ missing, possible }: PossibleFacts, policy: Policy): PartlyDecided {
  const decided = possible.map((facts) => decide(facts, policy))
  const could = {
    contentState: distinct(decided.map(({ contentState }) => contentState ?? UNKNOWN)),
    outcome: distinct(decided.map(({ outcome }) => outcome)),
    retryReason: distinct(decided.map(({ retryReason }) => retryReason)),
    subtype: distinct(decided.map(({ subtype }) => subtype)),
  }
  return {
    contentState: agreed(could.contentState),
    outcome: agreed(could.outcome),
    retryReason: agreed(could.retryReason),
    subtype: agreed(could.subtype),
    missing,
    could,
  }
}

const distinct = (words: string[]): string[] => [...new Set(words)]
const agreed = (words: readonly string[]): string => (words.length === 1 ? words[0]! : UNKNOWN)
