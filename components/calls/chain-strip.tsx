'use client'

import { CornerDownRight } from 'lucide-react'
import type { CallItem } from '@/lib/api/schemas'
import { failedChildOutcome } from '@/lib/views/calls/failed-child-outcome'
import { failureWords } from '@/lib/words/failures'
import { linkRuleWords } from '../execution-data/words'
import { cn } from '../shared/ui/cn'
import { formatDuration, plural } from '../shared/format'
import { CallGlyph, callTint, callWord, OutcomeGlyph, outcomeTint, outcomeWord } from '../shared/glyphs'
import { VisibleText } from '../shared/visible-text'
import type { ChainTile, ChainView } from './chain-model'
import { ArrowDown, ArrowRight } from './edge-arrow'

/** One piece of work: its calls from left to right (on a narrow screen from top to bottom), and on each edge why the next call was made. */
export function ChainStrip({
  chain,
  workedAround,
  selected,
  onSelect,
}: {
  chain: ChainView
  /** Its work was done another way later; an inference. */
  workedAround: boolean
  selected: string | null
  onSelect: (callId: string) => void
}) {
  const failed = chain.tiles.filter((tile) => tile.call.state === 'failed').length
  const after = chain.tiles.at(-1)?.call
  return (
    <li className="rounded border border-line bg-surface">
      <div className="flex min-w-0 items-baseline gap-x-2 border-b border-line px-3 py-2 max-md:flex-wrap">
        <span className="shrink-0 text-sm text-ink-3">Chain {chain.number + 1}</span>
        <strong className="max-w-[50%] shrink-0 truncate font-semibold">
          <VisibleText text={chain.tool} />
        </strong>
        {chain.target !== null && (
          <code className="min-w-0 truncate font-mono text-sm text-ink-2" title={chain.target}>
            <VisibleText text={chain.target.replace(/\s+/g, ' ')} />
          </code>
        )}
        <span className="shrink-0 text-sm text-ink-2 max-md:basis-full md:ml-auto">
          {plural(failed, 'failed call', 'failed calls')},{' '}
          {chain.recovered
            ? 'then success'
            : after?.state === 'no_result'
              ? 'then no result'
              : 'not fixed on retry'}
          {workedAround && '; worked around (inferred)'}
        </span>
      </div>
      <ol className="flex items-start overflow-x-auto p-3 max-md:flex-col">
        {chain.tiles.map((tile, index) => (
          <li
            key={tile.call.callId}
            className={cn(
              'flex items-start max-md:w-full max-md:flex-col',
              chain.tiles.length === 1 ? 'w-full' : 'shrink-0',
            )}
          >
            {index > 0 && <Edge tile={tile} />}
            <div className={chain.tiles.length === 1 ? 'w-full' : 'w-full md:w-60'}>
              <Tile
                call={tile.call}
                wide={chain.tiles.length === 1}
                selected={selected === tile.call.callId}
                onSelect={onSelect}
              />
              {tile.hanging.length > 0 && (
                <ul className="mt-1.5 ml-2 space-y-1 border-l border-dashed border-control pl-2">
                  {tile.hanging.map((call) => (
                    <Hanging
                      key={call.callId}
                      call={call}
                      selected={selected === call.callId}
                      onSelect={onSelect}
                    />
                  ))}
                </ul>
              )}
            </div>
          </li>
        ))}
      </ol>
    </li>
  )
}

function Tile({
  call,
  wide,
  selected,
  onSelect,
}: {
  call: CallItem
  wide: boolean
  selected: boolean
  onSelect: (callId: string) => void
}) {
  const childOutcome = failedChildOutcome(call)
  return (
    <button
      type="button"
      data-call={call.callId}
      aria-pressed={selected}
      onClick={() => onSelect(call.callId)}
      className={cn(
        'flex w-full flex-col overflow-hidden rounded border text-left transition-shadow duration-[120ms] hover:border-control',
        !wide && 'md:h-[7.5rem]',
        selected ? 'border-accent shadow-[0_0_0_1px_var(--accent)]' : 'border-line-strong',
      )}
    >
      <span
        className={cn(
          'flex h-7 w-full shrink-0 items-center gap-1.5 px-2.5',
          childOutcome === null ? callTint(call.state) : outcomeTint(childOutcome),
        )}
      >
        {childOutcome === null ? (
          <CallGlyph state={call.state} size={14} />
        ) : (
          <OutcomeGlyph outcome={childOutcome} size={14} />
        )}
        <span className="font-medium">Call {call.ordinal + 1}</span>
        <span className="truncate text-sm text-ink-2">
          {call.failureClass
            ? failureWords(call)
            : childOutcome === null
              ? callWord(call.state).toLowerCase()
              : `own run ${outcomeWord(childOutcome).toLowerCase()}`}
        </span>
        <span className="ml-auto shrink-0 text-sm text-ink-2">
          {call.durationMs === null ? '' : formatDuration(call.durationMs)}
        </span>
      </span>
      <span className="block px-2.5 py-1.5">
        <span
          className={cn(
            'font-mono text-sm whitespace-pre-wrap text-ink-2',
            wide ? 'line-clamp-2' : 'line-clamp-4',
          )}
        >
          {call.errorText ? (
            <VisibleText text={call.errorText} />
          ) : call.state === 'succeeded' ? (
            childOutcome === null ? (
              'Succeeded.'
            ) : (
              `It says ok; its own run was ${outcomeWord(childOutcome).toLowerCase()}.`
            )
          ) : call.state === 'no_result' ? (
            'The record ends before a result.'
          ) : (
            'No error text.'
          )}
        </span>
      </span>
    </button>
  )
}

function Edge({ tile: { call, gapMs } }: { tile: ChainTile }) {
  const inferred = call.linkBasis !== 'recorded'
  const change = call.inputChanged === null ? null : call.inputChanged ? 'input changed' : 'same input'
  const because = call.linkRule === null ? null : linkRuleWords(call.linkRule)
  return (
    <div
      className={cn(
        'flex w-32 flex-col items-center gap-0.5 px-1.5 pt-6 text-center text-sm text-ink-2',
        'max-md:w-full max-md:flex-row max-md:flex-wrap max-md:gap-x-2 max-md:px-2.5 max-md:py-2 max-md:text-left',
      )}
    >
      <ArrowDown inferred={inferred} />
      <span>{gapMs === null ? 'later' : `after ${formatDuration(gapMs)}`}</span>
      <ArrowRight inferred={inferred} />
      {change && <span className={call.inputChanged ? '' : 'font-medium'}>{change}</span>}
      <span className="text-xs text-ink-3">
        {inferred ? 'inferred' : 'asserted'}
        {because ? `: ${because}` : ''}
      </span>
    </div>
  )
}

const WHY: Record<string, string> = {
  sibling_failed: 'cancelled with it',
  user_refused: 'rejected by a person',
  user_refused_sibling: 'rejected with it',
}

function Hanging({
  call,
  selected,
  onSelect,
}: {
  call: CallItem
  selected: boolean
  onSelect: (callId: string) => void
}) {
  return (
    <li>
      <button
        type="button"
        data-call={call.callId}
        aria-pressed={selected}
        onClick={() => onSelect(call.callId)}
        title={call.target ?? undefined}
        className={cn(
          'flex w-full min-w-0 items-center gap-1.5 rounded px-1.5 py-0.5 text-left text-sm hover:bg-hover',
          selected && 'bg-selected',
        )}
      >
        <CornerDownRight size={12} aria-hidden className="shrink-0 text-ink-3" />
        <span className="truncate">
          <VisibleText text={call.tool} />{' '}
          <span className="text-ink-3">{WHY[call.attachedTo?.why ?? ''] ?? call.attachedTo?.why}</span>
        </span>
      </button>
    </li>
  )
}
