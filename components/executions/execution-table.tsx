'use client'

import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import type { ExecutionItem } from '@/lib/api/schemas'
import type { Problem } from '@/lib/problem'
import { ProblemNotice } from '../shared/problem-notice'
import { Button } from '../shared/ui/button'
import { useNarrow } from '../shared/use-narrow'
import { ExecutionRow, ROW_GRID } from './execution-row'
import type { Density } from './list-state'

const CARD_PX = 116

/** Virtual rows in the page's own scroll. Below 56rem the same facts, in the same order, appear as cards. */
export function ExecutionTable({
  items,
  active,
  density,
  onActive,
  more,
  loading,
  onMore,
  problem,
}: {
  items: ExecutionItem[]
  active: string | null
  density: Density
  onActive: (id: string) => void
  more: boolean
  loading: boolean
  onMore: () => void
  problem: Problem | null
}) {
  const body = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const cards = useNarrow()
  const rowPx = cards ? CARD_PX : Number(density)
  const rows = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowPx,
    overscan: 12,
    scrollMargin: top,
    // Lets the server draw the first screen too.
    initialRect: { width: 1200, height: 900 },
    getItemKey: (index) => items[index]!.id,
    scrollPaddingStart: 180,
    scrollPaddingEnd: 80,
  })
  useEffect(() => setTop(body.current?.offsetTop ?? 0), [])
  useEffect(() => rows.measure(), [rowPx, rows])

  const drawn = rows.getVirtualItems()
  const lastDrawn = drawn.at(-1)?.index ?? 0
  useEffect(() => {
    if (more && !loading && problem === null && lastDrawn >= items.length - 8) onMore()
  }, [lastDrawn, items.length, more, loading, problem, onMore])

  const activeAt = items.findIndex((item) => item.id === active)
  useEffect(() => {
    if (activeAt >= 0) rows.scrollToIndex(activeAt, { align: 'auto' })
  }, [activeAt, rows])

  return (
    <>
      <div
        role="table"
        aria-label="Executions"
        aria-rowcount={more ? -1 : items.length + 1}
        className="@container text-base"
      >
        <div
          role="rowgroup"
          className="sticky top-[calc(2.75rem+var(--filter-bar,3.3rem))] z-10 hidden border-b border-line bg-bg md:block"
        >
          <div
            role="row"
            aria-rowindex={1}
            className={`${ROW_GRID} h-8 items-center px-4 text-sm text-ink-3`}
          >
            <span role="columnheader">Outcome</span>
            <span role="columnheader">Cause</span>
            <span role="columnheader" className="hidden @3xl:block">
              Run
            </span>
            <span role="columnheader" className="text-right">
              Failed calls
            </span>
            <span role="columnheader" className="hidden text-right @3xl:block">
              Took
            </span>
            <span role="columnheader" className="text-right">
              Started
            </span>
          </div>
        </div>
        <div role="rowgroup" ref={body} className="relative" style={{ height: rows.getTotalSize() }}>
          {drawn.map((row) => (
            <ExecutionRow
              key={row.key}
              item={items[row.index]!}
              index={row.index}
              active={row.index === activeAt}
              density={density}
              height={rowPx}
              top={row.start - top}
              onActive={onActive}
            />
          ))}
        </div>
      </div>
      <div className="flex min-h-16 items-center justify-center py-3 text-ink-3">
        {problem ? (
          <ProblemNotice compact problem={problem} onRetry={onMore} />
        ) : loading ? (
          'Loading more…'
        ) : more ? (
          <Button onClick={onMore}>Load more</Button>
        ) : (
          'End of list'
        )}
      </div>
    </>
  )
}
