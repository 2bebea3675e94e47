import { CircleSlash, OctagonMinus, ThumbsUp } from 'lucide-react'
import Link from 'next/link'
import { Fragment, useId } from 'react'
import type { ReplayedChain, UnrequestedAttempts } from '@/lib/api/replay-schemas'
import type { Unasked } from '@/lib/judge/decisions/compare-policies'
import { links } from '@/lib/links'
import { codeWords } from '@/lib/text/code-words'
import { cn } from '../shared/ui/cn'
import { formatCount, formatDuration, plural } from '../shared/format'
import { Outcome, outcomeTint } from '../shared/glyphs'
import { VisibleText } from '../shared/visible-text'
import { reasonWords, spentWords } from './words'

/** Attempts that a policy would not have made, by their chain: what they took, and where the policy would have stopped. */
export function UnaskedSection({
  kind,
  title,
  lead,
  policy,
  unrequested,
}: {
  kind: Unasked
  title: string
  lead: string
  policy: string
  unrequested: UnrequestedAttempts
}) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="space-y-3">
      <div>
        <h2 id={id} className="text-md font-semibold">
          {title}
        </h2>
        <p className="text-ink-2">
          <strong className="font-semibold text-ink">
            {plural(unrequested.attempts, 'attempt', 'attempts')}
          </strong>{' '}
          in {plural(unrequested.chains, 'chain')}: {spentWords(unrequested).join(', ')}. {lead}
        </p>
      </div>
      <ol className="space-y-3">
        {unrequested.items.map((chain) => (
          <ChainCard key={chain.id} kind={kind} chain={chain} policy={policy} />
        ))}
      </ol>
      {unrequested.chains > unrequested.items.length && (
        <p className="text-sm text-ink-2">
          Showing the {formatCount(unrequested.items.length)} of {formatCount(unrequested.chains)} chains with
          the longest attempts. Filter to narrow the list.
        </p>
      )}
    </section>
  )
}

function ChainCard({ kind, chain, policy }: { kind: Unasked; chain: ReplayedChain; policy: string }) {
  const left = chain.size - chain.items.length
  const firstUnasked = chain.items.findIndex(({ unrequested }) => unrequested !== null)
  return (
    <li className="rounded border border-line bg-surface">
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-0.5 border-b border-line px-3 py-2">
        <strong className="min-w-0 truncate font-semibold" title={chain.name}>
          <VisibleText text={chain.name} />
        </strong>
        <span className="text-sm text-ink-3">
          {chain.basis === 'recorded'
            ? 'chain recorded by the source'
            : `chain inferred: ${codeWords(chain.rule)}`}
        </span>
        <span className="text-ink-2 md:ml-auto">
          {formatCount(chain.attempts)} of {plural(chain.size, 'attempt', 'attempts')}{' '}
          {kind === 'needless' ? 'needless' : 'led to a success'}: {spentWords(chain).join(', ')}
        </span>
      </div>
      <ol className="flex items-stretch overflow-x-auto p-3 max-md:flex-col">
        {chain.items.map((one, i) => (
          <Fragment key={one.id}>
            {i > 0 && <Edge stops={i === firstUnasked ? policy : null} />}
            <Tile one={one} />
          </Fragment>
        ))}
      </ol>
      {left > 0 && (
        <p className="px-3 pb-2 text-sm text-ink-2">
          {plural(left, 'more attempt', 'more attempts')} in this chain.
        </p>
      )}
    </li>
  )
}

const MARKS = {
  needless: { Icon: CircleSlash, word: 'needless', look: 'text-bad' },
  helped: { Icon: ThumbsUp, word: 'helped', look: 'text-good' },
} as const

function Tile({ one }: { one: ReplayedChain['items'][number] }) {
  const { execution, verdict, unrequested } = one
  const outcome = verdict?.outcome ?? one.stored
  const took =
    execution.startedAt !== null && execution.endedAt !== null
      ? Date.parse(execution.endedAt) - Date.parse(execution.startedAt)
      : null
  const mark = unrequested && MARKS[unrequested]
  return (
    <li className="shrink-0 md:w-48">
      <Link
        data-row
        href={links.decided(one.id)}
        prefetch={false}
        className={cn(
          'flex h-full flex-col overflow-hidden rounded border hover:border-control',
          mark ? 'border-dashed border-control' : 'border-line-strong',
        )}
      >
        <span className={cn('flex h-7 items-center gap-1.5 px-2.5', !mark && outcomeTint(outcome))}>
          <span className="font-medium">Attempt {one.place}</span>
          {mark && (
            <span className={cn('inline-flex items-center gap-1 text-sm', mark.look)}>
              <mark.Icon size={13} aria-hidden /> {mark.word}
            </span>
          )}
          <span className="ml-auto text-sm text-ink-2">
            {took === null ? '' : formatDuration(Math.max(0, took))}
          </span>
        </span>
        <span className="block space-y-0.5 px-2.5 py-1.5 text-sm text-ink-2">
          <span className="flex items-center text-ink">
            <Outcome outcome={outcome} size={13} />
          </span>
          <span className="block">
            {verdict === null
              ? 'stored verdict; cannot be replayed'
              : `${codeWords(verdict.contentState)}, ${reasonWords(verdict.retryReason)}`}
          </span>
        </span>
      </Link>
    </li>
  )
}

/** Between two attempts; where the policy would have made no further one it says so. */
const Edge = ({ stops }: { stops: string | null }) => (
  <li
    aria-hidden={stops === null}
    className={cn(
      'flex shrink-0 items-center justify-center text-center text-xs text-ink-2 max-md:py-1.5',
      stops === null ? 'w-6 max-md:w-full' : 'w-24 gap-1 px-1.5 max-md:w-full md:flex-col',
    )}
  >
    {stops === null ? (
      <span className="text-control max-md:rotate-90">→</span>
    ) : (
      <>
        <OctagonMinus size={15} aria-hidden className="shrink-0 text-bad" />
        <span>{stops} stops here</span>
      </>
    )}
  </li>
)
