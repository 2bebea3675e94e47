'use client'

import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { PolicyReplay } from '@/lib/api/replay-schemas'
import type { Cell } from '@/lib/judge/decisions/replay-cell'
import { isEmptyFilter, looksForNothing } from '@/lib/views/executions/filter'
import { links } from '@/lib/links'
import { FilterHelp } from '../executions/filter-help'
import { ListEmpty } from '../executions/list-empty'
import { listSearch } from '../executions/list-search'
import { focusQuery, QueryBox, QueryTerms } from '../executions/query-box'
import { asProblem } from '../shared/get-json'
import { useKeys } from '../shared/keys'
import { ProblemNotice } from '../shared/problem-notice'
import { NothingRecorded } from './nothing-recorded'
import { PolicyPicker } from './policy-picker'
import { usePoliciesState } from './policies-state'
import { policyQueries } from './queries'
import { ReplayResult } from './replay-result'
import { ReplayedAt } from './replayed-at'
import { totalWords } from './words'

/** Decisions replayed: the filter, the two policies, what changes between them and what the attempts nobody asked for took. */
export function PoliciesScreen({
  first,
  importCommand,
  recordCommand,
  unknownProject,
}: {
  /** The newest executions replayed with the page, where all of them take longer; the rest is read by the browser. */
  first: { address: string; replay: PolicyReplay } | null
  importCommand: string
  recordCommand: string
  unknownProject: string | null
}) {
  const state = usePoliciesState()
  const searchBox = useRef<HTMLInputElement>(null)
  const isFirst = first?.address === state.address
  const read = useQuery({
    ...policyQueries.replay(state.address),
    placeholderData: (before: PolicyReplay | undefined) => (isFirst ? first.replay : before),
  })
  const replay = read.data
  const soFar = read.isPlaceholderData && isFirst
  const stale = read.isPlaceholderData && !isFirst
  const setCell = (cell: Cell | null): void => {
    state.setCell(cell)
    if (cell !== null)
      requestAnimationFrame(() => document.getElementById('listed')?.scrollIntoView({ block: 'nearest' }))
  }
  useKeys({
    j: () => stepRow(1),
    k: () => stepRow(-1),
    w: state.swap,
    '/': () => focusQuery(searchBox.current),
    Escape: () => state.setCell(null),
  })
  return (
    <div className="min-w-0">
      <div className="sticky top-11 z-20 border-b border-line bg-bg px-3 pt-3 pb-2 md:px-4">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <h1 className="text-md font-semibold">Policies</h1>
          <span className="text-ink-2">
            {replay && !soFar ? `${totalWords(replay)}${looksForNothing(state.filter) ? '' : ' match'}` : ''}
          </span>
          <QueryBox state={state} searchBox={searchBox} />
          <FilterHelp />
        </div>
        <QueryTerms state={state} />
      </div>
      {unknownProject !== null && (
        <p role="status" className="border-b border-line bg-sunken px-4 py-1.5 text-sm text-ink-2">
          No project “{unknownProject}” that you can read. Replaying all projects.
        </p>
      )}
      <div className="mx-auto max-w-[88rem] space-y-4 p-3 md:px-4 md:py-4">
        <PolicyPicker state={state} />
        {read.isError && (
          <ProblemNotice
            compact={replay !== undefined}
            problem={asProblem(read.error)}
            onRetry={() => void read.refetch()}
          />
        )}
        {!replay ? (
          !read.isError && <Skeleton />
        ) : replay.total === 0 ? (
          isEmptyFilter(state.filter) ? (
            <NothingRecorded total={0} recordCommand={recordCommand} />
          ) : (
            <ListEmpty state={state} receivedAny importCommand={importCommand} />
          )
        ) : (
          <>
            {replay.replayable === 0 && !soFar ? (
              <NothingRecorded
                total={replay.total}
                unsearchable={replay.unsearchable}
                recordCommand={recordCommand}
              />
            ) : (
              <ReplayResult
                replay={replay}
                soFar={soFar}
                stale={stale}
                chosen={state.question.cell}
                onChoose={setCell}
              />
            )}
            <ReplayedAt
              at={read.isPlaceholderData ? null : read.dataUpdatedAt}
              busy={read.isFetching}
              onAgain={() => void read.refetch()}
              list={links.executions(listSearch(state.filter, state.project))}
            />
          </>
        )}
      </div>
    </div>
  )
}

/** Puts the focus on the next row of the page: executions and attempts alike. */
function stepRow(by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
  const at = rows.indexOf(document.activeElement as HTMLElement)
  rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + by))]?.focus()
}

function Skeleton() {
  return (
    <div role="group" aria-busy="true" aria-label="Replaying" className="space-y-4">
      <div className="skeleton h-[4.75rem]" />
      <div className="grid gap-4 lg:grid-cols-2">
        <div className="skeleton h-80" />
        <div className="skeleton h-80" />
      </div>
      {Array.from({ length: 6 }, (_, i) => (
        <div key={i} className="skeleton h-10" />
      ))}
    </div>
  )
}
