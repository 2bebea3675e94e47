import { formatDuration } from '../shared/format'
import { VisibleText } from '../shared/visible-text'
import type { FixDetail } from '@/lib/model/fix'

/** What the proposer was allowed, and what it took; a budget that nobody stated is missing, not unlimited. */
export function Budget({ fix: { budget } }: { fix: FixDetail }) {
  const { attempts, wallClockMs, endedBy } = budget
  const part = (name: string, { limit, used }: typeof attempts, write: (n: number) => string) => {
    const over = limit !== null && used !== null && used > limit
    return (
      <li className="flex flex-wrap gap-x-2">
        <span className="text-ink-2">{name}</span>{' '}
        <span className={over ? 'font-medium text-bad' : undefined}>
          {used === null ? 'usage not reported' : write(used)}
        </span>{' '}
        <span>
          {limit === null ? <span className="text-warn">limit not reported</span> : `of ${write(limit)}`}
        </span>{' '}
        {over && <span className="font-medium text-bad">over the limit</span>}
      </li>
    )
  }
  return (
    <section aria-labelledby="budget" className="rounded border border-line bg-surface p-3">
      <h2 id="budget" className="font-semibold">
        Budget
      </h2>
      <ul className="mt-1 space-y-0.5">
        {part('Attempts', attempts, String)}
        {part('Wall clock', wallClockMs, formatDuration)}
        <li className="flex gap-x-2">
          <span className="text-ink-2">Ended by</span>{' '}
          {endedBy === null ? (
            <span className="text-ink-2 italic">unknown</span>
          ) : (
            <VisibleText text={endedBy} />
          )}
        </li>
      </ul>
    </section>
  )
}
