import Link from 'next/link'
import { useId } from 'react'
import type { ChainView, ChainedAttempt } from '@/lib/views/attempts/chained-attempts'
import { retryReasonWords } from '@/lib/words/decision-values'
import { links } from '@/lib/links'
import { cn } from '../shared/ui/cn'
import { OutcomeGlyph, StateGlyph, stateWord } from '../shared/glyphs'
import { ExactTime } from '../shared/time'
import { VisibleText } from '../shared/visible-text'

/** The first failing attempt, which often holds the clue, beside the last one. */
export function FailedAttempts({ view: { first, last } }: { view: ChainView }) {
  if (first === null || last === null) return null
  return (
    <div
      className={cn(
        'grid border-t border-line',
        first !== last && 'divide-line max-md:divide-y md:grid-cols-2 md:divide-x',
      )}
    >
      <FailedAttempt
        one={first}
        heading={first === last ? 'Only failing attempt' : 'First failing attempt'}
      />
      {first !== last && <FailedAttempt one={last} heading="Last failing attempt" />}
    </div>
  )
}

function FailedAttempt({
  one: { attempt, place, current },
  heading,
}: {
  one: ChainedAttempt
  heading: string
}) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="min-w-0 px-3 py-2.5">
      <h3 id={id} className="flex flex-wrap items-center gap-x-2 text-sm font-medium text-ink-3">
        {heading}
        <span className="ml-auto font-normal">
          attempt {place}
          {current && ', this one'} · <ExactTime at={attempt.startedAt} />
        </span>
      </h3>
      <p className="mt-1 flex items-start gap-2">
        <span className="mt-0.5">
          <OutcomeGlyph outcome={attempt.outcome} label size={15} />
        </span>
        <span className="min-w-0 whitespace-pre-wrap wrap-anywhere">
          {attempt.cause ? <VisibleText text={attempt.cause.text} /> : 'Cause unknown.'}
        </span>
      </p>
      <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-0.5 text-sm text-ink-2">
        {attempt.contentState !== 'unknown' && (
          <span className="inline-flex items-center gap-1.5">
            <StateGlyph state={attempt.contentState} size={13} />{' '}
            <VisibleText text={stateWord(attempt.contentState)} />
          </span>
        )}
        {attempt.retryReason !== 'unknown' && (
          <span>
            <VisibleText text={retryReasonWords(attempt.retryReason)} />
          </span>
        )}
        <Link
          href={links.execution(attempt.id, 'cause', { decision: 'open' })}
          prefetch={false}
          className="link ml-auto"
        >
          View decision of attempt {place}
        </Link>
      </p>
    </section>
  )
}
