import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { ChangeDetail, ChangeItem } from '@/lib/api/change-schemas'
import { links } from '@/lib/links'
import { getJson } from '../shared/get-json'
import type { Page } from '@/lib/model/page'

const root = ['changes'] as const

/** Every key and every read of this domain. */
export const changeQueries = {
  list: (executionId: string) =>
    infiniteQueryOptions({
      queryKey: [...root, 'list', executionId] as const,
      initialPageParam: null as string | null,
      queryFn: ({ signal, pageParam }) =>
        getJson<Page<ChangeItem>>(links.api.changes(executionId, { cursor: pageParam }), signal),
      getNextPageParam: (page: Page<ChangeItem>) => page.nextCursor,
    }),
  one: (executionId: string, ordinal: number) =>
    queryOptions({
      queryKey: [...root, 'one', executionId, ordinal] as const,
      queryFn: ({ signal }) => getJson<ChangeDetail>(links.api.change(executionId, ordinal), signal),
      staleTime: 60_000,
    }),
}
