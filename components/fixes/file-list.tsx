'use client'

import { useVirtualizer } from '@tanstack/react-virtual'
import { Check } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { cn } from '../shared/ui/cn'
import { formatCount, plural } from '../shared/format'
import { VisibleText } from '../shared/visible-text'
import { Counts } from './file-block'
import { statusWord } from './file-words'
import type { FixFile, FixFlag } from '@/lib/model/fix'

/** All files with their marks; thousands of them are no burden, since only what is in sight is drawn. */
export function FileList({
  files,
  total,
  flags,
  viewed,
  current,
  onGo,
  onMore,
}: {
  files: readonly FixFile[]
  total: number
  flags: readonly FixFlag[]
  viewed: ReadonlySet<string>
  current: number | null
  onGo: (file: FixFile) => void
  onMore: (() => void) | null
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: files.length,
    estimateSize: () => 30,
    overscan: 10,
    getScrollElement: () => scroller.current,
    initialRect: { width: 260, height: 600 },
  })
  const at = current === null ? -1 : files.findIndex((file) => file.ordinal === current)
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' })
  }, [at, virtual])
  const flagged = new Set(
    flags.filter(({ weight }) => weight === 'blocking' || weight === 'high').map((flag) => flag.file),
  )
  const seen = files.filter((file) => viewed.has(file.sha256)).length
  return (
    <nav aria-label="Files" className="flex min-h-0 flex-col">
      <p className="flex flex-wrap justify-between gap-x-2 px-2 py-1.5 text-sm text-ink-2">
        <span>{plural(total, 'file')}</span>{' '}
        <span>
          {formatCount(seen)} of {formatCount(total)} viewed
        </span>
      </p>
      <div
        ref={scroller}
        tabIndex={0}
        role="group"
        aria-label="List of files"
        className="min-h-0 flex-1 overflow-y-auto"
      >
        <ul className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const file = files[index]!
            const slash = file.name.lastIndexOf('/')
            return (
              <li
                key={file.ordinal}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${start}px)` }}
              >
                <button
                  type="button"
                  aria-current={file.ordinal === current ? 'location' : undefined}
                  onClick={() => onGo(file)}
                  title={`${file.name}: ${statusWord(file.status)}`}
                  className={cn(
                    'flex h-[1.875rem] w-full items-center gap-1.5 rounded px-2 text-left hover:bg-hover',
                    file.ordinal === current && 'bg-selected font-medium',
                  )}
                >
                  <span className="w-4 shrink-0">
                    {viewed.has(file.sha256) ? (
                      <Check size={14} className="text-good" role="img" aria-label="viewed" />
                    ) : (
                      <span aria-hidden className="font-mono text-sm text-ink-2">
                        {file.status}
                      </span>
                    )}
                  </span>
                  <span className="min-w-0 flex-1 truncate font-mono text-sm">
                    <VisibleText text={file.name.slice(slash + 1)} />
                    {slash > 0 && (
                      <span className="text-ink-2">
                        {' '}
                        <VisibleText text={file.name.slice(0, slash)} />
                      </span>
                    )}
                  </span>
                  {flagged.has(file.ordinal) && (
                    <span className="text-sm text-warn" title="Has a blocking flag">
                      flag
                    </span>
                  )}
                  {file.binary || file.hunks > 0 ? (
                    <Counts additions={file.additions} deletions={file.deletions} />
                  ) : (
                    <span className="text-sm whitespace-nowrap text-ink-2">no lines</span>
                  )}
                </button>
              </li>
            )
          })}
        </ul>
      </div>
      {onMore !== null && (
        <button type="button" onClick={onMore} className="link px-2 py-1.5 text-left text-sm">
          {formatCount(total - files.length)} more files
        </button>
      )}
    </nav>
  )
}
