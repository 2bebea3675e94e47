'use client'

import { useSyncExternalStore } from 'react'
import { cn } from '../shared/cn'
import { onLiveState, readLiveState } from './live-store'

const WORDS = { connecting: 'Connecting', open: 'Live', lost: 'Not live: reconnecting' } as const

/** Told calmly: what is on screen stays readable without the connection, it only stops growing. */
export function LiveStatus() {
  const state = useSyncExternalStore(onLiveState, readLiveState, () => 'connecting' as const)
  return (
    <span
      className="flex shrink-0 items-center gap-1.5 px-1 text-sm text-ink-2"
      title={
        state === 'lost'
          ? 'What you see is the state before the connection was lost. It is read again on reconnection.'
          : undefined
      }
    >
      <span
        aria-hidden
        className={cn(
          'size-2 rounded-full border',
          state === 'open' ? 'border-good bg-good' : 'border-control',
        )}
      />
      <span role="status" className={state === 'lost' ? '' : 'max-lg:sr-only'}>
        {WORDS[state]}
      </span>
    </span>
  )
}
