import { Info } from 'lucide-react'
import Link from 'next/link'
import type { ExecutionDetail } from '@/lib/api/schemas'
import { links } from '@/lib/links'
import { cn } from '../shared/ui/cn'
import { VisibleText } from '../shared/visible-text'

/** What the failure block of a run breaks of its contract: beside the verdict, never a part of it. */
export function SignalHints({
  executionId,
  hints,
  className,
}: {
  executionId: string
  hints: ExecutionDetail['signalHints']
  className?: string
}) {
  if (hints.length === 0) return null
  return (
    <ul
      aria-label="Hints on the failure block (they change no verdict)"
      className={cn('space-y-0.5 text-sm text-ink-2', className)}
    >
      {hints.map(({ breach, text, pointer }) => (
        <li key={breach} className="flex items-start gap-1.5">
          <Info size={14} aria-hidden className="mt-[3px] shrink-0 text-ink-3" />
          <span>
            <span className="text-ink-3">Hint:</span> <VisibleText text={text} />{' '}
            <Link
              href={links.bytes(executionId, pointer)}
              prefetch={false}
              className="link whitespace-nowrap"
            >
              View raw block
            </Link>
          </span>
        </li>
      ))}
    </ul>
  )
}
