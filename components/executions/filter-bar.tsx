'use client'

import { ArrowUp, ListFilter, Rows2, Rows3, Rows4 } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Facets } from '@/lib/api/schemas'
import { looksForNothing } from '@/lib/views/executions/filter'
import { cn } from '../shared/ui/cn'
import { formatCount, plural } from '../shared/format'
import { Button } from '../shared/ui/button'
import { FilterHelp } from './filter-help'
import { DENSITIES, type useListState } from './list-state'
import { QueryBox, QueryTerms } from './query-box'

const DENSITY_LOOKS = {
  '28': [Rows4, 'Compact rows'],
  '36': [Rows3, 'Default rows'],
  '44': [Rows2, 'Tall rows'],
} as const

/** The readable query, its conditions as chips that can be taken off one by one, and what is new. Stays at the top. */
export function FilterBar({
  state,
  searchBox,
  total,
  fresh,
  onShowNew,
  onFacets,
}: {
  state: ReturnType<typeof useListState>
  searchBox: RefObject<HTMLInputElement | null>
  total: Facets | undefined
  fresh: number
  onShowNew: () => void
  onFacets: () => void
}) {
  const bar = useRef<HTMLDivElement>(null)
  // The head of the table sticks right below, however many chips there are.
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) =>
      document.documentElement.style.setProperty('--filter-bar', `${entry!.borderBoxSize[0]!.blockSize}px`),
    )
    watch.observe(bar.current!)
    return () => watch.disconnect()
  }, [])
  return (
    <div ref={bar} className="sticky top-11 z-20 border-b border-line bg-bg px-3 pt-3 pb-2 md:px-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="text-md font-semibold">Executions</h1>
        <span className="text-ink-2" aria-live="off">
          {total === undefined
            ? ''
            : `${formatCount(total.total)}${total.totalCapped ? '+' : ''}${looksForNothing(state.filter) ? '' : ' match'}`}
        </span>
        <QueryBox state={state} searchBox={searchBox} />
        <FilterHelp />
        <Button kind="plain" className="lg:hidden" onClick={onFacets}>
          <ListFilter size={14} aria-hidden /> Facets
        </Button>
        <fieldset className="hidden rounded border border-line p-0.5 md:flex">
          <legend className="sr-only">Row height</legend>
          {DENSITIES.map((density) => {
            const [Icon, word] = DENSITY_LOOKS[density]
            return (
              <button
                key={density}
                type="button"
                title={`${word}: ${density} px`}
                aria-pressed={state.density === density}
                onClick={() => state.setDensity(density)}
                className={cn(
                  'grid size-6 place-items-center rounded-sm text-ink-2 hover:text-ink',
                  state.density === density && 'bg-hover text-ink',
                )}
              >
                <Icon size={14} aria-hidden />
                <span className="sr-only">{word}</span>
              </button>
            )
          })}
        </fieldset>
      </div>
      <QueryTerms state={state} />
      {fresh > 0 && (
        <div className="absolute inset-x-0 top-full flex justify-center">
          <button
            type="button"
            onClick={onShowNew}
            className={cn(
              'fade-in mt-2 inline-flex h-7 items-center gap-1.5 rounded-full bg-accent px-3 font-medium',
              'text-on-accent shadow-float hover:bg-accent-strong',
            )}
          >
            <ArrowUp size={14} aria-hidden /> {formatCount(fresh)} new
          </button>
        </div>
      )}
      <Announce fresh={fresh} />
    </div>
  )
}

/** Live counts are announced to screen readers at most every ten seconds. */
function Announce({ fresh }: { fresh: number }) {
  const [announced, setAnnounced] = useState({ fresh: 0, at: 0 })
  useEffect(() => {
    if (fresh === announced.fresh) return
    const timer = setTimeout(
      () => setAnnounced({ fresh, at: Date.now() }),
      Math.max(0, announced.at + 10_000 - Date.now()),
    )
    return () => clearTimeout(timer)
  }, [fresh, announced])
  return (
    <span role="status" className="sr-only">
      {announced.fresh > 0 ? `${plural(announced.fresh, 'new execution')} above the list` : ''}
    </span>
  )
}
