'use client'

import { TriangleAlert } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { cn } from '../shared/ui/cn'
import { type LiveState, onLiveState, readLiveState } from './live-store'

const WORDS: Record<LiveState, string> = {
  connecting: 'Connecting',
  open: 'Live',
  stale: 'Database unavailable. Data may be stale.',
  lost: 'Connection lost. Data may be stale.',
  'signed-out': 'Signed out. Data may be stale.',
}

/** In the free part of the bar where it is wide, else at the lower edge of the window. */
const TROUBLE = cn(
  'pointer-events-none fixed right-3 bottom-3 rounded border border-line-strong bg-surface px-2 py-1 text-ink max-md:bottom-18',
  'whitespace-nowrap xl:absolute xl:top-1/2 xl:right-full xl:bottom-auto xl:-translate-y-1/2 xl:border-0 xl:bg-transparent',
)

/** Said calmly: what is on screen stays readable without the connection. The sentence lies over the page, so that nothing moves. */
export function LiveStatus() {
  const state = useSyncExternalStore(onLiveState, readLiveState, () => 'connecting' as const)
  const isCurrent = state === 'open' || state === 'connecting'
  return (
    <span className="relative flex shrink-0 items-center gap-1.5 px-1 text-sm lg:min-w-26 text-ink-2">
      <span aria-hidden className="grid size-3.5 place-items-center">
        {isCurrent ? (
          <span
            className={cn(
              'size-2 rounded-full border',
              state === 'open' ? 'border-good bg-good' : 'border-control',
            )}
          />
        ) : (
          <TriangleAlert size={14} />
        )}
      </span>
      <span role="status" className={isCurrent ? 'max-lg:sr-only' : TROUBLE}>
        {WORDS[state]}
      </span>
    </span>
  )
}
