'use client'

import { type InfiniteData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { ExecutionItem } from '@/lib/api/schemas'
import { onLive } from '../live/live-store'
import { executionQueries } from '../execution-data/queries'
import type { Page } from '@/lib/model/page'

/**
 * What arrived since the list was read. Rows that are on screen are brought up to date in their place; rows that would stand
 * above them are only counted, until the reader asks for them. Nothing moves by itself.
 */
export function useNewRows(
  search: string,
  items: ExecutionItem[],
): { count: number; take: () => Promise<void> } {
  const client = useQueryClient()
  const head = useQuery({ ...executionQueries.head(search), enabled: false })
  const shown = useMemo(() => new Set(items.map((item) => item.id)), [items])
  const top = items[0]?.startedAt ?? null

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let last = 0
    const look = async (): Promise<void> => {
      timer = undefined
      last = Date.now()
      const page = await client
        .fetchQuery({ ...executionQueries.head(search), staleTime: 0 })
        .catch(() => null)
      if (page)
        client.setQueryData<InfiniteData<Page<ExecutionItem>>>(
          executionQueries.list(search).queryKey,
          (list) => updateInPlace(list, page.items),
        )
      void client.invalidateQueries({ queryKey: executionQueries.facets(search).queryKey })
    }
    const stop = onLive((events) => {
      if (timer === undefined && events.some((event) => event.type !== 'hello'))
        timer = setTimeout(look, Math.max(250, 1500 - (Date.now() - last)))
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [client, search])

  const unseen =
    head.data?.items.filter(
      (item) => !shown.has(item.id) && (top === null || (item.startedAt ?? '') >= top),
    ) ?? []
  const take = async (): Promise<void> => {
    const page = await client.fetchQuery({ ...executionQueries.head(search), staleTime: 0 })
    client.setQueryData<InfiniteData<Page<ExecutionItem>, string | null>>(
      executionQueries.list(search).queryKey,
      {
        pages: [page],
        pageParams: [null],
      },
    )
  }
  return { count: unseen.length, take }
}

function updateInPlace(
  list: InfiniteData<Page<ExecutionItem>> | undefined,
  news: ExecutionItem[],
): InfiniteData<Page<ExecutionItem>> | undefined {
  if (!list) return list
  const byId = new Map(news.map((item) => [item.id, item]))
  return {
    ...list,
    pages: list.pages.map((page) => ({
      ...page,
      items: page.items.map((item) => byId.get(item.id) ?? item),
    })),
  }
}
