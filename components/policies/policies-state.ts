'use client'

import { parseAsString, useQueryStates } from 'nuqs'
import { useMemo } from 'react'
import { formatCell, type Cell } from '@/lib/judge/decisions/replay-cell'
import { CURRENT_POLICY, FORMER_POLICY } from '@/lib/judge/decisions/policies'
import { filterState } from '../executions/filter-state'
import { readQuestion } from './read-question'
import { replayAddress } from './replay-address'

/** The state of the page is its address: the query, the project, both policies and the open cell. */
export function usePoliciesState() {
  const [state, setState] = useQueryStates(
    { q: parseAsString, project: parseAsString, from: parseAsString, to: parseAsString, cell: parseAsString },
    { history: 'push' },
  )
  const { question, problems } = useMemo(() => readQuestion(state), [state])
  const asked = useMemo(
    () =>
      filterState(
        state.q ?? '',
        state.project,
        (text) => void setState({ q: text.trim() || null, cell: null }),
      ),
    [state.q, state.project, setState],
  )
  const setPolicies = (from: string, to: string): void =>
    void setState({
      from: from === FORMER_POLICY.name ? null : from,
      to: to === CURRENT_POLICY.name ? null : to,
      cell: null,
    })
  return {
    ...asked,
    problems: [...asked.problems, ...problems],
    question,
    address: replayAddress(question),
    setPolicies,
    swap: () => setPolicies(question.to.name, question.from.name),
    setCell: (cell: Cell | null) => void setState({ cell: cell && formatCell(cell) }, { history: 'replace' }),
  }
}
export type PoliciesState = ReturnType<typeof usePoliciesState>
