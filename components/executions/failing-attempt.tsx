import { FileSearch, ListTree } from 'lucide-react'
import Link from 'next/link'
import type { AttemptItem } from '@/lib/api/schemas'
import { failureWords } from '@/lib/attempts/failure-words'
import { links } from '@/lib/links'
import { cutAtWord } from '@/lib/text/visible'
import { formatCount, formatDuration, plural } from '../shared/format'
import { CallGlyph, callWord } from '../shared/glyphs'
import { ExactTime } from '../shared/time'
import { Chip } from '../shared/ui/chip'
import { VisibleText } from '../shared/visible-text'
import { ErrorBox } from './error-box'

/** What became of a failed call; and, where the advice of the page is about another one, its own answers. */
interface Read {
  ended: string
  verdict: string | null
  next: string | null
}

/** Two lines at most where two attempts stand beside each other. */
const TARGET_CHARS_MAX = 120

/** One failed call with the text it failed with, whole or with a mark, what became of it, and the way to its bytes. */
export function FailingAttempt({
  executionId,
  attempt,
  heading,
  read,
  low,
}: {
  executionId: string
  attempt: AttemptItem
  heading: string
  read: Read | undefined
  /** More failures wait below: the text leaves them room. */
  low: boolean
}) {
  const id = `attempt-${attempt.ordinal}`
  const whole = attempt.target?.replace(/\s+/g, ' ').trim() ?? ''
  const target = cutAtWord(whole, TARGET_CHARS_MAX)
  const targetLeft = target === whole ? 0 : whole.length - target.length + 1
  return (
    <section
      aria-labelledby={id}
      className="flex min-w-0 flex-col overflow-hidden rounded border border-line bg-surface"
    >
      <header className="space-y-1 border-b border-line px-4 py-2.5">
        <h2 id={id} className="flex flex-wrap items-center gap-x-2 text-sm font-medium text-ink-3">
          {heading}{' '}
          <span className="ml-auto font-normal">
            call {formatCount(attempt.ordinal + 1)} · <ExactTime at={attempt.startedAt} />
            {attempt.durationMs !== null && ` · ${formatDuration(attempt.durationMs)}`}
          </span>
        </h2>
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <CallGlyph state={attempt.state} />
          <span className="sr-only">{callWord(attempt.state)}:</span>
          <strong className="min-w-0 font-semibold [overflow-wrap:anywhere]">
            <VisibleText text={attempt.tool} />
          </strong>
          {attempt.failureClass && <Chip>{failureWords(attempt)}</Chip>}
          {attempt.exitCode !== null && <Chip>exit code {attempt.exitCode}</Chip>}
          {attempt.attempt !== null && attempt.attempt > 1 && <Chip>try {attempt.attempt}</Chip>}
        </p>
        {attempt.target !== null && (
          <p className="font-mono text-sm wrap-anywhere text-ink-2">
            <VisibleText text={target} />
            {targetLeft > 0 && (
              <span className="font-sans text-ink-3">
                {' '}
                {plural(targetLeft, 'more character')}, in the bytes of the call
              </span>
            )}
          </p>
        )}
      </header>
      <ErrorBox
        text={attempt.errorText}
        bytes={attempt.resultPointer && links.bytes(executionId, attempt.resultPointer)}
        low={low}
      />
      {read && (
        <div className="border-t border-line px-4 py-2 text-sm text-ink-2">
          <p>
            <span className="text-ink-3">What became of it:</span> <VisibleText text={read.ended} />
            {read.verdict !== null && <span className="font-medium">. {read.verdict}</span>}
          </p>
          {read.next !== null && (
            <p>
              <span className="text-ink-3">Next:</span> <VisibleText text={read.next} />
            </p>
          )}
        </div>
      )}
      <footer className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-sm">
        {attempt.resultPointer && (
          <Link
            href={links.bytes(executionId, attempt.resultPointer)}
            prefetch={false}
            className="link inline-flex items-center gap-1"
          >
            <FileSearch size={14} aria-hidden /> Bytes of the error
          </Link>
        )}
        {attempt.callPointer && (
          <Link href={links.bytes(executionId, attempt.callPointer)} prefetch={false} className="link">
            Bytes of the call
          </Link>
        )}
        <Link
          href={links.execution(executionId, 'attempts', { call: attempt.callId })}
          prefetch={false}
          className="link inline-flex items-center gap-1"
        >
          <ListTree size={14} aria-hidden /> Its tries
        </Link>
        {attempt.errorTextCut && (
          <span className="ml-auto text-ink-3">Head and tail of a longer text; the bytes hold all of it</span>
        )}
      </footer>
    </section>
  )
}
