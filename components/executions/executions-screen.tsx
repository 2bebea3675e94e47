'use client'

import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { ExecutionItem } from '@/lib/api/schemas'
import { isEmptyFilter } from '@/lib/views/executions/filter'
import { links } from '@/lib/links'
import { asProblem } from '../shared/get-json'
import { useKeys } from '../shared/keys'
import { ProblemNotice } from '../shared/problem-notice'
import { useOpenPage } from '../shared/use-written-address'
import { say } from '../shell/announcer'
import { ExecutionTable } from './execution-table'
import { FacetPanel } from './facet-panel'
import { FilterBar } from './filter-bar'
import { ListEmpty } from './list-empty'
import { rememberList } from './list-memory'
import { useListState } from './list-state'
import { PeekPanel } from './peek-panel'
import { executionQueries } from '../execution-data/queries'
import { focusQuery } from './query-box'
import { useNewRows } from './use-new-rows'

/** The flat list: facets at the left, rows in the middle, the peek at the right. */
export function ExecutionsScreen({
  receivedAny,
  importCommand,
  unknownProject,
}: {
  receivedAny: boolean
  importCommand: string
  unknownProject: string | null
}) {
  const state = useListState()
  const list = useInfiniteQuery(executionQueries.list(state.search))
  const facets = useQuery({ ...executionQueries.facets(state.search), placeholderData: keepPreviousData })
  const items = useMemo(() => unique(list.data?.pages.flatMap((page) => page.items) ?? []), [list.data])
  const fresh = useNewRows(state.search, items)
  const [active, setActive] = useState<string | null>(null)
  const [facetsOpen, setFacetsOpen] = useState(false)
  const searchBox = useRef<HTMLInputElement>(null)

  const at = items.findIndex((item) => item.id === (active ?? state.peek))
  const move = (by: number): void => {
    const next = items[at < 0 ? 0 : Math.min(items.length - 1, Math.max(0, at + by))]
    if (!next) return
    setActive(next.id)
    if (state.peek !== null) state.setPeek(next.id)
  }
  const openPage = useOpenPage()
  const open = (id: string): void => openPage(links.execution(id))
  const togglePeek = (): void => {
    const id = items[Math.max(at, 0)]?.id
    if (!id) return
    setActive(id)
    // Too narrow for a third column: the peek is the page.
    if (window.matchMedia('(max-width: 72rem)').matches) open(id)
    else state.setPeek(state.peek === id ? null : id)
  }
  useKeys({
    j: () => move(1),
    ArrowDown: () => move(1),
    k: () => move(-1),
    ArrowUp: () => move(-1),
    Enter: () => at >= 0 && open(items[at]!.id),
    Space: togglePeek,
    Escape: () => state.setPeek(null),
    '/': () => focusQuery(searchBox.current),
    f: () => {
      setFacetsOpen(true)
      requestAnimationFrame(() =>
        document.querySelector<HTMLElement>('#facets input, #facets button')?.focus(),
      )
    },
  })

  const nextCursor = list.data?.pages.at(-1)?.nextCursor ?? null
  useEffect(
    () => rememberList({ search: state.search, ids: items.map((item) => item.id), nextCursor }),
    [items, nextCursor, state.search],
  )

  const showNew = async (): Promise<void> => {
    await fresh.take()
    window.scrollTo({ top: 0 })
    say('The newest executions are at the top')
  }
  const peeked = state.peek === null ? undefined : items.find((item) => item.id === state.peek)

  return (
    <div className="flex items-start">
      <FacetPanel
        state={state}
        facets={facets.data}
        problem={facets.error ? asProblem(facets.error) : null}
        onRetry={() => void facets.refetch()}
        open={facetsOpen}
        onClose={() => setFacetsOpen(false)}
      />
      <section aria-label="Executions" className="min-w-0 flex-1">
        <FilterBar
          state={state}
          searchBox={searchBox}
          total={facets.data}
          fresh={fresh.count}
          onShowNew={showNew}
          onFacets={() => setFacetsOpen(true)}
        />
        {unknownProject !== null && (
          <p role="status" className="border-b border-line bg-sunken px-4 py-1.5 text-sm text-ink-2">
            Project “{unknownProject}” not found or not accessible. Showing all projects.
          </p>
        )}
        {list.isError && items.length === 0 ? (
          <ProblemNotice problem={asProblem(list.error)} onRetry={() => void list.refetch()} />
        ) : list.isPending ? (
          <TableSkeleton />
        ) : items.length === 0 ? (
          <ListEmpty
            state={state}
            receivedAny={receivedAny || !isEmptyFilter(state.filter)}
            importCommand={importCommand}
          />
        ) : (
          <ExecutionTable
            items={items}
            active={active ?? state.peek}
            density={state.density}
            onActive={setActive}
            more={list.hasNextPage}
            loading={list.isFetchingNextPage}
            onMore={() => void list.fetchNextPage()}
            problem={list.isFetchNextPageError ? asProblem(list.error) : null}
          />
        )}
      </section>
      {state.peek !== null && <PeekPanel id={state.peek} item={peeked} onClose={() => state.setPeek(null)} />}
    </div>
  )
}

// A row that moved up while pages were being read would otherwise are there twice.
function unique(items: ExecutionItem[]): ExecutionItem[] {
  const seen = new Set<string>()
  return items.filter((item) => !seen.has(item.id) && seen.add(item.id))
}

function TableSkeleton() {
  return (
    <div role="group" aria-busy="true" aria-label="Loading executions" className="space-y-px px-4 pt-9">
      {Array.from({ length: 18 }, (_, index) => (
        <div key={index} className="flex h-9 items-center gap-4">
          <div className="skeleton h-4 w-24" />
          <div className="skeleton h-4 flex-1" />
          <div className="skeleton h-4 w-32" />
        </div>
      ))}
    </div>
  )
}
