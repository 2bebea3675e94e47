'use client'

import { FileDiff, Repeat2 } from 'lucide-react'
import Link from 'next/link'
import { useEffect, useMemo, useRef } from 'react'
import {
  type Spent,
  type ChainedAttempt,
  type AttemptEdge,
  viewChain,
} from '@/lib/views/attempts/chained-attempts'
import { retryReasonWords } from '@/lib/words/decision-values'
import { verdictWords } from '@/lib/words/verdicts'
import { links } from '@/lib/links'
import { fixStateWord } from '../fixes/words'
import { linkRuleWords, attemptMadeWords } from '../execution-data/words'
import { cn } from '../shared/ui/cn'
import { formatCost, formatCount, formatDuration, plural } from '../shared/format'
import { OutcomeGlyph, outcomeTint, outcomeWord, StateGlyph, stateWord } from '../shared/glyphs'
import { VisibleText } from '../shared/visible-text'
import { ArrowDown, ArrowRight } from './edge-arrow'
import { FailedAttempts } from './failed-attempts'
import { RepeatedEffects } from './repeated-effects'
import type { ChainAttempt, ExecutionChain } from '@/lib/views/attempts/chain'

/** Attempts that are broken into lines, so that all of them are seen; more are in one line that is moved. */
const WRAPPED_MAX = 12

/** One piece of work that was run several times: a tile for each attempt, and on each edge why the next one was made. */
export function ExecutionChainStrip({ chain, id }: { chain: ExecutionChain; id: string }) {
  const view = useMemo(() => viewChain(chain, id), [chain, id])
  const againBy = (attemptId: string): number =>
    chain.repeatedEffects.filter(({ done }) => done.findIndex((one) => one.attemptId === attemptId) > 0)
      .length
  const strip = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const tile = strip.current?.querySelector<HTMLElement>('[aria-current]')
    if (tile)
      strip.current!.scrollLeft = tile.offsetLeft - (strip.current!.clientWidth - tile.offsetWidth) / 2
  }, [id])
  return (
    <article aria-label={`Chain ${chain.name}`} className="rounded border border-line bg-surface">
      <header className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-0.5 border-b border-line px-3 py-2">
        <strong className="min-w-0 font-semibold wrap-anywhere">
          <VisibleText text={chain.name} />
        </strong>
        <span className="text-sm text-ink-2">
          {chain.basis === 'recorded' ? 'asserted' : 'inferred'}: {linkRuleWords(chain.rule)}
        </span>
        <Wasted view={view} />
      </header>
      <ol
        ref={strip}
        className={cn(
          'relative flex items-start p-3 max-md:flex-col',
          view.attempts.length > WRAPPED_MAX ? 'overflow-x-auto' : 'gap-y-3 md:flex-wrap',
        )}
      >
        {view.attempts.map((one) => (
          <li key={one.attempt.id} className="flex shrink-0 items-start max-md:w-full max-md:flex-col">
            {one.edge && <Edge edge={one.edge} />}
            <div className="max-md:w-full">
              <Tile one={one} again={againBy(one.attempt.id)} />
              <AttemptFixes attempt={one.attempt} />
            </div>
          </li>
        ))}
      </ol>
      {chain.attemptsLeftOut > 0 && (
        <p className="px-3 pb-2 text-sm text-ink-3">
          {plural(chain.attemptsLeftOut, 'later attempt', 'later attempts')} not shown.
        </p>
      )}
      <RepeatedEffects chain={chain} attempts={view.attempts} />
      <FailedAttempts view={view} />
    </article>
  )
}

/** What brought nothing, and what of it could not have. */
function Wasted({ view: { attempts, wasted, inVain } }: { view: ReturnType<typeof viewChain> }) {
  if (wasted.attempts === 0) return <span className="text-sm text-ink-2 md:ml-auto">No failed attempts.</span>
  return (
    <p className="text-sm text-ink-2 md:ml-auto">
      <span className="font-medium">
        {wasted.attempts} of {plural(attempts.length, 'attempt', 'attempts')} failed
      </span>
      : {spentWords(wasted)}
      {inVain.attempts > 0 && (
        <>
          {' · '}
          <span className="font-medium text-ink">
            {inVain.attempts === 1 ? '1 could not have helped' : `${inVain.attempts} could not have helped`}
          </span>
          : {spentWords(inVain)}
        </>
      )}
    </p>
  )
}

const spentWords = ({ durationMs, costUsd, tokens, atLeast }: Spent): string =>
  `${atLeast ? 'at least ' : ''}${[formatDuration(durationMs), costUsd === null ? 'cost unknown' : formatCost(costUsd), `${formatCount(tokens)} tokens`].join(', ')}`

function Tile({
  one: { attempt, place, current, durationMs },
  again,
}: {
  one: ChainedAttempt
  again: number
}) {
  const tokens = attempt.inputTokens + attempt.outputTokens
  return (
    <Link
      href={links.execution(attempt.id, 'calls')}
      prefetch={false}
      aria-current={current ? 'true' : undefined}
      className={cn(
        'flex w-full flex-col overflow-hidden rounded border text-left hover:border-control md:h-40 md:w-64',
        current ? 'border-accent shadow-[0_0_0_1px_var(--accent)]' : 'border-line-strong',
      )}
    >
      <span
        className={cn('flex h-7 w-full shrink-0 items-center gap-1.5 px-2.5', outcomeTint(attempt.outcome))}
      >
        <OutcomeGlyph outcome={attempt.outcome} size={14} />
        <span className="font-medium">Attempt {place}</span>
        <span className="truncate text-sm text-ink-2">{outcomeWord(attempt.outcome).toLowerCase()}</span>
        <span className="ml-auto flex shrink-0 items-center gap-2 text-sm text-ink-2">
          {again > 0 && (
            <span
              className="flex items-center gap-1 text-warn"
              title={`${plural(again, 'effect')} repeated from an earlier attempt`}
            >
              <Repeat2 size={14} aria-hidden /> {again} again
            </span>
          )}
          {current && 'this one'}
        </span>
      </span>
      <span className="flex min-h-0 flex-1 flex-col gap-1 px-2.5 py-1.5">
        {attempt.contentState !== 'unknown' && (
          <span className="flex items-center gap-1.5 text-sm">
            <StateGlyph state={attempt.contentState} size={13} />{' '}
            <VisibleText text={stateWord(attempt.contentState)} />
          </span>
        )}
        <span className="line-clamp-3 text-sm wrap-anywhere text-ink-2">
          {attempt.cause ? (
            <VisibleText text={attempt.cause.headline} />
          ) : attempt.outcome === 'succeeded' ? (
            'Succeeded.'
          ) : (
            'Cause unknown.'
          )}
        </span>
        <span className="mt-auto flex gap-x-3 overflow-hidden text-sm whitespace-nowrap text-ink-3">
          <span>{durationMs === null ? 'duration unknown' : formatDuration(durationMs)}</span>
          {attempt.costUsd !== null && <span>{formatCost(attempt.costUsd)}</span>}
          {tokens > 0 && <span>{formatCount(tokens)} tokens</span>}
        </span>
      </span>
    </Link>
  )
}

/** What was proposed for an attempt, by state; the link leads to the list. */
function AttemptFixes({ attempt: { id, fixes = [] } }: { attempt: ChainAttempt }) {
  if (fixes.length === 0) return null
  return (
    <Link
      href={links.execution(id, 'fixes')}
      prefetch={false}
      className="link mt-1 inline-flex items-center gap-1.5 text-sm"
    >
      <FileDiff size={14} aria-hidden className="shrink-0" />{' '}
      {plural(
        fixes.reduce((sum, { count }) => sum + count, 0),
        'fix',
        'fixes',
      )}
      :{' '}
      {fixes
        .map(
          ({ state, count }) =>
            `${fixes.length > 1 || count > 1 ? `${formatCount(count)} ` : ''}${fixStateWord(state).toLowerCase()}`,
        )
        .join(', ')}
    </Link>
  )
}

const COULD_HELP: Record<string, { text: string; tone: string }> = {
  'could-help': { text: 'may help', tone: 'text-good' },
  helped: { text: 'may help', tone: 'text-good' },
  'cannot-help': { text: "won't help", tone: 'font-medium text-bad' },
}

function Edge({
  edge: { gapMs, afterSuccess, reason, couldHelp, asserted, rule, sameInputs },
}: {
  edge: AttemptEdge
}) {
  const inferred = !asserted
  const help = COULD_HELP[couldHelp]
  const isAsked = reason !== 'none' && reason !== 'unknown'
  const made = isAsked ? null : attemptMadeWords(rule)
  return (
    <div
      className={cn(
        'flex w-36 flex-col items-center gap-0.5 px-1.5 pt-6 text-center text-sm text-ink-2',
        'max-md:w-full max-md:flex-row max-md:flex-wrap max-md:gap-x-2 max-md:px-2.5 max-md:py-2 max-md:text-left',
      )}
    >
      <ArrowDown inferred={inferred} />
      <span>{gapMs === null ? 'later' : `after ${formatDuration(gapMs)}`}</span>
      <ArrowRight inferred={inferred} />
      <span title={isAsked ? reason : undefined}>
        {made !== null ? (
          `${made}${afterSuccess ? ' after a success' : ''}`
        ) : afterSuccess ? (
          'although it succeeded'
        ) : reason === 'none' ? (
          'no retry was requested'
        ) : (
          <VisibleText text={retryReasonWords(reason)} />
        )}
      </span>
      {sameInputs !== null && (
        <span title="By the cache key of the task">{sameInputs ? 'same inputs' : 'inputs changed'}</span>
      )}
      {!afterSuccess && (
        <span className={help?.tone ?? 'text-ink-3'} title={verdictWords({ retry: couldHelp })}>
          {help?.text ?? 'unclear if it would help'}
        </span>
      )}
      <span className="text-xs text-ink-3" title={linkRuleWords(rule)}>
        {asserted ? 'asserted' : 'inferred'}
      </span>
    </div>
  )
}
