'use client'

import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { memo, type Ref, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import type { DiffBlock } from './diff-blocks'

/** What is above the first line that is drawn: the bar of the page and that of the diff. */
const HEAD_PX = 110

export interface BlockListHandle {
  scrollTo: (index: number) => void
}

interface Props {
  blocks: readonly DiffBlock[]
  /** A new one draws everything in sight again. */
  draw: (block: DiffBlock) => React.ReactNode
  /** Once it is known where the list begins: before that nothing can be scrolled to. */
  onMeasured: () => void
  /** A block that stays also out of sight, because something is written in it; -1: none. */
  keep: number
  ref: Ref<BlockListHandle>
}

/** The blocks in sight. Scrolling draws this list again and again, and only those blocks that come into sight. */
export const BlockList = memo(function BlockList({ blocks, draw, onMeasured, keep, ref }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = (): void => {
      const found = list.current ? list.current.getBoundingClientRect().top + window.scrollY : 0
      setTop(found)
      if (found > 0) onMeasured()
    }
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(document.body)
    return () => watch.disconnect()
  }, [onMeasured])
  const virtual = useWindowVirtualizer({
    count: blocks.length,
    estimateSize: (index) => blocks[index]!.px,
    overscan: 3,
    scrollMargin: top,
    getItemKey: (index) => blocks[index]!.key,
    scrollPaddingStart: HEAD_PX,
    rangeExtractor: (range) =>
      keep === -1
        ? defaultRangeExtractor(range)
        : [...new Set([...defaultRangeExtractor(range), keep])].sort((a, b) => a - b),
  })
  useImperativeHandle(
    ref,
    () => ({ scrollTo: (index) => virtual.scrollToIndex(index, { align: 'start' }) }),
    [virtual],
  )
  return (
    <div ref={list} className="relative" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map((item) => (
        <div
          key={item.key}
          data-index={item.index}
          ref={virtual.measureElement}
          className="absolute inset-x-0 top-0"
          style={{ transform: `translateY(${item.start - top}px)` }}
        >
          <Block block={blocks[item.index]!} draw={draw} />
        </div>
      ))}
    </div>
  )
})

const Block = memo(({ block, draw }: { block: DiffBlock; draw: Props['draw'] }) => draw(block))
Block.displayName = 'Block'
