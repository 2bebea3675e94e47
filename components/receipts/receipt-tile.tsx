import { Users } from 'lucide-react'
import { type ChainTile, MARKS } from '@/lib/judge/receipts/chain-tiles'
import { cn } from '../shared/ui/cn'
import { formatCount } from '../shared/format'
import { VisibleText } from '../shared/visible-text'
import { LookGlyph, MarkGlyph } from './receipt-glyphs'
import { EVENT_WORDS, LOOK_WORDS, markWords, numberOf } from './words'

const TINTS: Record<ChainTile['look'], string> = {
  success: 'bg-tint-good',
  failure: 'bg-tint-bad',
  pending: 'bg-tint-run',
  event: 'bg-tint-none',
  unknown: 'bg-tint-none',
}
const MARK_NAMES = { signature: 'sig', link: 'link', number: 'no.' } as const

/** One receipt: its number, tool and status, what is worth saying about it, and its three marks. */
export function ReceiptTile({
  tile,
  foreign,
  selected,
  tabStop,
  onSelect,
  onFocus,
}: {
  tile: ChainTile
  /** Of another execution than the one whose page this is. */
  foreign: boolean
  selected: boolean
  tabStop: boolean
  onSelect: () => void
  onFocus: () => void
}) {
  const { brief, look, marks, isBreak, unproven } = tile
  return (
    <button
      type="button"
      data-tile={tile.index}
      aria-pressed={selected}
      tabIndex={tabStop ? 0 : -1}
      onClick={onSelect}
      onFocus={onFocus}
      className={cn(
        // Hidden words behind a long name are positioned, and only a positioned box clips them.
        'relative flex h-[6.75rem] w-full min-w-0 scroll-mt-10 scroll-mb-24 flex-col overflow-hidden rounded border bg-surface text-left hover:border-control',
        selected
          ? 'border-accent shadow-[0_0_0_1px_var(--accent)]'
          : isBreak
            ? 'border-bad shadow-[0_0_0_1px_var(--state-bad)]'
            : 'border-line-strong',
        unproven && !selected && 'border-dashed',
        foreign && 'bg-bg',
      )}
    >
      <span
        className={cn(
          'flex h-7 w-full shrink-0 items-center gap-1.5 px-2',
          unproven || foreign || isBreak ? 'bg-tint-none' : TINTS[look],
        )}
      >
        <LookGlyph look={look} />
        <span className="shrink-0 font-medium">
          <span className="sr-only">Receipt </span>
          {numberOf(tile)}
        </span>
        <span className="min-w-0 flex-1 truncate text-sm text-ink-2">
          {brief.event === null ? (
            <VisibleText text={brief.tool.replace(/\s+/g, ' ')} />
          ) : (
            EVENT_WORDS[brief.event]
          )}
          <span className="sr-only"> {LOOK_WORDS[look]}</span>
        </span>
        {foreign && (
          <>
            <Users size={12} aria-hidden className="shrink-0 text-ink-3" />
            <span className="sr-only"> of another execution</span>
          </>
        )}
      </span>
      <span className="min-h-0 w-full flex-1 overflow-hidden px-2 py-0.5 text-sm">
        <Said tile={tile} />
      </span>
      <span className="flex w-full shrink-0 items-center gap-2.5 border-t border-line px-2 py-0.5 text-xs text-ink-2">
        {MARKS.map((name) => (
          <span key={name} className="inline-flex items-center gap-1" title={markWords(name, marks[name])}>
            <MarkGlyph mark={marks[name]} />
            <span aria-hidden>{MARK_NAMES[name]}</span>
          </span>
        ))}
        <span className="sr-only">{MARKS.map((name) => markWords(name, marks[name])).join(', ')}</span>
      </span>
    </button>
  )
}

/** Two lines: what is wrong with its place comes before what it says. */
function Said({ tile: { brief, isBreak, unproven, rival, unanswered, look } }: { tile: ChainTile }) {
  const first = isBreak ? (
    <strong className="font-semibold text-bad">breaks here</strong>
  ) : unproven ? (
    <span className="text-ink-2">unproven from here</span>
  ) : rival ? (
    <strong className="font-medium text-warn">one of several at this position</strong>
  ) : unanswered ? (
    <strong className="font-medium text-warn">no response</strong>
  ) : brief.repeat ? (
    <span className="text-ink-2">
      call {formatCount(brief.repeat.nth)} of {formatCount(brief.repeat.of)}
    </span>
  ) : look === 'pending' ? (
    <span className="text-ink-2">answered</span>
  ) : null
  return (
    <>
      {first && <span className="block truncate">{first}</span>}
      {brief.line !== null && (
        <span
          className={cn(
            'font-mono text-xs wrap-anywhere text-ink-2',
            first ? 'line-clamp-2' : 'line-clamp-3',
          )}
        >
          <VisibleText text={brief.line} />
        </span>
      )}
    </>
  )
}
