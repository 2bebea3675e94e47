'use client'

import { ArrowLeft, ChevronLeft, ChevronRight, Repeat2 } from 'lucide-react'
import Link from 'next/link'
import { useEffect, useRef } from 'react'
import type { ExecutionDetail } from '@/lib/api/schemas'
import { EXECUTION_VIEWS, type ExecutionView, links } from '@/lib/links'
import { cn } from '../shared/ui/cn'
import { CopyButton } from '../shared/copy-button'
import { formatCount } from '../shared/format'
import { Outcome } from '../shared/glyphs'
import { VisibleText } from '../shared/visible-text'
import { CiRunLink } from './ci-membership'
import type { ListWalk } from './use-list-walk'
import type { ViewState } from '../execution-data/view-state'

const VIEW_WORDS: Record<ExecutionView, string> = {
  cause: 'Cause',
  calls: 'Calls',
  timeline: 'Timeline',
  receipts: 'Receipts',
  diagnosis: 'Diagnosis',
  parity: 'Parity',
  fixes: 'Fixes',
  raw: 'Raw',
}

/** Receipts and diagnoses are things of some sources only. */
export const isSpare = (view: ExecutionView, { receipts, source }: ExecutionDetail): boolean =>
  (view === 'receipts' && receipts === 0) || (view === 'diagnosis' && source.kind !== 'noetl')

/** What it shows as it is in the execution is marked by its place in the documents of the page (`data-shows`), so that the view Parity can compare the two. */
export function ExecutionHeader({
  execution,
  fixes,
  state,
  walk,
}: {
  execution: ExecutionDetail
  /** How many were proposed for it; null while that is not known. */
  fixes: number | null
  state: ViewState
  walk: ListWalk
}) {
  const counts: Record<ExecutionView, string | null> = {
    cause: null,
    calls: execution.counts.calls === 0 ? null : formatCount(execution.counts.calls),
    timeline: null,
    raw: formatCount(execution.counts.records),
    receipts: formatCount(execution.receipts),
    diagnosis: null,
    parity: null,
    fixes: fixes === null ? null : formatCount(fixes),
  }
  const title = execution.title ?? execution.externalId
  // Where there is no room for all views, the one that is open stays in sight.
  const views = useRef<HTMLElement>(null)
  useEffect(() => {
    const open = views.current?.querySelector<HTMLElement>('[aria-current]')
    if (views.current && open)
      views.current.scrollLeft =
        open.offsetLeft + open.offsetWidth - views.current.offsetLeft - views.current.clientWidth
  }, [state.view])
  return (
    <header className="border-b border-line px-4 pt-3 md:px-6">
      <div className="flex items-center gap-x-3 gap-y-0.5 text-sm text-ink-2 max-md:flex-wrap">
        <Link
          href={walk.back}
          className="inline-flex shrink-0 items-center gap-1 rounded py-0.5 whitespace-nowrap hover:text-ink"
        >
          <ArrowLeft size={14} aria-hidden /> Executions
        </Link>
        {walk.place !== null && (
          <span role="group" aria-label="Position in the list" className="flex items-center gap-0.5">
            <Neighbour id={walk.previous} state={state} label="Previous execution in the list (<)">
              <ChevronLeft size={16} aria-hidden />
            </Neighbour>
            <span
              className="px-1 whitespace-nowrap text-ink-3"
              title={`No. ${formatCount(walk.place + 1)} in the list (< previous, > next)`}
            >
              No. {formatCount(walk.place + 1)}
              <span className="max-md:sr-only"> in the list</span>
            </span>
            <Neighbour id={walk.next} state={state} label="Next execution in the list (>)">
              <ChevronRight size={16} aria-hidden />
            </Neighbour>
          </span>
        )}
        {execution.ciRuns[0] && <CiRunLink run={execution.ciRuns[0]} />}
        {execution.placeInChain && <PlaceInChain id={execution.id} {...execution.placeInChain} />}
        {execution.parentId && (
          <Link href={links.execution(execution.parentId)} className="link">
            Parent execution
          </Link>
        )}
        <span className="flex min-w-0 items-center gap-1 md:ml-auto">
          <code
            className="font-mono text-ink-3 max-md:wrap-anywhere md:truncate"
            title="ID in the source"
            data-shows="/detail/externalId"
          >
            <VisibleText text={execution.externalId} />
          </code>
          <CopyButton text={execution.externalId} label="Copy ID" />
        </span>
      </div>
      <div className="mt-0.5 flex items-center gap-x-3 max-md:flex-wrap">
        <span className="flex shrink-0 font-medium" data-shows="/detail/outcome">
          <Outcome outcome={execution.outcome} />
        </span>
        <h1
          id="title"
          data-shows={execution.title === null ? '/detail/externalId' : '/detail/title'}
          className="min-w-0 text-md font-semibold max-md:wrap-anywhere md:truncate"
          title={title}
        >
          <VisibleText text={title.replace(/\s+/g, ' ')} />
        </h1>
      </div>
      <nav ref={views} aria-label="Views" className="mt-2 -mb-px flex gap-1 overflow-x-auto">
        {EXECUTION_VIEWS.map((view, index) =>
          isSpare(view, execution) && state.view !== view ? null : (
            <a
              key={view}
              href={links.execution(execution.id, view)}
              aria-current={state.view === view ? 'page' : undefined}
              title={`${VIEW_WORDS[view]} (${index + 1})`}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
                event.preventDefault()
                state.setView(view)
              }}
              className={cn(
                'flex h-9 items-center gap-1.5 border-b-2 px-2.5 whitespace-nowrap',
                state.view === view
                  ? 'border-accent font-medium text-ink'
                  : 'border-transparent text-ink-2 hover:border-line-strong hover:text-ink',
              )}
            >
              {VIEW_WORDS[view]}{' '}
              {counts[view] !== null && (
                <span className="text-sm font-normal text-ink-3">{counts[view]}</span>
              )}
            </a>
          ),
        )}
      </nav>
    </header>
  )
}

/** Which try of its work it is. A source may count attempts that never came here. */
function PlaceInChain({
  id,
  attempt,
  place,
  attempts,
}: { id: string } & NonNullable<ExecutionDetail['placeInChain']>) {
  const words =
    attempt === null || attempt <= attempts
      ? `Attempt ${attempt ?? place} of ${attempts}`
      : `Attempt ${attempt} (${attempts} recorded)`
  return (
    <Link
      href={links.execution(id, 'calls')}
      prefetch={false}
      title={`${words}. View all attempts ([ previous, ] next)`}
      className="inline-flex shrink-0 items-center gap-1 rounded py-0.5 whitespace-nowrap hover:text-ink"
    >
      <Repeat2 size={14} aria-hidden /> {words}
    </Link>
  )
}

function Neighbour({
  id,
  state,
  label,
  children,
}: {
  id: string | null
  state: ViewState
  label: string
  children: React.ReactNode
}) {
  if (id === null)
    return (
      <span className="p-0.5 opacity-40" title={`${label}: none`}>
        {children}
      </span>
    )
  return (
    <Link
      href={links.execution(id, state.view)}
      prefetch={false}
      title={label}
      className="rounded p-0.5 hover:bg-hover"
    >
      {children}
      <span className="sr-only">{label}</span>
    </Link>
  )
}
