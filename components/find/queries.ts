import { queryOptions } from '@tanstack/react-query'
import { links } from '@/lib/links'
import { getJson } from '../shared/get-json'
import type { FoundItem } from './found-address'
import type { Page } from '@/lib/model/page'

export const findQueries = {
  find: (id: string) =>
    queryOptions({
      queryKey: ['find', id] as const,
      queryFn: ({ signal }) => getJson<Page<FoundItem>>(links.api.find(id), signal),
      staleTime: 0,
      gcTime: 0,
    }),
}
