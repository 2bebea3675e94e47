import { ExactTime } from '../shared/time'
import { VisibleText } from '../shared/visible-text'
import type { FixDetail } from '@/lib/model/fix'

const TRIED: Record<string, string> = {
  approved: 'approve this fix',
  changes_requested: 'request changes',
  rejected: 'reject this fix',
  applied: 'report it as applied',
}

/** Who came late with a decision: the one who was first hears of it here. */
export const LateReviews = ({ fix: { lateReviews } }: { fix: FixDetail }) => (
  <div
    role="status"
    aria-label="Late reviews"
    className={
      lateReviews.length === 0
        ? undefined
        : 'mx-4 mt-4 rounded border border-warn bg-tint-warn px-3 py-2 md:mx-6'
    }
  >
    {lateReviews.map(({ by, at, to }, index) => (
      <p key={index}>
        <VisibleText text={by} /> also tried to {Object.hasOwn(TRIED, to) ? TRIED[to] : to},{' '}
        <ExactTime at={at} />
        after the fix had been reviewed. Nothing was saved.
      </p>
    ))}
  </div>
)
