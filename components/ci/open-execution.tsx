'use client'

import { useQuery } from '@tanstack/react-query'
import { ArrowRight, ChevronLeft, ChevronRight } from 'lucide-react'
import Link from 'next/link'
import { CI_GROUP_WORDS } from '@/lib/words/ci'
import type { placeOf } from '@/lib/views/ci/ci-view'
import { links } from '@/lib/links'
import { useDecisionOpen } from '../decision/use-decision-open'
import { Banners } from '../executions/banners'
import { CauseView } from '../executions/cause-view'
import { executionQueries } from '../execution-data/queries'
import { ViewSkeleton } from '../executions/view-skeleton'
import { fixQueries } from '../fixes/queries'
import { formatCount } from '../shared/format'
import { asProblem } from '../shared/get-json'
import { Outcome } from '../shared/glyphs'
import { useKeys } from '../shared/keys'
import { ProblemNotice } from '../shared/problem-notice'
import { VisibleText } from '../shared/visible-text'
import type { CiExecution } from '@/lib/views/attempts/chain'

/** The execution that is open: its Cause, as on its own page, under a line that names it. */
export function OpenExecution({
  item,
  placed,
  onStep,
}: {
  item: CiExecution
  placed: ReturnType<typeof placeOf>
  onStep: (by: number) => void
}) {
  const [decisionOpen, openDecision] = useDecisionOpen()
  useKeys({ d: () => openDecision(!decisionOpen) })
  const detail = useQuery(executionQueries.detail(item.id))
  const failing = useQuery(executionQueries.failing(item.id))
  const fixes = useQuery(fixQueries.ofExecution(item.id))
  const title = (item.title ?? item.externalId).replace(/\s+/g, ' ')
  const { group, place, kind } = placed
  const broken = detail.error ?? failing.error
  return (
    <section aria-label="Opened execution" className="min-w-0">
      <div className="flex min-w-0 items-center gap-x-3 gap-y-0.5 border-b border-line bg-sunken px-4 py-1.5 text-sm max-md:flex-wrap md:px-6">
        <span className="flex shrink-0 font-medium">
          <Outcome outcome={detail.data?.outcome ?? item.outcome} size={14} />
        </span>
        {item.job !== null && (
          <span className="max-md:wrap-anywhere md:max-w-80 md:shrink-0 md:truncate" title={item.job}>
            <VisibleText text={item.job} />
          </span>
        )}
        <span className="min-w-0 text-ink-2 max-md:basis-full max-md:wrap-anywhere md:truncate" title={title}>
          <VisibleText text={title} />
        </span>
        <Link
          href={links.execution(item.id)}
          className="link ml-auto inline-flex shrink-0 items-center gap-1"
        >
          Its page <ArrowRight size={14} aria-hidden />
        </Link>
        {group.length > 1 && (
          <span
            role="group"
            aria-label="Place in the list of this run"
            className="flex shrink-0 items-center gap-0.5"
          >
            <Step label="Previous (k)" off={place === 0} onClick={() => onStep(-1)}>
              <ChevronLeft size={16} aria-hidden />
            </Step>
            <span className="whitespace-nowrap text-ink-3">
              {formatCount(place + 1)} of {formatCount(group.length)} {CI_GROUP_WORDS[kind]}
            </span>
            <Step label="Next (j)" off={place === group.length - 1} onClick={() => onStep(1)}>
              <ChevronRight size={16} aria-hidden />
            </Step>
          </span>
        )}
      </div>
      {detail.data && failing.data ? (
        <>
          <Banners
            execution={detail.data}
            unknownView={null}
            stale={detail.isRefetchError ? asProblem(detail.error) : null}
            readAt={detail.dataUpdatedAt}
          />
          <CauseView
            execution={detail.data}
            fixes={fixes.data ?? []}
            failing={failing.data}
            decisionOpen={decisionOpen}
            onDecision={openDecision}
          />
        </>
      ) : broken ? (
        <ProblemNotice
          problem={asProblem(broken)}
          onRetry={() => {
            void detail.refetch()
            void failing.refetch()
          }}
        />
      ) : (
        <ViewSkeleton />
      )}
    </section>
  )
}

function Step({
  label,
  off,
  onClick,
  children,
}: {
  label: string
  off: boolean
  onClick: () => void
  children: React.ReactNode
}) {
  return (
    <button
      type="button"
      title={label}
      aria-disabled={off || undefined}
      onClick={onClick}
      className={off ? 'p-0.5 opacity-40' : 'rounded p-0.5 hover:bg-hover'}
    >
      {children}
      <span className="sr-only">{label}</span>
    </button>
  )
}
