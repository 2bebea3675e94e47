'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { useEffect, useRef } from 'react'

/** Milliseconds after the last step back or forward in which the router should have shown where it led. */
const SETTLED_MS = 1_000

/**
 * Keeps what is shown to what the address says. When a reader steps back twice in quick succession after a reload, the router may end
 * at the first of the two places, for good; the page of the address is then asked for anew.
 */
export function AddressKeeper() {
  const pathname = usePathname()
  const search = useSearchParams().toString()
  const shown = useRef({ pathname, search })
  useEffect(() => {
    shown.current = { pathname, search }
  })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const check = (): void => {
      const { pathname, search } = shown.current
      if (location.pathname !== pathname || new URLSearchParams(location.search).toString() !== search) location.reload()
    }
    const moved = (): void => {
      clearTimeout(timer)
      timer = setTimeout(check, SETTLED_MS)
    }
    window.addEventListener('popstate', moved)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('popstate', moved)
    }
  }, [])
  return null
}
