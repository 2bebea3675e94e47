import { FileSearch, ListTree } from 'lucide-react'
import Link from 'next/link'
import type { AttemptItem } from '@/lib/api/schemas'
import { failureWords } from '@/lib/attempts/failure-words'
import { links } from '@/lib/links'
import { decisiveLine } from '@/lib/text/decisive-line'
import { cn } from '../shared/cn'
import { formatCount, formatDuration } from '../shared/format'
import { CallGlyph, callWord } from '../shared/glyphs'
import { ExactTime } from '../shared/time'
import { Chip } from '../shared/ui/chip'
import { VisibleText } from '../shared/visible-text'

/** What became of a failed call; and, where the advice of the page is about another one, its own answers. */
interface Read {
  ended: string
  verdict: string | null
  next: string | null
}

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
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col overflow-hidden rounded border border-line bg-surface">
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
          <strong className="shrink-0 font-semibold">
            <VisibleText text={attempt.tool} />
          </strong>
          {attempt.failureClass && <Chip>{failureWords(attempt)}</Chip>}
          {attempt.exitCode !== null && <Chip>exit code {attempt.exitCode}</Chip>}
          {attempt.attempt !== null && attempt.attempt > 1 && <Chip>try {attempt.attempt}</Chip>}
        </p>
        {attempt.target !== null && (
          <p className="truncate font-mono text-sm text-ink-2" title={attempt.target}>
            <VisibleText text={attempt.target.replace(/\s+/g, ' ')} />
          </p>
        )}
      </header>
      <pre
        tabIndex={0}
        aria-label="Error text"
        className={cn('min-h-14 flex-1 overflow-auto px-4 py-2.5 font-mono text-sm whitespace-pre-wrap', low ? 'max-h-24' : 'max-h-40')}
      >
        {attempt.errorText ? <ErrorText text={attempt.errorText} /> : <span className="text-ink-3">The call failed without a text.</span>}
      </pre>
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
          <Link href={links.bytes(executionId, attempt.resultPointer)} prefetch={false} className="link inline-flex items-center gap-1">
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
          <ListTree size={14} aria-hidden /> Its chain
        </Link>
        {attempt.errorTextCut && (
          <span className="ml-auto text-ink-3">Head and tail of a longer text; the bytes hold all of it</span>
        )}
      </footer>
    </section>
  )
}

/** Lines of context that stay above the line that says why. */
const LINES_BEFORE = 2

/** The text, opened near the line that says why: what a program printed before it is folded, and the fold says how much it holds. */
function ErrorText({ text }: { text: string }) {
  const decisive = decisiveLine(text)
  const before = decisive === null ? [] : text.slice(0, decisive.start).split('\n').slice(0, -1)
  const folded = before.length - LINES_BEFORE
  if (folded < 4) return <VisibleText text={text} />
  const head = before.slice(0, folded).join('\n')
  return (
    <>
      <details>
        <summary className="link cursor-pointer font-sans">{formatCount(folded)} lines before</summary>
        <VisibleText text={head} />
      </details>
      <VisibleText text={text.slice(head.length + 1)} />
    </>
  )
}
