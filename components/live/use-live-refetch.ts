'use client'

import { useEffect } from 'react'
import { onLive } from './live-store'

/** Reads again a while after anything was announced, once for all that is announced meanwhile: events hold ids, and not what they are part of. */
export function useLiveRefetch(refetch: () => unknown, settleMs: number): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onLive(() => {
      timer ??= setTimeout(() => {
        timer = undefined
        void refetch()
      }, settleMs)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [refetch, settleMs])
}
