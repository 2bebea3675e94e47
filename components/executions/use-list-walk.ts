'use client'

import { useEffect, useState } from 'react'
import type { ExecutionItem } from '@/lib/api/schemas'
import { links } from '@/lib/links'
import { getJson } from '../shared/get-json'
import { type ListMemory, neighbours, recallList, rememberList } from './list-memory'
import type { Page } from '@/lib/model/page'

export interface ListWalk {
  previous: string | null
  next: string | null
  place: number | null
  back: string
}

/** The neighbours of this execution in the list one came from; the list is read on when its end comes near. */
export function useListWalk(id: string): ListWalk {
  const [memory, setMemory] = useState<ListMemory | null>(null)
  useEffect(() => {
    const before = recallList()
    setMemory(before)
    if (
      !before ||
      before.nextCursor === null ||
      before.ids.indexOf(id) < before.ids.length - 2 ||
      !before.ids.includes(id)
    )
      return
    const stop = new AbortController()
    const params = new URLSearchParams(before.search)
    params.set('cursor', before.nextCursor)
    getJson<Page<ExecutionItem>>(links.api.executions(params.toString()), stop.signal).then(
      (page) => {
        const longer = {
          search: before.search,
          ids: [...new Set([...before.ids, ...page.items.map((item) => item.id)])],
          nextCursor: page.nextCursor,
        }
        rememberList(longer)
        setMemory(longer)
      },
      // Without more of the list the walk simply ends where it is known to end.
      () => undefined,
    )
    return () => stop.abort()
  }, [id])
  return { ...neighbours(memory?.ids ?? [], id), back: links.executions(memory?.search ?? '') }
}
