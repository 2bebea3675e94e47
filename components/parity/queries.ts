import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { ParityExecution, ParityOverview } from '@/lib/api/parity-schemas'
import { links } from '@/lib/links'
import { parityWords, type ParityQuestion } from '@/lib/judge/parity/parity-question'
import { getJson } from '../shared/get-json'
import type { Page } from '@/lib/model/page'

const root = ['parity'] as const

/** Every key and every read of the page of all checks. Nothing moves by itself: checks are made all the time, and the reader asks for the newest. */
const STILL = { staleTime: Infinity, refetchOnWindowFocus: false, refetchOnReconnect: false } as const

const overviewAddress = (question: ParityQuestion, project: string | null): string =>
  links.api.parityOverview({ ...parityWords({ ...question, cell: null, show: 'different' }), project })

export const parityQueries = {
  root: () => root,
  overview: (question: ParityQuestion, project: string | null) => {
    const address = overviewAddress(question, project)
    return queryOptions({
      queryKey: [...root, 'overview', address] as const,
      queryFn: ({ signal }) => getJson<ParityOverview>(address, signal),
      ...STILL,
    })
  },
  executions: (question: ParityQuestion, project: string | null) => {
    const address = (cursor: string | null) =>
      links.api.parityExecutions({ ...parityWords(question), project, cursor })
    return infiniteQueryOptions({
      queryKey: [...root, 'executions', address(null)] as const,
      queryFn: ({ pageParam, signal }) => getJson<Page<ParityExecution>>(address(pageParam), signal),
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.nextCursor,
      ...STILL,
    })
  },
}
