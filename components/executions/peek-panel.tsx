'use client'

import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import Link from 'next/link'
import type { ExecutionItem } from '@/lib/api/schemas'
import { classWords } from '@/lib/words/failures'
import { categoryWords } from '@/lib/words/categories'
import { verdictWords } from '@/lib/words/verdicts'
import { links } from '@/lib/links'
import { asProblem } from '../shared/get-json'
import { Outcome } from '../shared/glyphs'
import { ProblemNotice } from '../shared/problem-notice'
import { ExactTime } from '../shared/time'
import { buttonClass } from '../shared/ui/button'
import { VisibleText } from '../shared/visible-text'
import { noCauseWords } from '@/lib/words/no-cause'
import { executionQueries } from '../execution-data/queries'
import { countsSentence } from '../execution-data/words'
import { cn } from '../shared/ui/cn'

/** A look at one row that keeps the list in its place. */
export function PeekPanel({
  id,
  item,
  onClose,
}: {
  id: string
  item: ExecutionItem | undefined
  onClose: () => void
}) {
  const detail = useQuery(executionQueries.detail(id))
  const shown = detail.data ?? item
  return (
    <aside
      aria-label="Preview"
      className={cn(
        'fade-in sticky top-11 hidden max-h-[calc(100dvh-2.75rem)] min-h-[calc(100dvh-2.75rem)] w-96 shrink-0',
        'space-y-4 overflow-y-auto border-l border-line bg-surface p-4 lg:block',
      )}
    >
      <div className="flex items-center justify-between">
        {shown ? (
          <span className="flex font-medium">
            <Outcome outcome={shown.outcome} />
          </span>
        ) : (
          <span className="skeleton h-4 w-24" />
        )}
        <button type="button" onClick={onClose} className="rounded p-1 text-ink-2 hover:bg-hover">
          <X size={16} aria-hidden />
          <span className="sr-only">Close preview</span>
        </button>
      </div>
      {detail.isError && (
        <ProblemNotice compact problem={asProblem(detail.error)} onRetry={() => void detail.refetch()} />
      )}
      {shown && (
        <>
          <p className="text-md leading-snug whitespace-pre-wrap">
            {shown.cause ? <VisibleText text={shown.cause.text} /> : noCauseWords(shown)}
          </p>
          {shown.agentCause !== null && (
            <p className="whitespace-pre-wrap">
              In the agent’s own run: <VisibleText text={shown.agentCause} />
            </p>
          )}
          {shown.cause && <p className="text-sm text-ink-3">{categoryWords(shown.cause.category)}</p>}
          {detail.data?.advice && (
            <div className="space-y-1 rounded border border-line bg-bg p-3">
              <p className="font-medium">{verdictWords(detail.data.advice)}</p>
              <p className="text-ink-2">
                <VisibleText text={detail.data.advice.retryBecause} />
              </p>
              <p className="pt-1">
                <VisibleText text={detail.data.advice.next} />
              </p>
            </div>
          )}
          <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-sm [&_dt]:text-ink-3">
            <dt>Title</dt>
            <dd>
              <VisibleText text={shown.title ?? 'none'} />
            </dd>
            <dt>Calls</dt>
            <dd>{countsSentence(shown.counts)}</dd>
            {Object.keys(shown.counts.failedByClass).length > 0 && (
              <>
                <dt>Failures</dt>
                <dd>
                  {Object.entries(shown.counts.failedByClass)
                    .map(([name, n]) => `${classWords(name)} ${n}`)
                    .join(', ')}
                </dd>
              </>
            )}
            <dt>Started</dt>
            <dd>
              <ExactTime at={shown.startedAt} />
            </dd>
            <dt>Source</dt>
            <dd>
              <VisibleText text={`${shown.source.kind} · ${shown.source.name}`} />
            </dd>
            {['repository', 'branch', 'model', 'version'].map(
              (name) =>
                shown.labels[name] && (
                  <div key={name} className="contents">
                    <dt>{name[0]!.toUpperCase() + name.slice(1)}</dt>
                    <dd>
                      <VisibleText text={shown.labels[name]} />
                    </dd>
                  </div>
                ),
            )}
            <dt>ID</dt>
            <dd className="font-mono">
              <VisibleText text={shown.externalId} />
            </dd>
          </dl>
          <Link href={links.execution(shown.id)} className={buttonClass('main', 'w-full')}>
            Open
          </Link>
        </>
      )}
    </aside>
  )
}
