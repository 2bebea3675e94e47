'use client'

import { useVirtualizer } from '@tanstack/react-virtual'
import { SkipForward } from 'lucide-react'
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { TiledChain } from '@/lib/judge/receipts/chain-tiles'
import { stripRows, type StripRow } from '@/lib/judge/receipts/strip-rows'
import { cn } from '../shared/ui/cn'
import { formatCount } from '../shared/format'
import { Button } from '../shared/ui/button'
import { ReceiptTile } from './receipt-tile'
import { StripLineView } from './strip-line'

/** Longer chains get a box of their own, in which only what is in sight is drawn. */
const WHOLE_MAX = 500
/** Failures among fewer are seen without being led to. */
const IN_SIGHT_MAX = 30
const TILE_PX = 158
const GAP_PX = 8
const TILES_PX = 108 + GAP_PX
const LINE_PX = 28 + GAP_PX

interface Props {
  label: string
  chain: TiledChain
  /** Receipts of other executions are distinguished from those of this one; null: all are the same. */
  executionId: string | null
  /** Key of the receipt that is open. */
  selected: string | null
  onSelect: (key: string) => void
  /** Takes the reader to the first receipt that breaks the chain. */
  leads: boolean
}

/** A chain as a strip of tiles that wraps. Arrow keys walk it, and only one tile is a stop of the Tab key. */
export function ChainStrip({
  label,
  chain: { tiles, break: found },
  executionId,
  selected,
  onSelect,
  leads,
}: Props) {
  const box = useRef<HTMLDivElement>(null)
  const columns = useColumns(box)
  const rows = useMemo(() => (columns === 0 ? [] : stripRows(tiles, columns)), [tiles, columns])
  const long = tiles.length > WHOLE_MAX
  const virtual = useVirtualizer({
    count: rows.length,
    enabled: long,
    getScrollElement: () => box.current,
    overscan: 6,
    getItemKey: (index) => rows[index]!.key,
    estimateSize: (index) => (rows[index]!.kind === 'tiles' ? TILES_PX : LINE_PX),
  })
  const chosen = selected === null ? -1 : tiles.findIndex(({ brief }) => brief.key === selected)
  const [stop, setStop] = useState<number | null>(null)
  const tabStop = Math.min(
    tiles.length - 1,
    Math.max(0, stop ?? (chosen >= 0 ? chosen : (found?.index ?? 0))),
  )

  const show = (index: number, focus: boolean): void => {
    if (long)
      virtual.scrollToIndex(
        rows.findIndex((row) => row.kind === 'tiles' && row.tiles.some((tile) => tile.index === index)),
        { align: 'center' },
      )
    const reach = (): boolean => {
      const tile = box.current?.querySelector<HTMLElement>(`[data-tile="${index}"]`)
      tile?.scrollIntoView({ block: 'nearest' })
      if (focus) tile?.focus({ preventScroll: true })
      return tile !== null && tile !== undefined
    }
    // A tile that is there gets the focus at once, or the next key would still act on the one before.
    if (!reach()) requestAnimationFrame(reach)
  }
  // Whatever is chosen stays in sight, also when the panel beside it takes room away. What the address named gets the focus, taken from nothing.
  const opened = useRef(false)
  useEffect(() => {
    if (chosen < 0 || columns === 0) return
    show(chosen, !opened.current && document.activeElement === document.body)
    opened.current = true
  }, [chosen, columns])
  // Once for a chain what broke it is brought into sight. The focus is only taken from nothing.
  const led = useRef(false)
  useEffect(() => {
    if (led.current || rows.length === 0) return
    led.current = true
    if (chosen < 0 && leads && found !== null) show(found.index, document.activeElement === document.body)
  })

  const onKey = (event: KeyboardEvent): void => {
    const at = Number((event.target as HTMLElement).dataset.tile ?? -1)
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'f') {
      event.preventDefault()
      return nextFailure(at)
    }
    const moves: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at + columns,
      ArrowUp: at - columns,
      Home: 0,
      End: tiles.length - 1,
    }
    const to = moves[event.key]
    if (to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    if (to < 0 || to >= tiles.length) return
    setStop(to)
    show(to, true)
  }
  const failures = useMemo(
    () => tiles.filter(({ look }) => look === 'failure').map(({ index }) => index),
    [tiles],
  )
  const nextFailure = (from: number): void => {
    const to = failures.find((index) => index > from) ?? failures[0]
    if (to === undefined) return
    setStop(to)
    show(to, true)
  }
  const draw = (row: StripRow) =>
    row.kind === 'line' ? (
      <StripLineView line={row.line} />
    ) : (
      <div className="grid gap-2" style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
        {row.tiles.map((tile) => (
          <ReceiptTile
            key={tile.brief.key}
            tile={tile}
            foreign={executionId !== null && tile.brief.executionId !== executionId}
            selected={tile.index === chosen}
            tabStop={tile.index === tabStop}
            onSelect={() => onSelect(tile.brief.key)}
            onFocus={() => setStop(tile.index)}
          />
        ))}
      </div>
    )
  return (
    <>
      {failures.length > 1 && tiles.length > IN_SIGHT_MAX && (
        <Button onClick={() => nextFailure(stop ?? -1)} title="Next failure (f)">
          <SkipForward size={14} aria-hidden /> Next failure{' '}
          <span className="text-ink-3">of {formatCount(failures.length)}</span>
        </Button>
      )}
      <div
        ref={box}
        role="group"
        aria-label={label}
        onKeyDown={onKey}
        className={cn('p-1', long && 'max-h-[70dvh] overflow-y-auto')}
      >
        {long ? (
          <div className="relative" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map((item) => (
              <div
                key={item.key}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                {draw(rows[item.index]!)}
              </div>
            ))}
          </div>
        ) : (
          <div className="space-y-2">
            {rows.map((row) => (
              <div key={row.key}>{draw(row)}</div>
            ))}
          </div>
        )}
      </div>
    </>
  )
}

/** As many tiles as stand side by side; 0 before that is known. */
function useColumns(box: React.RefObject<HTMLDivElement | null>): number {
  const [columns, setColumns] = useState(0)
  useLayoutEffect(() => {
    if (!box.current) return
    const read = (width: number): void =>
      setColumns(Math.max(1, Math.floor((width + GAP_PX) / (TILE_PX + GAP_PX))))
    read(box.current.clientWidth - GAP_PX)
    const observer = new ResizeObserver(([entry]) => read(entry!.contentRect.width))
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [box])
  return columns
}
