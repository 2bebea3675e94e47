import type { DiffHunk } from '@/lib/views/fixes/diff-rows'
import { cn } from '../shared/ui/cn'
import { plural } from '../shared/format'
import { VisibleText } from '../shared/visible-text'
import { MASKED_SENTENCE } from './words'
import type { FixReason } from '@/lib/model/fix'

/** Why something is as it is, as its proposer says. */
export const Reasons = ({ reasons }: { reasons: readonly FixReason[] }) =>
  reasons.map(({ line, text }, index) => (
    <p key={index} className="max-w-4xl px-3 py-1.5 font-sans whitespace-pre-wrap wrap-anywhere text-ink">
      <span className="text-ink-2">Why{line !== null && ` line ${line}`} (proposer): </span>
      <VisibleText text={text} />
    </p>
  ))

/** Where a hunk stands, what white space hides in it, and why it is there. */
export function HunkHead({
  id,
  hunk,
  isCurrent,
  isMasked,
  pairsHidden,
  reasons,
  isSilent,
}: {
  id: string
  hunk: DiffHunk
  isCurrent: boolean
  /** Its heading holds what looks like a secret. */
  isMasked: boolean
  pairsHidden: number
  reasons: readonly FixReason[]
  /** Nothing is said of it, and something of others. */
  isSilent: boolean
}) {
  return (
    <div
      id={id}
      tabIndex={-1}
      aria-current={isCurrent || undefined}
      className={cn('border border-line bg-tint-none text-sm', isCurrent && 'border-l-2 border-l-accent')}
    >
      <div className="flex flex-wrap gap-x-3 px-2 py-1 font-mono text-ink-2">
        <span>
          @@ -{hunk.oldStart},{hunk.oldLines} +{hunk.newStart},{hunk.newLines} @@
        </span>
        <span className="min-w-0 wrap-anywhere">
          {isMasked ? MASKED_SENTENCE : <VisibleText text={hunk.heading} />}
        </span>
        {pairsHidden > 0 && (
          <span className="font-sans text-warn">
            {plural(pairsHidden, 'changed line')} {pairsHidden === 1 ? 'differs' : 'differ'} in whitespace
            only and {pairsHidden === 1 ? 'is' : 'are'} shown as unchanged
          </span>
        )}
        {isSilent && <span className="font-sans">no reason given</span>}
      </div>
      {reasons.length > 0 && (
        <div className="border-t border-line bg-surface">
          <Reasons reasons={reasons} />
        </div>
      )}
    </div>
  )
}
