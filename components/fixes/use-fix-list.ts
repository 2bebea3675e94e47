'use client'

import { parseAsString, useQueryStates } from 'nuqs'
import { FIX_FACETS, type FixFacet, readFixQuestion } from '@/lib/model/fix-question'
import { fixSearch } from './fix-search'

/** The state of the queue is its address: what is chosen in each facet, and the project. */
export function useFixList() {
  const [state, setState] = useQueryStates(
    {
      state: parseAsString,
      origin: parseAsString,
      safety: parseAsString,
      evidence: parseAsString,
      signal: parseAsString,
      project: parseAsString,
    },
    { history: 'push' },
  )
  const chosen = (facet: FixFacet): string[] =>
    (state[facet] ?? '').split(',').filter((value) => value !== '')
  const toggle = (facet: FixFacet, value: string): void => {
    const before = chosen(facet)
    const after = before.includes(value) ? before.filter((one) => one !== value) : [...before, value]
    void setState({ [facet]: after.length === 0 ? null : after.join(',') })
  }
  const params = new URLSearchParams(
    Object.entries(state).filter((entry): entry is [string, string] => entry[1] !== null),
  )
  return {
    chosen,
    toggle,
    project: state.project,
    search: fixSearch(readFixQuestion(params), state.project),
    isNarrowed: FIX_FACETS.some((facet) => state[facet] !== null),
    clear: () => void setState({ state: null, origin: null, safety: null, evidence: null, signal: null }),
  }
}
export type FixListState = ReturnType<typeof useFixList>
