'use client'

import { useSyncExternalStore } from 'react'

// One clock for the whole page: every relative time steps together, and nothing steps while the page is hidden.
const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

const tick = (): void => {
  if (document.hidden) return
  now = Date.now()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now()
    timer = setInterval(tick, 15_000)
    document.addEventListener('visibilitychange', tick)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    document.removeEventListener('visibilitychange', tick)
  }
}

// On the server each request reads its own clock; while the browser takes the page over, the clock stands still.
const atFirst = (): number => (typeof document === 'undefined' ? Math.floor(Date.now() / 1000) * 1000 : now)

export const useNow = (): number => useSyncExternalStore(subscribe, () => now, atFirst)
