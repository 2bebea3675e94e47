import { Info, OctagonX, TriangleAlert } from 'lucide-react'
import { cn } from '../shared/ui/cn'
import { VisibleText } from '../shared/visible-text'
import type { FixFlag } from '@/lib/model/fix'

const isGrave = (weight: string): boolean => weight === 'blocking' || weight === 'high'

/** How much a flag weighs: shape, word and colour. */
export function FlagWeight({ weight }: { weight: string }) {
  const Icon = weight === 'blocking' ? OctagonX : weight === 'low' ? Info : TriangleAlert
  return (
    <span
      className={cn(
        'inline-flex shrink-0 items-center gap-1 font-medium',
        weight === 'blocking' ? 'text-bad' : isGrave(weight) ? 'text-warn' : 'text-ink-2',
      )}
    >
      <Icon size={14} aria-hidden /> <span className="self-baseline">{weight}</span>
    </span>
  )
}

/** A flag beside the lines that it is about. */
export const FlagNote = ({ flag }: { flag: FixFlag }) => (
  <div
    className={cn(
      'flex flex-wrap items-baseline gap-x-2 border-l-2 font-sans px-3 py-1.5',
      flag.weight === 'blocking'
        ? 'border-bad bg-tint-bad'
        : isGrave(flag.weight)
          ? 'border-warn bg-tint-warn'
          : 'border-line-strong',
    )}
  >
    <FlagWeight weight={flag.weight} />
    <span className="min-w-0">
      <VisibleText text={flag.sentence} />
    </span>
    {flag.detail !== null && (
      <span className="min-w-0 text-ink-2 wrap-anywhere">
        <VisibleText text={flag.detail} />
      </span>
    )}
    <code className="font-mono text-sm text-ink-2">{flag.code}</code>
  </div>
)
