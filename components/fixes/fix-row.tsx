import Link from 'next/link'
import { links } from '@/lib/links'
import { formatBytes, plural } from '../shared/format'
import { Time } from '../shared/time'
import { VisibleText } from '../shared/visible-text'
import { VerdictMark } from './evidence'
import { Counts } from './file-block'
import { FixStateMark } from './fix-state'
import { FlagWeight } from './flag-note'
import { NotEnabledMark } from './not-enabled'
import { fixName, originWord } from './words'
import type { FixItem } from '@/lib/model/fix'

/** The gravest thing that rules found, with how many there are. */
export function FlagSummary({ reading }: Pick<FixItem, 'reading'>) {
  const high = reading.signals.filter(({ weight }) => weight === 'high')
  const others = reading.signals.length - high.length + reading.warnings.length
  if (reading.blocking.length > 0)
    return (
      <span className="inline-flex items-center gap-1.5" title={reading.blocking.join(', ')}>
        <FlagWeight weight="blocking" /> {reading.blocking.length}
      </span>
    )
  if (high.length > 0)
    return (
      <span className="inline-flex items-center gap-1.5" title={high.map(({ code }) => code).join(', ')}>
        <FlagWeight weight="high" /> {high.length}
      </span>
    )
  return (
    <span
      className="text-ink-2"
      title={[...reading.signals.map(({ code }) => code), ...reading.warnings].join(', ') || undefined}
    >
      {others === 0 ? 'no flags' : plural(others, 'flag')}
    </span>
  )
}

/** How much a patch changes; of one that git does not take nothing can be counted. */
export const Size = ({ reading }: Pick<FixItem, 'reading'>) =>
  reading.verdict === 'error' ? (
    <span>unreadable patch</span>
  ) : (
    <>
      <Counts additions={reading.additions} deletions={reading.deletions} />{' '}
      <span>{plural(reading.files, 'file')}</span>
    </>
  )

/** A fix in a list: its state, the failure that it is about, what it is, and what is against it. */
export function FixRow({ fix, withCause = true }: { fix: FixItem; withCause?: boolean }) {
  return (
    <li className="relative grid gap-x-4 gap-y-1 border-b border-line px-3 py-2 hover:bg-hover md:grid-cols-[9.5rem_minmax(0,1fr)_11rem_7.5rem_12rem] md:items-center">
      <FixStateMark state={fix.state} />
      <div className="min-w-0">
        {withCause && (
          <p className="truncate max-md:whitespace-normal" title={fix.cause ?? undefined}>
            {fix.cause === null ? (
              <span className="text-ink-2">
                {fix.executionOutcome === 'succeeded' ? 'from a run that didn’t fail' : 'cause unknown'}
              </span>
            ) : (
              <VisibleText text={fix.cause.replace(/\s+/g, ' ')} />
            )}
          </p>
        )}
        <p className="flex flex-wrap items-baseline gap-x-2 text-sm text-ink-2">
          <Link
            href={links.fix(fix.id)}
            data-row
            className="link min-w-0 font-medium wrap-anywhere after:absolute after:inset-0"
          >
            <VisibleText text={fixName(fix)} />
          </Link>
          <span className="min-w-0 truncate">
            <VisibleText text={fix.executionTitle ?? ''} />
          </span>
          <NotEnabledMark fix={fix} />
        </p>
      </div>
      <div className="flex flex-wrap gap-x-4 text-sm md:contents">
        <span className="inline-flex text-sm">
          <VerdictMark verdict={fix.verdict} />
        </span>
        <span className="text-sm">
          <FlagSummary reading={fix.reading} />
        </span>
      </div>
      <span className="flex flex-wrap gap-x-2 text-sm text-ink-2">
        <Size reading={fix.reading} />
        <span>{formatBytes(fix.size)}</span> <span>{originWord(fix.origin)}</span>{' '}
        <Time at={fix.receivedAt} />
      </span>
    </li>
  )
}
