'use client'

import { useVirtualizer } from '@tanstack/react-virtual'
import { ChevronDown, ChevronRight, ChevronUp, Search } from 'lucide-react'
import type { Node } from 'jsonc-parser'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { cn } from '../shared/ui/cn'
import { formatCount } from '../shared/format'
import {
  ancestors,
  escapeToken,
  findInJson,
  type JsonRow,
  jsonRows,
  members,
  nodeAt,
  openAtFirst,
  readJson,
} from './json-model'
import { JsonValue } from './json-value'

/**
 * JSON as a tree grid: search, fold, copy a value or its pointer, real line breaks in strings. Rows are virtual, values exact.
 * `focus` is opened, scrolled to and highlighted.
 */
export function JsonTree({
  text,
  focus = null,
  fallback,
  className,
}: {
  text: string
  focus?: string | null
  fallback: React.ReactNode
  className?: string
}) {
  const root = useMemo(() => readJson(text), [text])
  return root === null ? (
    fallback
  ) : (
    <Tree
      root={root}
      text={text}
      focus={focus !== null && nodeAt(root, focus) ? focus : null}
      className={className}
    />
  )
}

function Tree({
  root,
  text,
  focus,
  className,
}: {
  root: Node
  text: string
  focus: string | null
  className?: string
}) {
  const [open, setOpen] = useState(
    () => new Set([...openAtFirst(root), ...(focus === null ? [] : ancestors(focus))]),
  )
  const [words, setWords] = useState('')
  const [hit, setHit] = useState(0)
  const [cursor, setCursor] = useState(focus ?? '')
  const scroller = useRef<HTMLDivElement>(null)
  const hits = useMemo(() => findInJson(root, words.trim()), [root, words])
  const rows = useMemo(() => jsonRows(root, open), [root, open])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 22,
    overscan: 20,
    getItemKey: (index) => `${rows[index]!.pointer} ${index}`,
    initialRect: { width: 600, height: 400 },
  })
  const marked = hits[hit] ?? focus

  const reveal = (pointer: string): void => {
    setOpen((before) => new Set([...before, ...ancestors(pointer)]))
    setCursor(pointer)
  }
  useEffect(() => {
    if (focus !== null) reveal(focus)
  }, [focus])
  const at = rows.findIndex((row) => row.pointer === marked)
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: 'center' })
  }, [at, virtual])

  const toggle = (row: JsonRow): void => {
    if (row.open === null) return
    setOpen((before) => {
      const next = new Set(before)
      if (!next.delete(row.pointer)) next.add(row.pointer)
      return next
    })
  }
  const goToHit = (index: number): void => {
    if (hits.length === 0) return
    const next = (index + hits.length) % hits.length
    setHit(next)
    reveal(hits[next]!)
  }
  const focusRow = (index: number): void => {
    const row = rows[index]
    if (!row) return
    setCursor(row.pointer)
    virtual.scrollToIndex(index)
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus(),
    )
  }
  const onKey = (event: KeyboardEvent, row: JsonRow, index: number): void => {
    const moves: Record<string, () => void> = {
      ArrowDown: () => focusRow(index + 1),
      ArrowUp: () => focusRow(index - 1),
      Home: () => focusRow(0),
      End: () => focusRow(rows.length - 1),
      ArrowRight: () => (row.open === false ? toggle(row) : focusRow(index + 1)),
      ArrowLeft: () =>
        row.open
          ? toggle(row)
          : focusRow(rows.findIndex((other) => other.pointer === ancestors(row.pointer).at(-1))),
      Enter: () => toggle(row),
      ' ': () => toggle(row),
    }
    const move = event.target === event.currentTarget ? moves[event.key] : undefined
    if (!move) return
    event.preventDefault()
    event.stopPropagation()
    move()
  }
  const tabStop = rows.some((row) => row.pointer === cursor) ? cursor : ''

  return (
    <div className={cn('flex min-h-0 flex-col', className)}>
      <div className="flex items-center gap-1 border-b border-line px-2 py-1">
        <Search size={13} aria-hidden className="shrink-0 text-ink-3" />
        <input
          type="search"
          value={words}
          aria-label="Search in this JSON"
          placeholder="Search keys and values"
          onChange={(event) => {
            setWords(event.target.value)
            setHit(0)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') goToHit(at < 0 ? hit : hit + (event.shiftKey ? -1 : 1))
          }}
          className="h-7 min-w-0 flex-1 rounded bg-transparent px-1 placeholder:text-ink-3"
        />
        {words.trim() !== '' && (
          <>
            <span role="status" className="text-sm whitespace-nowrap text-ink-2">
              {hits.length === 0 ? 'none' : `${formatCount(hit + 1)} of ${formatCount(hits.length)}`}
            </span>
            <button type="button" onClick={() => goToHit(hit - 1)} className="rounded p-1 hover:bg-hover">
              <ChevronUp size={14} aria-hidden />
              <span className="sr-only">Previous match</span>
            </button>
            <button type="button" onClick={() => goToHit(hit + 1)} className="rounded p-1 hover:bg-hover">
              <ChevronDown size={14} aria-hidden />
              <span className="sr-only">Next match</span>
            </button>
          </>
        )}
        <button
          type="button"
          onClick={() => setOpen(new Set(allOpen(root)))}
          className="rounded px-1.5 py-0.5 text-sm text-ink-2 hover:bg-hover"
        >
          Expand
        </button>
        <button
          type="button"
          onClick={() => setOpen(new Set(['']))}
          className="rounded px-1.5 py-0.5 text-sm text-ink-2 hover:bg-hover"
        >
          Collapse
        </button>
      </div>
      <div ref={scroller} className="max-h-[70vh] min-h-0 flex-1 overflow-auto py-1">
        <div
          role="treegrid"
          aria-label="JSON"
          aria-rowcount={rows.length}
          className="relative font-mono text-sm"
          style={{ height: virtual.getTotalSize() }}
        >
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index]!
            return (
              <div
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                data-json-pointer={row.pointer}
                role="row"
                aria-rowindex={item.index + 1}
                aria-level={row.depth + 1}
                aria-expanded={row.open ?? undefined}
                aria-selected={row.pointer === marked}
                tabIndex={row.pointer === tabStop ? 0 : -1}
                onKeyDown={(event) => onKey(event, row, item.index)}
                onFocus={() => setCursor(row.pointer)}
                className={cn(
                  'group absolute inset-x-0 flex items-start pr-2 hover:bg-hover',
                  row.pointer === marked && 'bg-mark hover:bg-mark',
                )}
                style={{
                  transform: `translateY(${item.start}px)`,
                  paddingLeft: Math.min(row.depth, 24) * 14 + 6,
                }}
              >
                <span
                  aria-hidden
                  onClick={() => toggle(row)}
                  className="mt-0.5 w-4 shrink-0 cursor-pointer text-ink-3"
                >
                  {row.open !== null && <ChevronRight size={13} className={row.open ? 'rotate-90' : ''} />}
                </span>
                <JsonValue
                  row={row}
                  text={text}
                  inside={row.open === null ? 0 : members(row.node).length}
                  onToggle={() => toggle(row)}
                />
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

const UNFOLD_MAX = 20_000

/** Everything, up to a bound beyond which nobody reads on and the page would stand still. */
function allOpen(root: Node): string[] {
  const open: string[] = []
  const look = (node: Node, pointer: string): void => {
    const inside = members(node)
    if (inside.length === 0 || open.length >= UNFOLD_MAX) return
    open.push(pointer)
    for (const { token, value } of inside) look(value, `${pointer}/${escapeToken(token)}`)
  }
  look(root, '')
  return open
}
