'use client'

import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { useMemo } from 'react'
import { filterState } from './filter-state'
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
  const asked = useMemo(
    () =>
      filterState(
        state.q,
        state.project,
        (text) => void setState({ q: text.trim() || null, peek: null }, { history: 'push' }),
      ),
    [state.q, state.project, setState],
  )
  return {
    ...asked,
    search: listSearch(asked.filter, state.project),
    peek: state.peek,
    density: state.rows,
    setPeek: (peek: string | null) => void setState({ peek }),
    setDensity: (rows: Density) => void setState({ rows }),
  }
}
