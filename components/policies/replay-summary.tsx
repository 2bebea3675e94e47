import type { ReactNode } from 'react'
import type { PolicyReplay } from '@/lib/api/replay-schemas'
import { formatCount } from '../shared/format'
import { lackingSentences, spentWords, totalWords } from './words'

/** The counts, first: what was replayed, what flips, what was needless. While the rest is under way they say that they are not whole. */
export function ReplaySummary({ replay, soFar }: { replay: PolicyReplay; soFar: boolean }) {
  const { replayable, total, flips, needless, helped } = replay
  const yet = soFar ? ' so far' : ''
  return (
    <dl
      aria-busy={soFar}
      className="grid gap-px overflow-hidden rounded border border-line bg-line grid-cols-2 lg:grid-cols-4"
    >
      <Fact name="Replayed" count={formatCount(replayable)} of={`of ${totalWords(replay)}${yet}`}>
        {soFar
          ? 'Newest first. The rest is loading.'
          : replayable === total
            ? `${replay.totalCapped ? 'All of the newest executions have' : 'All executions have'} their evidence.`
            : lackingSentences(replay).join(' ')}
        {!soFar && replay.totalCapped && ` Older ones are not included.`}
      </Fact>
      <Fact name="Changed decisions" count={formatCount(flips)} of={yet}>
        {flips === 0 ? 'Both policies agree.' : 'Different outcome or retry reason.'}
      </Fact>
      <Fact name="Needless attempts" count={formatCount(needless.attempts)} of={yet}>
        {needless.attempts === 0 ? `${replay.to} asked for every retry.` : spentWords(needless).join(', ')}
      </Fact>
      <Fact name="Retries this policy would have missed" count={formatCount(helped.attempts)} of={yet}>
        {helped.attempts === 0 ? 'None.' : `${replay.to} would not have retried, but a success followed.`}
      </Fact>
    </dl>
  )
}

const Fact = ({
  name,
  count,
  of,
  children,
}: {
  name: string
  count: string
  of: string
  children: ReactNode
}) => (
  <div className="bg-surface px-3 py-2">
    <dt className="text-sm text-ink-2">{name}</dt>
    <dd>
      <span className="text-lg font-semibold">{count}</span> <span className="text-ink-2">{of}</span>
      <span className="block text-sm text-ink-2">{children}</span>
    </dd>
  </div>
)
