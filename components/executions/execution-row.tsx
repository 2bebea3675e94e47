import { GitBranch, ShieldQuestion } from 'lucide-react'
import Link from 'next/link'
import { memo } from 'react'
import type { ExecutionItem } from '@/lib/api/schemas'
import { links } from '@/lib/links'
import { cn } from '../shared/ui/cn'
import { formatCount, plural } from '../shared/format'
import { Outcome } from '../shared/glyphs'
import { Elapsed, Time } from '../shared/time'
import { VisibleText } from '../shared/visible-text'
import type { Density } from './list-state'
import { countsSentence, laterWords } from '../execution-data/words'

export const ROW_GRID = cn(
  'grid gap-x-4 md:grid-cols-[6.75rem_minmax(0,1fr)_8.25rem_4.5rem]',
  '@3xl:grid-cols-[6.75rem_minmax(0,5fr)_minmax(0,3fr)_8.25rem_5rem_4.5rem]',
)

/** One execution. The whole row is its link; the reason is in it, and the words carry what the glyph says. */
export const ExecutionRow = memo(function ExecutionRow({
  item,
  index,
  active,
  density,
  height,
  top,
  onActive,
}: {
  item: ExecutionItem
  index: number
  active: boolean
  density: Density
  height: number
  top: number
  onActive: (id: string) => void
}) {
  const { counts, labels } = item
  const title = item.title ?? item.externalId
  const where = [labels.repository ?? item.source.name, labels.branch].filter(Boolean).join(' · ')
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={active}
      data-execution={item.id}
      onPointerDown={() => onActive(item.id)}
      className={cn(
        'absolute inset-x-0 border-b border-line hover:bg-hover',
        ROW_GRID,
        'max-md:flex max-md:flex-wrap max-md:items-center max-md:content-center max-md:gap-x-3 max-md:gap-y-1 max-md:px-3',
        'md:items-center md:px-4',
        active && 'bg-selected shadow-[inset_2px_0_0_var(--accent)] hover:bg-selected',
      )}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      <span role="cell" className="flex text-ink-2">
        <Outcome outcome={item.outcome} />
      </span>
      <span role="cell" className="min-w-0 max-md:order-last max-md:basis-full">
        <Link
          href={links.execution(item.id)}
          prefetch={false}
          onFocus={() => onActive(item.id)}
          title={[item.agentCause, item.cause?.text ?? title].filter(Boolean).join('\n')}
          className={cn(
            'line-clamp-2 outline-none after:absolute after:inset-0',
            'focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent',
            density === '28' && 'md:line-clamp-1',
            density === '36' && 'md:text-sm md:leading-4',
          )}
        >
          {item.agentCause !== null && (
            <>
              <VisibleText text={flat(item.agentCause.replaceAll('\n', ' · '))} />
              <span className="text-ink-3"> · </span>
            </>
          )}
          {item.cause ? (
            <span className={item.needsAttention === false ? 'text-ink-2' : undefined}>
              <VisibleText text={flat(item.cause.headline)} />
            </span>
          ) : (
            <span className="text-ink-2">
              {item.analysisFailed
                ? 'The analysis failed. All records are kept.'
                : (NO_CAUSE[item.outcome] ?? 'No known failure')}
            </span>
          )}
        </Link>
        <span className="block truncate text-sm text-ink-3 md:hidden">
          <VisibleText text={flat(title)} />
        </span>
      </span>
      <span
        role="cell"
        className="hidden min-w-0 text-sm leading-4 text-ink-2 @3xl:block"
        title={`${title}\n${item.source.kind} ${item.source.name}${where ? `: ${where}` : ''}`}
      >
        <span className="block truncate">
          <VisibleText text={flat(title)} />
        </span>
        {density !== '28' && (
          <span className="flex min-w-0 items-center gap-1 text-ink-3">
            {labels.branch && <GitBranch size={11} aria-hidden className="shrink-0" />}
            <span className="truncate">
              <VisibleText text={where} />
            </span>
          </span>
        )}
      </span>
      <span role="cell" className="text-right text-sm leading-4 text-ink-3" title={countsSentence(counts)}>
        <span className="block">
          {item.odd > 0 && (
            <>
              {/* It lies above the link of the row, for the sake of its words, and leads where that leads. */}
              <Link
                href={links.execution(item.id)}
                prefetch={false}
                tabIndex={-1}
                aria-hidden
                title={unreadWords(item.odd)}
                className="relative z-10 mr-1 inline-block align-[-2px] text-warn"
              >
                <ShieldQuestion size={13} />
              </Link>
              <span className="sr-only">{unreadWords(item.odd)}, </span>
            </>
          )}
          {counts.calls === 0 ? (
            'no calls'
          ) : (
            <>
              <span className={counts.failedCalls > 0 ? 'font-medium text-ink' : ''}>
                {formatCount(counts.failedCalls)}
              </span>{' '}
              of {plural(counts.calls, 'call')}
              <span className="md:hidden"> failed</span>
            </>
          )}
        </span>
        {density !== '28' && counts.chains > 0 && (
          <span className="block max-md:hidden">{laterWords(counts)}</span>
        )}
      </span>
      <span role="cell" className="text-right whitespace-nowrap text-ink-2 md:hidden @3xl:block">
        <Elapsed from={item.startedAt} to={item.endedAt} />
      </span>
      <span role="cell" className="text-right whitespace-nowrap text-ink-2 max-md:ml-auto">
        <Time at={item.startedAt} />
      </span>
    </div>
  )
})

const unreadWords = (n: number): string => `${plural(n, 'record')} could not be read, or not wholly`

// Without a cause there is still something to say.
const NO_CAUSE: Record<string, string> = {
  succeeded: 'Nothing failed',
  running: 'Running, no failures so far',
  cancelled: 'Cancelled',
}

// Lists show one line: white space of every kind is one blank there, and the sentences of a cause stand apart. The page shows the real
// line breaks.
const flat = (text: string): string => text.replace(/\s+/g, ' ').trim()
