'use client'

import type { DifferenceKind } from '@/lib/model/parity'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ArrowRight, X } from 'lucide-react'
import Link from 'next/link'
import type { ParityExecution } from '@/lib/api/parity-schemas'
import { links } from '@/lib/links'
import { oneLine } from '@/lib/text/visible'
import { cn } from '../shared/ui/cn'
import { plural } from '../shared/format'
import { Outcome } from '../shared/glyphs'
import { asProblem } from '../shared/get-json'
import { ProblemNotice } from '../shared/problem-notice'
import { Time } from '../shared/time'
import { Button } from '../shared/ui/button'
import { VisibleText } from '../shared/visible-text'
import type { ParityState } from './parity-state'
import { parityQueries } from './queries'
import { SeverityMark } from './severity-mark'
import { KIND_WORDS, layerWord, placeWord, VERDICT_WORDS } from '@/lib/words/parity'

const GRID = 'md:grid md:grid-cols-[11rem_minmax(0,1fr)_8rem_6rem] md:items-center md:gap-x-4 md:px-3'

/** The executions of the open cell, else those with a verdict, the one checked last first; each row leads to its comparison. */
export function CheckedList({ state: { question, project, change } }: { state: ParityState }) {
  const list = useInfiniteQuery(parityQueries.executions(question, project))
  const { cell, show } = question
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <section
      id="listed"
      aria-labelledby="listed-title"
      className="scroll-mt-24 rounded border border-line bg-surface"
    >
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1 border-b border-line px-3 py-2">
        <h2 id="listed-title" className="min-w-0 flex-1 text-md font-semibold max-md:basis-full">
          {cell ? (
            <>
              Different at{' '}
              <code className="font-mono wrap-anywhere">
                <VisibleText text={placeWord(cell.path)} />
              </code>
              , <VisibleText text={layerWord(cell.from)} />{' '}
              <ArrowRight size={12} className="inline" role="img" aria-label="to" />{' '}
              <VisibleText text={layerWord(cell.to)} />
            </>
          ) : (
            `Executions that are ${VERDICT_WORDS[show]}`
          )}
        </h2>
        {(cell !== null || show !== 'different') && (
          <Button kind="quiet" className="h-7" onClick={() => change({ cell: null, show: 'different' })}>
            <X size={14} aria-hidden /> Show all differences
          </Button>
        )}
      </div>
      {list.isError && (
        <div className="p-3">
          <ProblemNotice
            compact={items.length > 0}
            problem={asProblem(list.error)}
            onRetry={() => void list.refetch()}
          />
        </div>
      )}
      {list.isPending && (
        <div role="group" aria-busy="true" aria-label="Loading" className="space-y-2 p-3">
          {[0, 1, 2].map((i) => (
            <div key={i} className="skeleton h-10" />
          ))}
        </div>
      )}
      {list.isSuccess && items.length === 0 && (
        <p className="px-3 py-4 text-ink-2">No executions match these filters.</p>
      )}
      {items.length > 0 && (
        <div role="table" aria-labelledby="listed-title">
          <div role="rowgroup" className="sr-only">
            <div role="row">
              {['Worst', 'Execution', 'Outcome', 'Checked'].map((head) => (
                <span key={head} role="columnheader">
                  {head}
                </span>
              ))}
            </div>
          </div>
          <div role="rowgroup" className="divide-y divide-line">
            {items.map((item) => (
              <Row key={item.execution.id} item={item} />
            ))}
          </div>
        </div>
      )}
      {list.hasNextPage && (
        <div className="border-t border-line p-2">
          <Button onClick={() => void list.fetchNextPage()} disabled={list.isFetchingNextPage}>
            {list.isFetchingNextPage ? 'Loading' : 'Show more'}
          </Button>
        </div>
      )}
    </section>
  )
}

function Row({
  item: { worst, verdict, kinds, why, differences, checkedAt, execution },
}: {
  item: ParityExecution
}) {
  const title = flat(execution.title ?? execution.externalId)
  return (
    <div
      role="row"
      data-execution={execution.id}
      className={cn(
        GRID,
        'relative min-h-11 py-1.5 hover:bg-hover max-md:space-y-1 max-md:px-3 max-md:py-2.5',
      )}
    >
      <span role="cell" className="block min-w-0">
        <span className="flex items-center gap-1.5">
          {worst === null ? (
            VERDICT_WORDS[verdict]
          ) : (
            <>
              <SeverityMark severity={worst} /> {worst}
            </>
          )}
        </span>
        {kinds !== null && (
          <span className="block text-xs text-ink-3">
            {plural(differences ?? 0, 'difference')}:{' '}
            {kinds.map((kind) => KIND_WORDS[kind as DifferenceKind] ?? kind).join(', ')}
          </span>
        )}
      </span>
      <span role="cell" className="block min-w-0">
        <Link
          data-row
          href={links.execution(execution.id, 'parity')}
          prefetch={false}
          title={title}
          className="line-clamp-1 outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
        >
          <VisibleText text={title} />
        </Link>
        <span className="block truncate text-sm text-ink-3">
          <VisibleText text={flat(execution.cause?.headline ?? execution.source.name)} />
        </span>
        {why !== null && (
          <span className="line-clamp-2 text-sm wrap-anywhere text-warn" title={oneLine(why)}>
            <VisibleText text={flat(why)} />
          </span>
        )}
      </span>
      <span role="cell" className="flex text-sm text-ink-2">
        <Outcome outcome={execution.outcome} size={14} />
      </span>
      <span role="cell" className="block text-sm text-ink-2 md:text-right">
        <Time at={checkedAt} />
      </span>
    </div>
  )
}

const flat = (text: string): string => text.replaceAll('\n', ' · ').replace(/\s+/g, ' ').trim()
