import type { ContentState, RetryReason } from './vocabulary'

/**
 * What the dead-end guard does with a failure that a channel confirmed: the reason for another attempt by content state; a state that is
 * not named stays failed. Nothing else differs between policies, so that their verdicts can be compared; a further one is a further
 * entry here.
 */
export interface Policy {
  name: string
  promotes: Readonly<Partial<Record<ContentState, RetryReason>>>
}

export const POLICIES = [
  {
    name: 'current',
    promotes: { absent: 'drain_race' },
  },
  {
    name: 'pr-415',
    promotes: { absent: 'resume' },
  },
  {
    name: 'legacy-promote-all',
    promotes: { complete: 'resume', absent: 'resume', contract_violation: 'resume', session_error: 'resume' },
  },
] as const satisfies readonly Policy[]

export const CURRENT_POLICY: Policy = POLICIES[0]
/** What is compared with the current one by default. */
export const FORMER_POLICY: Policy = POLICIES[2]

/** @returns null for a name that is no policy */
export const policyNamed = (name: string): Policy | null =>
  POLICIES.find((policy) => policy.name === name) ?? null
