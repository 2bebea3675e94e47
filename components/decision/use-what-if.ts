'use client'

import { useQueryStates } from 'nuqs'
import { useMemo, useRef } from 'react'
import { readChosen, toggled } from '@/lib/judge/decisions/chosen'
import { decide } from '@/lib/judge/decisions/decide'
import { CURRENT_POLICY, policyNamed } from '@/lib/judge/decisions/policies'
import { applyChanges, type WhatIf } from '@/lib/judge/decisions/what-if'
import type { Change } from '@/lib/judge/decisions/what-if-edits'
import { decisionAddress, namedChanges } from './decision-address'

/** What is changed, and the verdict with it. The address holds both, so that a link shows the same; reading it never fails. */
export function useWhatIf(whatIf: WhatIf) {
  const [state, setState] = useQueryStates(decisionAddress)
  const { chosen, unknown } = useMemo(() => readChosen(whatIf, namedChanges(state.if)), [whatIf, state.if])
  const policy = policyNamed(state.policy ?? CURRENT_POLICY.name) ?? CURRENT_POLICY
  const facts = useMemo(() => applyChanges(whatIf, chosen), [whatIf, chosen])
  const decided = useMemo(() => decide(facts, policy), [facts, policy])
  // What was done last: a policy is in no order among the changes.
  const policyLast = useRef(false)
  const choose = (ids: string[]): void =>
    void setState({ if: ids.length === 0 ? null : ids }, { history: 'replace' })
  return {
    chosen,
    policy,
    facts,
    decided,
    isChanged: chosen.length > 0 || policy !== CURRENT_POLICY,
    /** Of the address: changes and a policy that mean nothing here. */
    unknown: [
      ...unknown,
      ...(state.policy !== null && policyNamed(state.policy) === null ? [state.policy] : []),
    ],
    choose,
    toggle: (change: Change) => {
      policyLast.current = false
      choose(toggled(chosen, change))
    },
    setPolicy: (name: string) => {
      policyLast.current = true
      void setState({ policy: name === CURRENT_POLICY.name ? null : name }, { history: 'replace' })
    },
    undo: () => {
      if (policy !== CURRENT_POLICY && (policyLast.current || chosen.length === 0))
        return void setState({ policy: null }, { history: 'replace' })
      choose(chosen.slice(0, -1).map(({ id }) => id))
    },
    reset: () => void setState({ if: null, policy: null }, { history: 'replace' }),
  }
}
export type WhatIfState = ReturnType<typeof useWhatIf>
