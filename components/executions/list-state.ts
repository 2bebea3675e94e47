'use client'

import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { useMemo } from 'react'
import { formatFilter, parseFilter, unknownValues } from '@/lib/executions/filter'
import type { ExecutionFilter } from '@/lib/executions/filter-types'
import { toggleTerm, type Term } from './filter-edit'
import { listSearch } from './list-search'

export const DENSITIES = ['28', '36', '44'] as const
export type Density = (typeof DENSITIES)[number]

/** The list's state is its address: the query, the project, the open peek and the height of the rows. */
export function useListState() {
  const [state, setState] = useQueryStates(
    {
      q: parseAsString.withDefault(''),
      project: parseAsString,
      peek: parseAsString,
      rows: parseAsStringLiteral(DENSITIES).withDefault('36'),
    },
    { history: 'replace' },
  )
  const { filter, problems } = useMemo(() => parseFilter(state.q), [state.q])
  const setText = (text: string): void => void setState({ q: text.trim() || null, peek: null }, { history: 'push' })
  const setFilter = (next: ExecutionFilter): void => setText(formatFilter(next))
  return {
    filter,
    /** What of the query could not be read as it was written, or can match nothing. */
    problems: [...problems, ...unknownValues(filter)],
    /** The query as it was written: in its normal form what could not be read would no longer be told. */
    text: state.q,
    search: listSearch(filter, state.project),
    project: state.project,
    peek: state.peek,
    density: state.rows,
    setFilter,
    setText,
    toggle: (term: Term) => setFilter(toggleTerm(filter, term)),
    setPeek: (peek: string | null) => void setState({ peek }),
    setDensity: (rows: Density) => void setState({ rows }),
  }
}
