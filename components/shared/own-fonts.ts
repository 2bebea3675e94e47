'use client'

import { useEffect } from 'react'
import { applyOwnFonts } from './preferences'

const IDLE_MS = 2_000

/** The first page of a browser that has never been here is read in the system's fonts; ours come when nothing else is to be done. */
export function useOwnFonts(): void {
  useEffect(() => {
    if (document.documentElement.dataset.fonts === 'own') return
    // Safari has no idle callback.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(applyOwnFonts, 200)
      return () => clearTimeout(timer)
    }
    const idle = requestIdleCallback(applyOwnFonts, { timeout: IDLE_MS })
    return () => cancelIdleCallback(idle)
  }, [])
}
