import { ArrowRight } from 'lucide-react'
import Link from 'next/link'
import { links } from '@/lib/links'
import { VisibleText } from '../shared/visible-text'
import { VerdictMark } from './evidence'
import { FixStateMark } from './fix-state'
import { FlagSummary } from './fix-row'
import { NotEnabledMark } from './not-enabled'
import { fixName } from './words'
import type { FixItem } from '@/lib/model/fix'

const AHEAD = ['approved', 'proposed', 'changes_requested', 'applied']

/** The fix of a failure that a reader should know of: one that somebody still works on, else one that was applied, the newest first. */
export function leadingFix(fixes: readonly FixItem[]): FixItem | null {
  for (const state of AHEAD) {
    const found = fixes.findLast((fix) => fix.state === state)
    if (found) return found
  }
  return null
}

/** On the cause of a failure: that a fix is proposed for it, and what stands for and against it. */
export function FixLine({ executionId, fixes }: { executionId: string; fixes: readonly FixItem[] }) {
  const fix = leadingFix(fixes)
  if (fix === null) return null
  return (
    <section
      aria-labelledby="fix"
      className="flex flex-wrap items-center gap-x-4 gap-y-1 rounded border border-line bg-surface px-4 py-2.5"
    >
      <h2 id="fix" className="text-sm font-medium text-ink-2">
        A fix is proposed
      </h2>
      <Link href={links.fix(fix.id)} className="link inline-flex min-w-0 items-center gap-1 font-medium">
        <span className="min-w-0 wrap-anywhere">
          <VisibleText text={fixName(fix)} />
        </span>{' '}
        <ArrowRight size={14} aria-hidden className="shrink-0" />
      </Link>
      <FixStateMark state={fix.state} />
      <span className="inline-flex text-sm">
        <VerdictMark verdict={fix.verdict} />
      </span>
      <span className="text-sm">
        <FlagSummary reading={fix.reading} />
      </span>
      <span className="text-sm">
        <NotEnabledMark fix={fix} />
      </span>
      {fixes.length > 1 && (
        <Link href={links.execution(executionId, 'fixes')} className="link text-sm">
          All {fixes.length}
        </Link>
      )}
    </section>
  )
}
