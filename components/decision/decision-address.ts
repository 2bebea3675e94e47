import { parseAsArrayOf, parseAsString } from 'nuqs'

/** What an address holds of the decision: whether it is open, what is changed in it, and the policy. */
export const decisionAddress = {
  decision: parseAsString,
  if: parseAsArrayOf(parseAsString),
  policy: parseAsString,
}

/** The changes that an address names; a comma too many names none. */
export const namedChanges = (ids: readonly string[] | null): string[] =>
  (ids ?? []).filter((id) => id.trim() !== '')

/** Who follows a link to something changed wants to see it, also when the link says nothing of the decision. */
export const asksForDecision = (asked: {
  decision: string | null
  if: readonly string[] | null
  policy: string | null
}): boolean => asked.decision === 'open' || namedChanges(asked.if).length > 0 || (asked.policy ?? '') !== ''
