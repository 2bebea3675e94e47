'use client'

import { ChevronRight } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useEffect, useRef } from 'react'
import type { DecisionLine as Line } from '@/lib/api/schemas'
import { retryReasonWords } from '@/lib/words/decision-values'
import { basisWords } from '@/lib/words/basis'
import { cn } from '../shared/ui/cn'
import { Outcome, StateGlyph, stateWord } from '../shared/glyphs'
import { Chip } from '../shared/ui/chip'
import { Kbd } from '../shared/ui/kbd'
import { VisibleText } from '../shared/visible-text'

// The line belongs to the first paint, what opens under it does not.
const DecisionPanel = dynamic(() => import('./decision-panel').then((m) => m.DecisionPanel), {
  loading: () => <div role="group" aria-busy="true" aria-label="Loading" className="skeleton m-4 h-72" />,
})

interface Props {
  executionId: string
  decision: Line
  open: boolean
  onOpen: (open: boolean) => void
}

/** The decision in one line, which opens into its inputs, the path through the rules, and what would change it. */
export function DecisionLine({ executionId, decision, open, onOpen }: Props) {
  const { contentState, outcome, retryReason, basis, missing, badges } = decision
  const line = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(open)
  useEffect(() => {
    // By its key it is opened from anywhere on the page.
    if (open && !wasOpen.current) line.current?.scrollIntoView({ block: 'nearest' })
    wasOpen.current = open
  }, [open])
  return (
    <section aria-label="Decision" id="decision" className="rounded border border-line bg-surface">
      <button
        ref={line}
        type="button"
        aria-expanded={open}
        onClick={() => onOpen(!open)}
        title={open ? 'Close decision (d)' : 'Open decision (d)'}
        className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 rounded px-3 py-2 text-left hover:bg-hover md:px-4"
      >
        <span className="inline-flex items-center gap-1.5 text-sm font-medium text-ink-3">
          <ChevronRight
            size={14}
            aria-hidden
            className={cn('-ml-0.5 transition-transform duration-[120ms]', open && 'rotate-90')}
          />
          Decision
        </span>
        <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
          <StateGlyph state={contentState} />
          {contentState === 'unknown' ? 'Content unknown' : <VisibleText text={stateWord(contentState)} />}
        </span>
        <span className="inline-flex font-medium">
          <Outcome outcome={outcome} />
        </span>
        <span className="text-ink-2">
          <VisibleText
            text={
              outcome === 'succeeded' && retryReason === 'none'
                ? 'no retry needed'
                : retryReasonWords(retryReason)
            }
          />
        </span>
        <span className="text-ink-3">
          {basisWords(basis)}
          {missing.length > 0 && `, ${missing.length === 1 ? '1 input' : `${missing.length} inputs`} missing`}
        </span>
        {badges.map(({ code, label, says }) => (
          <Chip
            key={code}
            title={says}
            className={code === 'differs' ? 'border-mark-line bg-tint-warn font-medium text-ink' : undefined}
          >
            {label}
          </Chip>
        ))}
        <span aria-hidden className="ml-auto max-md:hidden">
          <Kbd>d</Kbd>
        </span>
      </button>
      {open && <DecisionPanel executionId={executionId} />}
    </section>
  )
}
