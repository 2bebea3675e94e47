'use client'

import { useQueryStates } from 'nuqs'
import { asksForDecision, decisionAddress } from './decision-address'

/** Whether the decision of the execution on screen is open. What was changed in it goes with it (`use-what-if.ts`). */
export function useDecisionOpen(): [boolean, (open: boolean) => void] {
  const [asked, set] = useQueryStates(decisionAddress)
  return [
    asksForDecision(asked),
    (open) =>
      void set(open ? { decision: 'open' } : { decision: null, if: null, policy: null }, { history: 'push' }),
  ]
}
