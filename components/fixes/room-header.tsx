import { ArrowLeft, Download, FileText, MessageSquare } from 'lucide-react'
import Link from 'next/link'
import { lineOfVersions } from '@/lib/views/fixes/since-version'
import { openByVersion, type Thread } from '@/lib/views/fixes/threads'
import { links } from '@/lib/links'
import { cn } from '../shared/ui/cn'
import { formatBytes, formatCount, plural } from '../shared/format'
import { ExactTime, Time } from '../shared/time'
import { buttonClass } from '../shared/ui/button'
import { Chip } from '../shared/ui/chip'
import { VisibleText } from '../shared/visible-text'
import { Size } from './fix-row'
import { FixStateMark } from './fix-state'
import { NotEnabledNote } from './not-enabled'
import { fixName, fixStateWord, noCauseSentence, originWord } from './words'
import type { FixDetail } from '@/lib/model/fix'

/** What failed is above what is said to mend it; then what it is, from whom, and from what. */
export function RoomHeader({
  fix,
  threads,
  children,
}: {
  fix: FixDetail
  threads: readonly Thread[]
  children: React.ReactNode
}) {
  return (
    <header className="space-y-3 border-b border-line px-4 py-3 md:px-6">
      <p className="text-sm text-ink-2">
        <Link href={links.fixes()} className="inline-flex items-center gap-1 rounded py-0.5 hover:text-ink">
          <ArrowLeft size={14} aria-hidden /> Fixes
        </Link>
      </p>
      <section
        aria-label="What failed"
        className={cn(
          'rounded border border-line px-3 py-2',
          fix.executionOutcome === 'succeeded' ? 'bg-surface' : 'bg-tint-bad',
        )}
      >
        <p className="text-md wrap-anywhere whitespace-pre-wrap">
          {fix.cause === null ? (
            <span className="text-ink-2">{noCauseSentence(fix)}</span>
          ) : (
            <VisibleText text={fix.cause} />
          )}
        </p>
        <p className="mt-1 text-sm">
          <Link href={links.execution(fix.executionId)} className="link wrap-anywhere">
            <VisibleText text={fix.executionTitle ?? 'The execution'} />
          </Link>
          {fix.task !== '' && (
            <span className="text-ink-2">
              {' '}
              · task{' '}
              <code className="font-mono">
                <VisibleText text={fix.task} />
              </code>
            </span>
          )}
        </p>
      </section>
      <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
        <div className="min-w-0 flex-1 space-y-1 max-md:basis-full">
          <h1 id="title" className="text-lg font-semibold wrap-anywhere">
            <VisibleText text={fixName(fix)} />
          </h1>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-2">
            <FixStateMark state={fix.state} />
            <Size reading={fix.reading} /> <span>{formatBytes(fix.size)}</span>
            <Chip>{originWord(fix.origin)}</Chip>
            <span>
              proposed by <VisibleText text={fix.proposedBy} />
              {fix.agent !== null && (
                <>
                  {' '}
                  with <VisibleText text={fix.agent} />
                </>
              )}
              {fix.model !== null && (
                <>
                  , <VisibleText text={fix.model} />
                </>
              )}
            </span>
            <Time at={fix.proposedAt ?? fix.receivedAt} />
            {fix.expiresAt !== null && (
              <span>
                expires <ExactTime at={fix.expiresAt} />
              </span>
            )}
          </p>
          <NotEnabledNote fix={fix} />
          <Versions fix={fix} />
          <OpenBefore threads={threads} />
        </div>
        <div className="flex flex-wrap gap-2">{children}</div>
      </div>
      {fix.explanation !== null && (
        <details open={fix.explanation.length < 600} className="max-w-4xl">
          <summary className="font-medium">Rationale (proposer)</summary>
          <p className="mt-1 whitespace-pre-wrap wrap-anywhere">
            <VisibleText text={fix.explanation} />
          </p>
        </details>
      )}
    </header>
  )
}

const OTHERS_LISTED = 5

/** The versions of this fix, in order, and apart from them what else was proposed for the task; a decision is about one of them. */
function Versions({ fix }: { fix: FixDetail }) {
  const newer = fix.supersededBy
  const { line, others } = lineOfVersions(fix)
  if (fix.versions.length < 2 && newer === null) return null
  return (
    <nav aria-label="Versions" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      {line.length > 1 &&
        line.map((one) => (
          <Link
            key={one.id}
            href={links.fix(one.id)}
            aria-current={one.id === fix.id ? 'page' : undefined}
            className={cn(one.id === fix.id ? 'font-medium' : 'link')}
          >
            Version {formatCount(one.ordinal)}{' '}
            <span className="text-ink-2">({fixStateWord(one.state).toLowerCase()})</span>
          </Link>
        ))}
      {newer !== null && (
        <Link href={links.fix(newer)} className="link font-medium">
          Replaced by a newer version
        </Link>
      )}
      {others.length > 0 && (
        <span className="text-ink-2">{plural(others.length, 'other proposal')} for the task:</span>
      )}
      {others.slice(0, OTHERS_LISTED).map((one) => (
        <Link key={one.id} href={links.fix(one.id)} className="link">
          Fix {formatCount(one.ordinal)}{' '}
          <span className="text-ink-2">({fixStateWord(one.state).toLowerCase()})</span>
        </Link>
      ))}
      {others.length > OTHERS_LISTED && (
        <Link href={links.execution(fix.executionId, 'fixes')} className="link">
          and {formatCount(others.length - OTHERS_LISTED)} more
        </Link>
      )}
    </nav>
  )
}

/** What was asked for on earlier versions and is not resolved. */
function OpenBefore({ threads }: { threads: readonly Thread[] }) {
  const counts = openByVersion(threads.filter(({ earlier }) => earlier !== null))
  if (counts.length === 0) return null
  return (
    <p className="flex items-center gap-1.5 text-sm text-warn">
      <MessageSquare size={14} aria-hidden className="shrink-0" />
      <a href="#conversation" className="link text-warn">
        {counts.map(({ version, open }) => `${plural(open, 'request')} of version ${version}`).join(', ')}{' '}
        unresolved
      </a>
    </p>
  )
}

/** The exact bytes, what was said of them, and all of it together. */
export const Downloads = ({ fix }: { fix: FixDetail }) => (
  <ul className="flex flex-wrap gap-2">
    <li>
      <a href={links.fixPatch(fix.id)} download={fix.downloadName} className={buttonClass('plain')}>
        <Download size={14} aria-hidden /> Patch
      </a>
    </li>
    <li>
      <a href={links.fixDigest(fix.id)} download className={buttonClass('quiet')}>
        SHA-256
      </a>
    </li>
    {fix.transcript !== null && (
      <li>
        <a href={links.fixTranscript(fix.id)} download className={buttonClass('quiet')}>
          <FileText size={14} aria-hidden /> Transcript, {formatBytes(fix.transcript.size)}
        </a>
      </li>
    )}
    <li>
      <a href={links.fixBundle(fix.id)} download className={buttonClass('quiet')}>
        Bundle
      </a>
    </li>
  </ul>
)
