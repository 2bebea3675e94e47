'use client'

import { X } from 'lucide-react'
import { useState } from 'react'
import type { Facets } from '@/lib/api/schemas'
import { FACETS, MARKED_FACETS, type Facet } from '@/lib/model/filter-types'
import type { Problem } from '@/lib/problem'
import { cn } from '../shared/ui/cn'
import { formatCount } from '../shared/format'
import { StateGlyph, OutcomeGlyph, outcomeWord } from '../shared/glyphs'
import { ProblemNotice } from '../shared/problem-notice'
import { VisibleText } from '../shared/visible-text'
import type { useListState } from './list-state'
import { FACET_WORDS, valueWords } from '../execution-data/words'

const SHOWN = 7

// Those of the decision have a heading of their own, after what is asked for most; whether receipts tell all is none of it.
const OTHERS: ReadonlySet<Facet> = new Set(['attention', 'class', 'silence'])
const DECISION: readonly Facet[] = MARKED_FACETS.filter((facet) => !OTHERS.has(facet))
const FIRST = FACETS.slice(0, FACETS.indexOf(DECISION[0]!))
const LAST = FACETS.slice(FIRST.length + DECISION.length)

/** Counts by facet. Ticking one is the same as writing it into the query. On narrow screens it lies over the list. */
export function FacetPanel({
  state,
  facets,
  problem,
  onRetry,
  open,
  onClose,
}: {
  state: ReturnType<typeof useListState>
  facets: Facets | undefined
  problem: Problem | null
  onRetry: () => void
  open: boolean
  onClose: () => void
}) {
  const group = (facet: Facet) => (
    <FacetGroup
      key={facet}
      facet={facet}
      values={facets?.facets[facet] ?? null}
      chosen={state.filter.facets[facet]}
      onToggle={(value) => state.toggle({ facet, value })}
    />
  )
  return (
    <aside
      id="facets"
      aria-label="Facets"
      className={cn(
        'w-52 shrink-0 overflow-y-auto border-r border-line px-3 py-3',
        'lg:sticky lg:top-11 lg:block lg:max-h-[calc(100dvh-2.75rem)] lg:min-h-[calc(100dvh-2.75rem)]',
        open
          ? 'max-lg:fixed max-lg:inset-y-0 max-lg:left-0 max-lg:z-40 max-lg:w-72 max-lg:bg-raised max-lg:shadow-float'
          : 'max-lg:hidden',
      )}
    >
      <div className="mb-2 flex items-center justify-between lg:hidden">
        <h2 className="font-semibold">Facets</h2>
        <button type="button" onClick={onClose} className="rounded p-1.5 text-ink-2 hover:bg-hover">
          <X size={16} aria-hidden />
          <span className="sr-only">Close facets</span>
        </button>
      </div>
      {problem && !facets && <ProblemNotice compact problem={problem} onRetry={onRetry} />}
      {FIRST.map(group)}
      {/* Of many executions nothing but their outcome was decided: what is not there takes no room while it is looked for. */}
      {DECISION.some(
        (facet) => state.filter.facets[facet].length > 0 || (facets?.facets[facet].length ?? 0) > 0,
      ) && (
        <section aria-labelledby="facets-decision" className="mb-3 border-y border-line pt-2">
          <h3 id="facets-decision" className="mb-2 font-medium">
            Decision
          </h3>
          {DECISION.map(group)}
        </section>
      )}
      {LAST.map(group)}
    </aside>
  )
}

function FacetGroup({
  facet,
  values,
  chosen,
  onToggle,
}: {
  facet: Facet
  values: { value: string; count: number }[] | null
  chosen: string[]
  onToggle: (value: string) => void
}) {
  const [all, setAll] = useState(false)
  // A chosen value stays in sight, also when nothing matches it any more.
  const missing = chosen
    .filter((value) => !values?.some((v) => v.value === value))
    .map((value) => ({ value, count: 0 }))
  const rows = [...missing, ...(values ?? [])]
  const shown = all ? rows : rows.filter((row, index) => index < SHOWN || chosen.includes(row.value))
  if (values !== null && rows.length === 0) return null
  return (
    <fieldset className="mb-4 min-w-0">
      <legend className="mb-1 text-sm font-medium text-ink-2">{FACET_WORDS[facet]}</legend>
      {values === null && (
        <div className="space-y-1.5 py-1">
          {[70, 50, 60].map((w) => (
            <div key={w} className="skeleton h-4" style={{ width: `${w}%` }} />
          ))}
        </div>
      )}
      <ul>
        {shown.map(({ value, count }) => (
          <li key={value}>
            <label className="flex h-7 cursor-pointer items-center gap-2 rounded px-1 hover:bg-hover">
              <input
                type="checkbox"
                checked={chosen.includes(value)}
                onChange={() => onToggle(value)}
                className="size-3.5 shrink-0 accent-accent"
              />
              {facet === 'outcome' && <OutcomeGlyph outcome={value} size={14} />}
              {facet === 'state' && <StateGlyph state={value} size={14} />}
              <span className="min-w-0 flex-1 truncate" title={value}>
                {facet === 'outcome' ? outcomeWord(value) : <VisibleText text={valueWords(facet, value)} />}
              </span>
              <span className="text-sm text-ink-3">{formatCount(count)}</span>
            </label>
          </li>
        ))}
      </ul>
      {rows.length > SHOWN && (
        <button type="button" onClick={() => setAll(!all)} className="link px-1 text-sm">
          {all ? 'Fewer' : `${formatCount(rows.length - shown.length)} more`}
        </button>
      )}
    </fieldset>
  )
}
