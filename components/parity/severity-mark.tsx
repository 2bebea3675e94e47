import type { Severity } from '@/lib/model/parity'
import { cn } from '../shared/ui/cn'

/** A letter, a shape and a tone for each severity: any of them tells it. */
export const SEVERITY_LOOKS: Record<Severity, { letter: string; tone: string; tint: string; shape: string }> =
  {
    critical: {
      letter: 'C',
      tone: 'text-bad',
      tint: 'bg-tint-bad border-bad',
      shape: 'M5.4 1.7h5.2l3.7 3.7v5.2l-3.7 3.7H5.4l-3.7-3.7V5.4z',
    },
    high: {
      letter: 'H',
      tone: 'text-bad',
      tint: 'bg-tint-bad border-line-strong',
      shape: 'M8 1.6 14.6 13.8H1.4z',
    },
    medium: {
      letter: 'M',
      tone: 'text-warn',
      tint: 'bg-tint-warn border-line-strong',
      shape: 'M8 1.4 14.6 8 8 14.6 1.4 8z',
    },
    low: { letter: 'L', tone: 'text-run', tint: 'bg-tint-run border-line', shape: 'M2.2 2.2h11.6v11.6H2.2z' },
    info: {
      letter: 'I',
      tone: 'text-none',
      tint: 'bg-tint-none border-line',
      shape: 'M14.1 8A6.1 6.1 0 1 1 1.9 8a6.1 6.1 0 0 1 12.2 0z',
    },
  }

/** The shape and the letter; the word is beside it, or in the name of what it is in. */
export function SeverityMark({ severity, className }: { severity: Severity; className?: string }) {
  const { letter, tone, shape } = SEVERITY_LOOKS[severity]
  return (
    <span aria-hidden className={cn('inline-flex items-center gap-0.5 font-semibold', tone, className)}>
      <svg viewBox="0 0 16 16" width={12} height={12} className="shrink-0">
        <path
          d={shape}
          fill={severity === 'critical' ? 'currentColor' : 'none'}
          stroke="currentColor"
          strokeWidth={1.75}
          strokeLinejoin="round"
        />
      </svg>
      {letter}
    </span>
  )
}
