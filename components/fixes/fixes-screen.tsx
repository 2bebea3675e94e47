'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { FIX_FACETS } from '@/lib/model/fix-question'
import { links } from '@/lib/links'
import { useLiveRefetch } from '../live/use-live-refetch'
import { cn } from '../shared/ui/cn'
import { formatCount, plural } from '../shared/format'
import { asProblem } from '../shared/get-json'
import { useKeys } from '../shared/keys'
import { ProblemNotice } from '../shared/problem-notice'
import { Button } from '../shared/ui/button'
import { ProgramCommand } from '../shared/program'
import { FixRow } from './fix-row'
import { fixQueries } from './queries'
import { type FixListState, useFixList } from './use-fix-list'
import { FACET_NAMES, facetValueWord } from './words'
import type { FixItem } from '@/lib/model/fix'

/** The queue: what was proposed, the newest first, narrowed by what the address says. */
export function FixesScreen({
  unknownProject,
  proposeCommand,
}: {
  unknownProject: string | null
  proposeCommand: string
}) {
  const state = useFixList()
  const list = useInfiniteQuery({ ...fixQueries.list(state.search), placeholderData: (before) => before })
  useLiveRefetch(list.refetch, 2_000)
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const facets = useRef<HTMLDivElement>(null)
  useKeys({
    j: () => stepRow(1),
    k: () => stepRow(-1),
    ArrowDown: () => stepRow(1),
    ArrowUp: () => stepRow(-1),
    f: () => facets.current?.querySelector('button')?.focus(),
    Escape: state.clear,
  })
  const found = list.data?.pages[0]?.facets ?? {}
  return (
    <div className="min-w-0">
      <div className="border-b border-line px-3 pt-3 pb-2 md:px-4">
        <h1 className="text-md font-semibold">
          Fixes <span className="font-normal text-ink-2">Proposed patches and their reviews</span>
        </h1>
        <div ref={facets} className="mt-2 flex flex-wrap gap-x-5 gap-y-2">
          {FIX_FACETS.map((facet) => {
            const values = [
              ...new Set([...state.chosen(facet), ...(found[facet] ?? []).map(({ value }) => value)]),
            ]
            if (values.length === 0) return null
            return (
              <div
                key={facet}
                role="group"
                aria-label={FACET_NAMES[facet]}
                className="flex min-w-0 flex-wrap items-center gap-1"
              >
                <span className="mr-1 text-sm text-ink-2">{FACET_NAMES[facet]}</span>
                {values.map((value) => (
                  <button
                    key={value}
                    type="button"
                    aria-pressed={state.chosen(facet).includes(value)}
                    onClick={() => state.toggle(facet, value)}
                    className={cn(
                      'flex h-7 items-center gap-1.5 rounded border px-2 text-sm hover:bg-hover',
                      state.chosen(facet).includes(value)
                        ? 'border-accent bg-selected font-medium'
                        : 'border-line bg-surface text-ink-2',
                    )}
                  >
                    {facetValueWord(facet, value)}{' '}
                    <span>{formatCount(found[facet]?.find((one) => one.value === value)?.count ?? 0)}</span>
                  </button>
                ))}
              </div>
            )
          })}
        </div>
      </div>
      {unknownProject !== null && (
        <p role="status" className="border-b border-line bg-sunken px-4 py-1.5 text-sm text-ink-2">
          Project “{unknownProject}” not found or not accessible. Showing all projects.
        </p>
      )}
      {list.isError && (
        <ProblemNotice
          compact={items.length > 0}
          problem={asProblem(list.error)}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.data && items.length === 0 ? (
        <Empty state={state} proposeCommand={proposeCommand} />
      ) : (
        <Rows items={items} />
      )}
      {list.hasNextPage && <More busy={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />}
    </div>
  )
}

const Rows = ({ items }: { items: readonly FixItem[] }) => (
  <ul aria-label="Fixes">
    {items.map((fix) => (
      <FixRow key={fix.id} fix={fix} />
    ))}
  </ul>
)

/** Reads on when it comes into sight, and by itself when pressed. */
function More({ busy, onMore }: { busy: boolean; onMore: () => void }) {
  const foot = useRef<HTMLDivElement>(null)
  const read = useRef(onMore)
  useEffect(() => void (read.current = onMore))
  useEffect(() => {
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && read.current())
    if (foot.current) watch.observe(foot.current)
    return () => watch.disconnect()
  }, [])
  return (
    <div ref={foot} className="p-3">
      <Button onClick={onMore} why={busy ? 'Loading fixes' : null}>
        More
      </Button>
    </div>
  )
}

function Empty({ state, proposeCommand }: { state: FixListState; proposeCommand: string }) {
  const box = 'mx-auto max-w-xl space-y-3 px-4 py-10'
  if (!state.isNarrowed)
    return (
      <div className={box}>
        <h2 className="text-md font-semibold">No fixes yet</h2>
        <p className="text-ink-2">
          A fix is a patch that a person or an agent proposes for a failed execution. You review it here; it
          is never applied automatically:
        </p>
        <ProgramCommand text={proposeCommand} />
      </div>
    )
  const chosen = FIX_FACETS.flatMap((facet) => state.chosen(facet).map((value) => ({ facet, value })))
  return (
    <div className={box}>
      <h2 className="text-md font-semibold">No matching fixes</h2>
      <p className="text-ink-2">{plural(chosen.length, 'condition')} must match. Remove one:</p>
      <ul className="flex flex-wrap gap-2">
        {chosen.map(({ facet, value }) => (
          <li key={`${facet} ${value}`}>
            <Button onClick={() => state.toggle(facet, value)}>
              {FACET_NAMES[facet]}: {facetValueWord(facet, value)}
            </Button>
          </li>
        ))}
      </ul>
      <p>
        <a
          href={links.fixes()}
          onClick={(event) => {
            event.preventDefault()
            state.clear()
          }}
          className="link"
        >
          All fixes
        </a>
      </p>
    </div>
  )
}

/** Puts the focus on the next fix of the list. */
function stepRow(by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
  const at = rows.indexOf(document.activeElement as HTMLElement)
  rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + by))]?.focus()
}
