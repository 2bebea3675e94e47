'use client'

import { Search, X } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { isLookedFor } from '@/lib/views/executions/filter'
import { cn } from '../shared/ui/cn'
import { termsOf } from './filter-edit'
import type { FilterState } from './filter-state'
import { IdOffer } from './id-offer'
import { FACET_WORDS, valueWords } from '../execution-data/words'

/** The readable query in its box. */
export function QueryBox({
  state,
  searchBox,
}: {
  state: FilterState
  searchBox: RefObject<HTMLInputElement | null>
}) {
  const [draft, setDraft] = useState(state.text)
  // The address may change under the box: a chip taken off, the back button.
  useEffect(() => setDraft(state.text), [state.text])
  return (
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
  )
}

/** What of the query was not understood, what it names by its id, and its conditions as chips that can be taken off one by one. */
export function QueryTerms({ state }: { state: FilterState }) {
  const terms = termsOf(state.filter)
  return (
    <>
      {state.problems.length > 0 && (
        <p role="status" className="mt-1.5 text-sm text-warn">
          {state.problems.join(' ')}
        </p>
      )}
      <IdOffer words={state.filter.words} />
      {terms.length > 0 && (
        <ul aria-label="Active filters" className="mt-2 flex flex-wrap items-center gap-1.5">
          {terms.map((term) => {
            const words =
              term.facet === null
                ? `${isLookedFor(term.value) ? 'contains' : 'not searched'}: ${term.value}`
                : `${FACET_WORDS[term.facet]}: ${valueWords(term.facet, term.value)}`
            return (
              <li key={`${term.facet} ${term.value}`}>
                <button
                  type="button"
                  onClick={() => state.toggle(term)}
                  aria-label={`Remove ${words}`}
                  className={cn(
                    'inline-flex h-6 max-w-72 items-center gap-1 rounded-full border border-line-strong bg-surface pr-1.5',
                    'pl-2.5 text-sm hover:bg-hover',
                    term.facet === null && !isLookedFor(term.value) && 'border-dashed text-ink-2',
                  )}
                >
                  <span className="truncate">{words}</span>{' '}
                  <X size={12} aria-hidden className="shrink-0 text-ink-3" />
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
    </>
  )
}

/** Puts the cursor behind what is asked for already: the next word adds to it. */
export function focusQuery(box: HTMLInputElement | null): void {
  box?.focus()
  box?.setSelectionRange(box.value.length, box.value.length)
}
