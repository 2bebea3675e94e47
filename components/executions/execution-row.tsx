import { GitBranch } from 'lucide-react'
import Link from 'next/link'
import { memo } from 'react'
import type { ExecutionItem } from '@/lib/api/schemas'
import { links } from '@/lib/links'
import { cn } from '../shared/cn'
import { formatCount, plural } from '../shared/format'
import { Outcome } from '../shared/glyphs'
import { Elapsed, Time } from '../shared/time'
import { VisibleText } from '../shared/visible-text'
import type { Density } from './list-state'

export const ROW_GRID =
  'grid gap-x-4 md:grid-cols-[7rem_minmax(0,1fr)_5.5rem_5.5rem_5rem] lg:grid-cols-[7rem_minmax(0,1fr)_minmax(0,11rem)_5.5rem_5.5rem_5rem] xl:grid-cols-[7rem_minmax(0,1fr)_minmax(0,12rem)_5.5rem_5rem_5.5rem_5rem]'

/** One execution. The whole row is its link; the reason stands in it, and the words carry what the glyph says. */
export const ExecutionRow = memo(function ExecutionRow({ item, index, active, density, height, top, onActive }: {
  item: ExecutionItem; index: number; active: boolean; density: Density; height: number; top: number; onActive: (id: string) => void
}) {
  const { counts, labels } = item
  const title = item.title ?? item.externalId
  const where = [labels.repository ?? item.source.name, labels.branch].filter(Boolean).join(' · ')
  return (
    <div
      role="row" aria-rowindex={index + 2} aria-selected={active} data-execution={item.id}
      onPointerDown={() => onActive(item.id)}
      className={cn(
        'absolute inset-x-0 border-b border-line hover:bg-hover', ROW_GRID,
        'max-md:flex max-md:flex-wrap max-md:content-center max-md:gap-x-3 max-md:gap-y-1 max-md:px-3 md:items-center md:px-4',
        active && 'bg-selected shadow-[inset_2px_0_0_var(--accent)] hover:bg-selected',
      )}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      <span role="cell" className="text-ink-2"><Outcome outcome={item.outcome} /></span>
      <span role="cell" className={cn('min-w-0 max-md:order-last max-md:basis-full', density === '44' && 'md:leading-tight')}>
        <Link
          href={links.execution(item.id)} prefetch={false} onFocus={() => onActive(item.id)}
          title={item.cause ? item.cause.text : title}
          className="block truncate outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent max-md:line-clamp-2 max-md:whitespace-normal"
        >
          {item.cause ? <VisibleText text={flat(item.cause.text)} /> : <span className="text-ink-2"><VisibleText text={flat(title)} /></span>}
          {item.cause && density !== '44' && <span className="ml-3 text-ink-3 max-md:hidden"><VisibleText text={flat(title)} /></span>}
        </Link>
        {density === '44' && item.cause && <span className="block truncate text-sm text-ink-3 max-md:hidden"><VisibleText text={flat(title)} /></span>}
        {item.cause && <span className="block truncate text-sm text-ink-3 md:hidden"><VisibleText text={flat(title)} /></span>}
      </span>
      <span role="cell" className="flex min-w-0 items-center gap-1.5 truncate text-sm text-ink-2 max-lg:hidden" title={`${item.source.kind} ${item.source.name}${where ? `: ${where}` : ''}`}>
        {labels.branch && <GitBranch size={12} aria-hidden className="shrink-0 text-ink-3" />}
        <span className="truncate"><VisibleText text={where} /></span>
      </span>
      <span role="cell" className="text-right text-ink-2" title={`${formatCount(counts.failedCalls)} of ${plural(counts.calls, 'call')} failed`}>
        <span className={counts.failedCalls > 0 ? 'font-medium text-ink' : ''}>{formatCount(counts.failedCalls)}</span>
        <span className="text-ink-3"> / {formatCount(counts.calls)}</span><span className="text-ink-3 md:hidden"> calls failed</span>
      </span>
      <span role="cell" className="text-right text-ink-2 max-xl:hidden" title={`${formatCount(counts.recoveredChains)} of ${plural(counts.chains, 'retry chain')} ended in success`}>
        {counts.chains === 0 ? <span className="text-ink-3">–</span> : <>{formatCount(counts.recoveredChains)}<span className="text-ink-3"> / {formatCount(counts.chains)}</span></>}
      </span>
      <span role="cell" className="text-right whitespace-nowrap text-ink-2"><Elapsed from={item.startedAt} to={item.endedAt} running={item.outcome === 'running'} /></span>
      <span role="cell" className="text-right whitespace-nowrap text-ink-2 max-md:ml-auto"><Time at={item.startedAt} /></span>
    </div>
  )
})

// Lists show one line: white space of every kind is one blank there. The page shows the real line breaks.
const flat = (text: string): string => text.replace(/\s+/g, ' ').trim()
