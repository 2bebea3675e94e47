'use client'

import { ArrowUp, ListFilter, Rows2, Rows3, Rows4, Search, X } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Facets } from '@/lib/api/schemas'
import { classWords } from '@/lib/attempts/failure-words'
import { isEmptyFilter } from '@/lib/executions/filter'
import { cn } from '../shared/cn'
import { formatCount, plural } from '../shared/format'
import { Button } from '../shared/ui/button'
import { termsOf } from './filter-edit'
import { FilterHelp } from './filter-help'
import { IdOffer } from './id-offer'
import { DENSITIES, type useListState } from './list-state'
import { FACET_WORDS } from './words'

const DENSITY_LOOKS = { '28': [Rows4, 'Low rows'], '36': [Rows3, 'Middle rows'], '44': [Rows2, 'High rows'] } as const

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
  const [draft, setDraft] = useState(state.text)
  // The address may change under the box: a chip taken off, the back button.
  useEffect(() => setDraft(state.text), [state.text])
  const terms = termsOf(state.filter)
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
            : `${formatCount(total.total)}${total.totalCapped ? '+' : ''}${isEmptyFilter(state.filter) ? '' : ' match'}`}
        </span>
        <form
          role="search"
          className="relative order-last min-w-0 basis-full md:order-none md:ml-2 md:flex-1 md:basis-0"
          onSubmit={(event) => {
            event.preventDefault()
            state.setText(draft)
          }}
        >
          <Search size={14} aria-hidden className="pointer-events-none absolute top-2.5 left-2.5 text-ink-3" />
          <input
            ref={searchBox}
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
            type="search"
            enterKeyHint="search"
            spellCheck={false}
            autoComplete="off"
            aria-label="Filter executions"
            placeholder='outcome:failed class:exit_code "read first"'
            onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
            className="h-8 w-full rounded border border-control bg-surface pr-2 pl-8 font-mono text-sm placeholder:text-ink-3"
          />
        </form>
        <FilterHelp />
        <Button kind="plain" className="lg:hidden" onClick={onFacets}>
          <ListFilter size={14} aria-hidden /> Facets
        </Button>
        <fieldset className="hidden rounded border border-line p-0.5 md:flex">
          <legend className="sr-only">Height of the rows</legend>
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
      {state.problems.length > 0 && (
        <p role="status" className="mt-1.5 text-sm text-warn">
          {state.problems.join(' ')}
        </p>
      )}
      <IdOffer words={state.filter.words} />
      {terms.length > 0 && (
        <ul aria-label="Active filters" className="mt-2 flex flex-wrap items-center gap-1.5">
          {terms.map((term) => {
            const field = term.facet === null ? 'contains' : FACET_WORDS[term.facet]
            const words = `${field}: ${term.facet === 'class' ? classWords(term.value) : term.value}`
            return (
              <li key={`${term.facet} ${term.value}`}>
                <button
                  type="button"
                  onClick={() => state.toggle(term)}
                  aria-label={`Take off ${words}`}
                  className={cn(
                    'inline-flex h-6 max-w-72 items-center gap-1 rounded-full border border-line-strong bg-surface pr-1.5',
                    'pl-2.5 text-sm hover:bg-hover',
                  )}
                >
                  <span className="truncate">{words}</span> <X size={12} aria-hidden className="shrink-0 text-ink-3" />
                </button>
              </li>
            )
          })}
          {terms.length > 1 && (
            <li>
              <button type="button" onClick={() => state.setText('')} className="link px-1 text-sm">
                Clear all
              </button>
            </li>
          )}
        </ul>
      )}
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

/** Live counts are told to screen readers at most every ten seconds. */
function Announce({ fresh }: { fresh: number }) {
  const [told, setTold] = useState({ fresh: 0, at: 0 })
  useEffect(() => {
    if (fresh === told.fresh) return
    const timer = setTimeout(() => setTold({ fresh, at: Date.now() }), Math.max(0, told.at + 10_000 - Date.now()))
    return () => clearTimeout(timer)
  }, [fresh, told])
  return (
    <span role="status" className="sr-only">
      {told.fresh > 0 ? `${plural(told.fresh, 'new execution')} above the list` : ''}
    </span>
  )
}
