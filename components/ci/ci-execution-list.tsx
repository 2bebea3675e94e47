import { ArrowRight } from 'lucide-react'
import Link from 'next/link'
import { CI_GROUP_WORDS } from '@/lib/words/ci'
import { type CiView, groupOfOpen } from '@/lib/views/ci/ci-view'
import { verdictWords } from '@/lib/words/verdicts'
import { links } from '@/lib/links'
import { cn } from '../shared/ui/cn'
import { formatCount, plural } from '../shared/format'
import { Outcome } from '../shared/glyphs'
import { Elapsed } from '../shared/time'
import { VisibleText } from '../shared/visible-text'
import type { CiExecution } from '@/lib/views/attempts/chain'
import type { CiAddress } from '@/lib/model/ci-run'

interface ListProps {
  address: CiAddress
  openedId: string | null
  onOpen: (id: string) => void
}

/** The executions of the shown attempt: what failed, what is open, and, folded, what succeeded. `beside`: one of them is open at its left. */
export function CiExecutionList({
  view,
  leftOut,
  beside = false,
  ...rest
}: ListProps & { view: CiView; leftOut: number; beside?: boolean }) {
  const { failed, open, succeeded } = view
  const isOpened = (one: CiExecution): boolean => one.id === rest.openedId
  return (
    <aside
      data-late
      aria-label="Executions of this run"
      className={cn(
        'border-line bg-surface',
        beside &&
          'border-t lg:sticky lg:top-11 lg:max-h-[calc(100dvh-2.75rem)] lg:min-h-[calc(100dvh-2.75rem)] lg:overflow-y-auto lg:border-t-0 lg:border-l',
      )}
    >
      {failed.length > 0 && (
        <Group heading={plural(failed.length, 'failure')}>
          <Rows items={failed} {...rest} />
        </Group>
      )}
      {open.length > 0 && (
        <Group heading={`${formatCount(open.length)} ${CI_GROUP_WORDS[groupOfOpen(open)]}`}>
          <Rows items={open} {...rest} />
        </Group>
      )}
      {succeeded.length > 0 && (
        <details open={failed.length + open.length === 0 || succeeded.some(isOpened)}>
          <summary className="border-b border-line px-4 py-2 text-sm font-medium text-ink-2 hover:bg-hover">
            {formatCount(succeeded.length)} succeeded
          </summary>
          <Rows items={succeeded} {...rest} />
        </details>
      )}
      {leftOut > 0 && (
        <p className="px-4 py-2 text-sm text-ink-3">
          {plural(leftOut, 'more execution')} of this run not listed. Failures come first.
        </p>
      )}
    </aside>
  )
}

function Group({ heading, children }: { heading: string; children: React.ReactNode }) {
  return (
    <section>
      <h2 className="border-b border-line px-4 pt-3 pb-1.5 text-sm font-medium text-ink-3">{heading}</h2>
      {children}
    </section>
  )
}

function Rows({ items, address, openedId, onOpen }: ListProps & { items: CiExecution[] }) {
  return (
    <ul className="divide-y divide-line border-b border-line">
      {items.map((item) => (
        <Row key={item.id} item={item} address={address} opened={item.id === openedId} onOpen={onOpen} />
      ))}
    </ul>
  )
}

/** One execution. The row opens it beside the list; its page is one step further. */
function Row({
  item,
  address: { provider, path, run, attempt },
  opened,
  onOpen,
}: {
  item: CiExecution
  address: CiAddress
  opened: boolean
  onOpen: (id: string) => void
}) {
  const title = item.title ?? item.externalId
  return (
    <li
      className={cn(
        'relative px-4 py-2 hover:bg-hover',
        opened && 'bg-selected shadow-[inset_2px_0_0_var(--accent)] hover:bg-selected',
      )}
    >
      <p className="flex min-w-0 items-center gap-x-2 text-sm max-md:flex-wrap">
        <Outcome outcome={item.outcome} size={14} />
        <span className="min-w-0 font-medium max-md:wrap-anywhere md:truncate" title={item.job ?? undefined}>
          {item.job === null ? (
            <span className="font-normal text-ink-3">no job name</span>
          ) : (
            <VisibleText text={item.job} />
          )}
        </span>
        <span className="shrink-0 text-ink-3">
          {item.ciAttempt === null ? 'no attempt number' : `attempt ${item.ciAttempt}`} ·{' '}
          <Elapsed from={item.startedAt} to={item.endedAt} />
        </span>
      </p>
      <a
        href={links.ciRun(provider, path, run, attempt, { open: item.id })}
        aria-current={opened ? 'true' : undefined}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
          event.preventDefault()
          onOpen(item.id)
        }}
        className={cn(
          'mt-0.5 line-clamp-3 outline-none after:absolute after:inset-0',
          'focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent',
        )}
        title={item.cause?.text ?? title}
      >
        <VisibleText text={flat(item.cause?.headline ?? title)} />
      </a>
      <p className="mt-0.5 flex items-center gap-2 text-sm text-ink-3">
        <span className="min-w-0 md:truncate">
          {item.cause ? verdictWords(item) : (NO_CAUSE[item.outcome] ?? 'Outcome unknown')}
        </span>
        {/* Above the row's own link. */}
        <Link
          href={links.execution(item.id)}
          prefetch={false}
          className="link relative z-10 ml-auto inline-flex shrink-0 items-center gap-1"
        >
          Its page <ArrowRight size={12} aria-hidden />
          <span className="sr-only">{`: ${item.job ?? title}`}</span>
        </Link>
      </p>
    </li>
  )
}

// Without a cause there is still something to say.
const NO_CAUSE: Record<string, string> = {
  succeeded: 'Nothing failed',
  running: 'Running, no failures so far',
  cancelled: 'Cancelled',
}

// White space of every kind is one blank in a row; the opened execution shows the real line breaks.
const flat = (text: string): string => text.replace(/\s+/g, ' ').trim()
