import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { AttemptItem, EventItem, ExecutionDetail, ExecutionItem, Facets, Page, ReceivedPart } from '@/lib/api/schemas'
import { limits } from '@/lib/limits'
import { links } from '@/lib/links'
import { getJson } from '../shared/get-json'

const root = ['executions'] as const

const withCursor = (search: string, cursor: string | null): string => {
  const params = new URLSearchParams(search)
  if (cursor !== null) params.set('cursor', cursor)
  return params.toString()
}

/** Every key and every read of this domain. `search` is the query string of the list, in its normal form. */
export const executionQueries = {
  root: () => root,
  lists: () => [...root, 'list'] as const,
  list: (search: string) =>
    infiniteQueryOptions({
      queryKey: [...root, 'list', search] as const,
      queryFn: ({ pageParam, signal }) => getJson<Page<ExecutionItem>>(links.api.executions(withCursor(search, pageParam)), signal),
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.nextCursor,
      // Rows never move by themselves: live changes are counted apart (`head`) and taken in when the reader asks.
      staleTime: Infinity,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    }),
  /** The newest rows under the same filter: what would stand at the top if the list were read again now. */
  head: (search: string) =>
    queryOptions({
      queryKey: [...root, 'head', search] as const,
      queryFn: ({ signal }) => getJson<Page<ExecutionItem>>(links.api.executions(search), signal),
      staleTime: 5_000,
    }),
  facets: (search: string) =>
    queryOptions({
      queryKey: [...root, 'facets', search] as const,
      queryFn: ({ signal }) => getJson<Facets>(links.api.facets(search), signal),
      staleTime: 15_000,
      placeholderData: (before: Facets | undefined) => before,
    }),
  detail: (id: string) =>
    queryOptions({
      queryKey: [...root, 'detail', id] as const,
      queryFn: ({ signal }) => getJson<ExecutionDetail>(links.api.execution(id), signal),
    }),
  attempts: (id: string) =>
    queryOptions({
      queryKey: [...root, 'attempts', id] as const,
      queryFn: ({ signal }) => readAll<AttemptItem>((cursor) => links.api.attempts(id, { cursor, limit: PAGE }), signal),
    }),
  events: (id: string) =>
    queryOptions({
      queryKey: [...root, 'events', id] as const,
      queryFn: ({ signal }) => readAll<EventItem>((cursor) => links.api.events(id, { cursor, limit: PAGE }), signal),
    }),
  parts: (id: string) =>
    queryOptions({
      queryKey: [...root, 'parts', id] as const,
      queryFn: ({ signal }) => getJson<Page<ReceivedPart>>(links.api.raw(id), signal),
    }),
}

const PAGE = String(limits.pageRowsMax)

/** Follows the cursors to the end. Rows are short (no payload); the answer is the whole structure. */
async function readAll<T>(address: (cursor: string | null) => string, signal: AbortSignal): Promise<T[]> {
  const items: T[] = []
  let cursor: string | null = null
  do {
    const page: Page<T> = await getJson<Page<T>>(address(cursor), signal)
    for (const item of page.items) items.push(item)
    cursor = page.nextCursor
  } while (cursor !== null)
  return items
}
