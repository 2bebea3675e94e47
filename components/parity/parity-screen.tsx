'use client'

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import type { ParityOverview } from '@/lib/api/parity-schemas'
import type { ParityCell } from '@/lib/judge/parity/parity-question'
import { failedControlWords } from '@/lib/words/parity'
import { ProgramCommand } from '../shared/program'
import { asProblem } from '../shared/get-json'
import { useKeys } from '../shared/keys'
import { ProblemNotice } from '../shared/problem-notice'
import { Time } from '../shared/time'
import { Button } from '../shared/ui/button'
import { CheckedList } from './checked-list'
import { HeatMap } from './heat-map'
import { ParityFacets } from './parity-facets'
import { ParityRate } from './parity-rate'
import { useParityState } from './parity-state'
import { parityQueries } from './queries'

/** Which layer loses what, over many executions: how many are equal, where the others differ, and which they are. */
export function ParityScreen({ unknownProject }: { unknownProject: string | null }) {
  const client = useQueryClient()
  const state = useParityState(unknownProject)
  const { question, change } = state
  const found = useQuery({
    ...parityQueries.overview(question, state.project),
    placeholderData: keepPreviousData,
  })
  const again = (): void => void client.invalidateQueries({ queryKey: parityQueries.root() })
  const toList = (): void =>
    void requestAnimationFrame(() => document.getElementById('listed')?.scrollIntoView({ block: 'nearest' }))
  const choose = (cell: ParityCell | null): void => {
    change({ cell, show: 'different' })
    if (cell !== null) toList()
  }
  useKeys({
    v: again,
    j: () => stepRow(1),
    k: () => stepRow(-1),
    Escape: () => change({ cell: null, show: 'different' }),
  })
  const overview = found.data
  return (
    <div className="min-w-0">
      <div className="sticky top-11 z-20 flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-bg px-3 py-2.5 md:px-4">
        <h1 className="text-md font-semibold">Parity</h1>
        <span className="text-ink-2">Does stored data match its sources?</span>
        <span className="ml-auto flex items-center gap-2 text-sm text-ink-3">
          {overview && (
            <span>
              Updated <Time at={new Date(found.dataUpdatedAt).toISOString()} />
            </span>
          )}
          <Button className="h-7" onClick={again} title="Refresh (v)">
            <RotateCw size={14} aria-hidden /> Refresh
          </Button>
        </span>
      </div>
      {[
        ...state.problems,
        ...(unknownProject === null
          ? []
          : [`Project “${unknownProject}” not found or not accessible. Showing all projects.`]),
      ].map((problem) => (
        <p
          key={problem}
          role="status"
          className="border-b border-line bg-sunken px-4 py-1.5 text-sm wrap-anywhere text-ink-2"
        >
          {problem}
        </p>
      ))}
      <div className="mx-auto max-w-[88rem] space-y-4 p-3 md:px-4 md:py-4">
        {found.isError && (
          <ProblemNotice compact={overview !== undefined} problem={asProblem(found.error)} onRetry={again} />
        )}
        {!overview ? (
          !found.isError && <Skeleton />
        ) : (
          <Found
            overview={overview}
            state={state}
            busy={found.isPlaceholderData}
            onChoose={choose}
            toList={toList}
          />
        )}
      </div>
    </div>
  )
}

function Found({
  overview: { rate, heat, failedControls },
  state,
  busy,
  onChoose,
  toList,
}: {
  overview: ParityOverview
  state: ReturnType<typeof useParityState>
  busy: boolean
  onChoose: (cell: ParityCell | null) => void
  toList: () => void
}) {
  const { question, change } = state
  const isListed = rate.different > 0 || question.cell !== null || question.show !== 'different'
  return (
    <>
      {failedControls.length > 0 && (
        <div role="alert" className="rounded border-2 border-bad bg-tint-bad px-4 py-3">
          <p className="font-semibold">Unreliable: the comparison failed its self-test</p>
          <p className="text-sm">
            No check of this server can be trusted. Failed controls: {failedControlWords(failedControls)}.
          </p>
        </div>
      )}
      <ParityRate
        rate={rate}
        shown={question.cell === null ? question.show : null}
        onShow={(show) => {
          // The rate goes by the newest checks, whenever they were made.
          change({ show, cell: null, window: 'all', kinds: [], severities: [] })
          toList()
        }}
      />
      {rate.checked === 0 && <NothingChecked waiting={rate.notChecked} />}
      {rate.checked > 0 && (
        <div aria-busy={busy} className={busy ? 'space-y-4 opacity-60' : 'space-y-4'}>
          <ParityFacets state={state} heat={heat} />
          {heat.rows.length > 0 ? (
            <HeatMap heat={heat} chosen={question.cell} onChoose={onChoose} />
          ) : (
            <p className="rounded border border-line bg-surface px-3 py-4 text-ink-2">
              {rate.different === 0 ? 'No differences.' : 'No differences match these filters.'}
              {rate.different > 0 &&
                (question.window !== 'all' || question.kinds.length + question.severities.length > 0) && (
                  <button
                    type="button"
                    className="link ml-2"
                    onClick={() => change({ window: 'all', kinds: [], severities: [] })}
                  >
                    Clear filters
                  </button>
                )}
            </p>
          )}
        </div>
      )}
      {isListed && <CheckedList state={state} />}
    </>
  )
}

/** Nothing was checked, which is not the same as that nothing differs. */
const NothingChecked = ({ waiting }: { waiting: number }) => (
  <section aria-label="Nothing checked" className="max-w-xl space-y-3 px-1 py-6">
    <p className="text-ink-2">
      {waiting === 0
        ? 'Executions are checked when they end, and again when they change. None have arrived yet.'
        : 'Executions are checked in the background shortly after they end. To check one now, open its Parity view or run'}
    </p>
    {waiting > 0 && <ProgramCommand text="parity ID" />}
  </section>
)

function stepRow(by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
  const at = rows.indexOf(document.activeElement as HTMLElement)
  rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + by))]?.focus()
}

const Skeleton = () => (
  <div role="group" aria-busy="true" aria-label="Loading checks" className="space-y-4">
    <div className="skeleton h-28" />
    <div className="skeleton h-8" />
    <div className="skeleton h-72" />
  </div>
)
