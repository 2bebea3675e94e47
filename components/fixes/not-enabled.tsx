import { TriangleAlert } from 'lucide-react'
import type { FixItem } from '@/lib/model/fix'

/** In a list: that nothing says that proposing was enabled in the run of CI that the fix comes from. */
export const NotEnabledMark = ({ fix }: { fix: Pick<FixItem, 'notEnabled'> }) =>
  fix.notEnabled ? (
    <span className="inline-flex items-center gap-1 font-medium whitespace-nowrap text-warn">
      <TriangleAlert size={14} aria-hidden className="shrink-0" /> in CI, not enabled
    </span>
  ) : null

/** The same in a sentence. */
export const NotEnabledNote = ({ fix }: { fix: Pick<FixItem, 'notEnabled'> }) =>
  fix.notEnabled ? (
    <p className="flex items-baseline gap-1.5">
      <TriangleAlert size={14} aria-hidden className="mt-1 shrink-0 self-start text-warn" />
      <span>
        <strong className="font-medium text-warn">In CI, not enabled.</strong> Proposing is off in CI by
        default, and no record shows that it was enabled.
      </span>
    </p>
  ) : null
