import { FileSearch, ListTree } from 'lucide-react'
import Link from 'next/link'
import type { CallItem } from '@/lib/api/schemas'
import { failureWords } from '@/lib/words/failures'
import { CALL_VERDICTS } from '@/lib/words/verdicts'
import { FIRST_SCREEN } from '@/lib/words/first-screen'
import type { ReadOfCall } from '@/lib/views/executions/failing-calls'
import { links } from '@/lib/links'
import { cutAtWord } from '@/lib/text/visible'
import { formatCount, formatDuration, plural } from '../shared/format'
import { CallGlyph, callWord } from '../shared/glyphs'
import { ExactTime } from '../shared/time'
import { Chip } from '../shared/ui/chip'
import { VisibleText } from '../shared/visible-text'
import { ErrorBox } from './error-box'

/** Two lines at most where two calls are beside each other. */
const TARGET_CHARS_MAX = 120

/** One failed call with the text it failed with, whole or with a mark, what became of it, and the way to its bytes. */
export function FailingCall({
  executionId,
  call,
  heading,
  read,
  low,
}: {
  executionId: string
  call: CallItem
  heading: string
  read: ReadOfCall | undefined
  /** More failures wait below: the text leaves them room. */
  low: boolean
}) {
  const id = `attempt-${call.ordinal}`
  const whole = call.target?.replace(/\s+/g, ' ').trim() ?? ''
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
            call {formatCount(call.ordinal + 1)} · <ExactTime at={call.startedAt} />
            {call.durationMs !== null && ` · ${formatDuration(call.durationMs)}`}
          </span>
        </h2>
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <CallGlyph state={call.state} />
          <span className="sr-only">{callWord(call.state)}:</span>
          <strong className="min-w-0 font-semibold [overflow-wrap:anywhere]">
            <VisibleText text={call.tool} />
          </strong>
          {call.failureClass && <Chip>{failureWords(call)}</Chip>}
          {call.exitCode !== null && <Chip>exit code {call.exitCode}</Chip>}
          {call.numberInChain !== null && call.numberInChain > 1 && (
            <Chip>retry {call.numberInChain - 1}</Chip>
          )}
        </p>
        {call.target !== null && (
          <p className="font-mono text-sm wrap-anywhere text-ink-2">
            <VisibleText text={target} />
            {targetLeft > 0 && (
              <span className="font-sans text-ink-3">
                {' '}
                {plural(targetLeft, 'more character')} in the raw call
              </span>
            )}
          </p>
        )}
      </header>
      <ErrorBox text={call.errorText} low={low} />
      {read && (
        <div className="border-t border-line px-4 py-2 text-sm text-ink-2">
          <p>
            <span className="text-ink-3">{FIRST_SCREEN.afterwards}:</span> <VisibleText text={read.ended} />
            {read.verdict !== null && <span className="font-medium">. {read.verdict}</span>}
          </p>
          {read.next !== null && (
            <p>
              <span className="text-ink-3">{FIRST_SCREEN.nextOfCall}:</span> <VisibleText text={read.next} />
            </p>
          )}
        </div>
      )}
      {call.retry && (
        <p className="border-t border-line px-4 py-2 text-sm text-ink-2" title={`Rule: ${call.retry.rule}`}>
          <span className="text-ink-3">Identical retry:</span>{' '}
          <span className="font-medium">{CALL_VERDICTS[call.retry.verdict]}</span>.{' '}
          <VisibleText text={call.retry.text} />
        </p>
      )}
      <footer className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-sm">
        {call.resultPointer && (
          <Link
            href={links.bytes(executionId, call.resultPointer)}
            prefetch={false}
            className="link inline-flex items-center gap-1"
          >
            <FileSearch size={14} aria-hidden /> View raw error
          </Link>
        )}
        {call.callPointer && (
          <Link href={links.bytes(executionId, call.callPointer)} prefetch={false} className="link">
            View raw call
          </Link>
        )}
        <Link
          href={links.execution(executionId, 'calls', { call: call.callId })}
          prefetch={false}
          className="link inline-flex items-center gap-1"
        >
          <ListTree size={14} aria-hidden /> View retries
        </Link>
        {call.errorTextCut && <span className="ml-auto text-ink-3">Truncated</span>}
      </footer>
    </section>
  )
}
