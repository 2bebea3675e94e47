import { EyeOff, Unlink } from 'lucide-react'
import Link from 'next/link'
import type { ExecutionDetail } from '@/lib/api/schemas'
import { links } from '@/lib/links'
import { silenceWords } from '@/lib/words/receipts'
import { cn } from '../shared/ui/cn'
import { formatCount, plural } from '../shared/format'
import { VisibleText } from '../shared/visible-text'

type Silence = NonNullable<ExecutionDetail['silence']>
type Finding = Silence['findings'][number]

const SHOWN_AT_FIRST = 6

/** The receipt that a finding is at, opened at its tile. */
const tileOf = (executionId: string, { receipts }: Finding): string =>
  links.execution(executionId, 'receipts', { receipt: receipts.at(-1)?.key })

/** The first finding, in one calm line, with the number of others. */
export function SilenceLine({
  executionId,
  silence,
  className,
}: {
  executionId: string
  silence: Silence | null
  className?: string
}) {
  const first = silence?.findings[0]
  if (!silence || !first) return null
  // That no key is here is said where nothing else is: it tells of no place in the record.
  const others = Math.max(0, allOf(silence) - (silence.counts['unproven'] ?? 0) - 1)
  return (
    <p className={`flex items-baseline gap-1.5 text-sm text-ink-2 ${className ?? ''}`}>
      <Glyph kind={first.kind} className="shrink-0 translate-y-0.5" />
      <span className="min-w-0 wrap-anywhere">
        <Link href={tileOf(executionId, first)} prefetch={false} className="link">
          <VisibleText text={silenceWords(first).says} />
        </Link>
        .
        {others > 0 && (
          <>
            {' '}
            <Link href={links.execution(executionId, 'receipts')} prefetch={false} className="link">
              {plural(others, 'more such place')}
            </Link>{' '}
            in its receipts.
          </>
        )}
      </span>
    </p>
  )
}

/** All of them, each with its tile. */
export function SilenceList({ executionId, silence }: { executionId: string; silence: Silence | null }) {
  if (!silence || silence.findings.length === 0) return null
  const rest = silence.findings.slice(SHOWN_AT_FIRST)
  const leftOut = allOf(silence) - silence.findings.length
  return (
    <section aria-labelledby="silence" className="rounded border border-line bg-surface px-4 py-3">
      <h2 id="silence" className="flex items-center gap-1.5 font-medium">
        <Glyph kind={silence.findings[0]!.kind} /> Receipt problems
      </h2>
      <Items executionId={executionId} findings={silence.findings.slice(0, SHOWN_AT_FIRST)} />
      {rest.length > 0 && (
        <details className="mt-1 text-sm">
          <summary className="cursor-pointer text-ink-2">{formatCount(rest.length)} more</summary>
          <Items executionId={executionId} findings={rest} />
        </details>
      )}
      {leftOut > 0 && <p className="mt-1 text-sm text-ink-3">{formatCount(leftOut)} more are not listed.</p>}
    </section>
  )
}

function Glyph({ kind, className }: { kind: string; className?: string }) {
  const Icon = kind === 'broken' ? Unlink : EyeOff
  return (
    <Icon size={14} aria-hidden className={cn(kind === 'broken' ? 'text-bad' : 'text-ink-3', className)} />
  )
}

const allOf = ({ counts }: Silence): number => Object.values(counts).reduce((sum, n) => sum + n, 0)

function Items({ executionId, findings }: { executionId: string; findings: readonly Finding[] }) {
  return (
    <ul className="mt-1 space-y-1 text-sm">
      {findings.map((finding, index) => {
        const { says, why } = silenceWords(finding)
        const [at, earlier] = [
          finding.receipts.at(-1),
          finding.receipts.length > 1 ? finding.receipts[0] : undefined,
        ]
        return (
          <li key={index} className="wrap-anywhere">
            <Link href={tileOf(executionId, finding)} prefetch={false} className="link">
              <VisibleText text={says} />
            </Link>
            <span className="text-ink-3">
              {why !== null && ` (${why})`}
              {at?.chainId != null && (
                <>
                  {' '}
                  in chain <VisibleText text={at.chainId} />
                </>
              )}
              {earlier?.key != null && (
                <>
                  ,{' '}
                  <Link
                    href={links.execution(executionId, 'receipts', { receipt: earlier.key })}
                    prefetch={false}
                    className="link"
                  >
                    receipt {earlier.sequence ?? 'without a number'}
                  </Link>
                </>
              )}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

/** What a list without failures proves, of an execution whose receipts came or not. */
export const NO_TRACE =
  'A hook is a separate process per call, and a failed hook leaves no trace. Receipts without failures don’t prove that nothing failed.'
