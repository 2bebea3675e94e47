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
    const check = (before: string | null): void => {
      const { pathname, search } = shown.current
      if (location.pathname === pathname && new URLSearchParams(location.search).toString() === search) return
      const now = `${location.href} ${pathname} ${search}`
      // Whoever goes on meanwhile, by a key that changes the address, is on the way to somewhere else.
      if (now === before) location.reload()
      else timer = setTimeout(check, SETTLED_MS, now)
    }
    const moved = (): void => {
      clearTimeout(timer)
      timer = setTimeout(check, SETTLED_MS, null)
    }
    window.addEventListener('popstate', moved)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('popstate', moved)
    }
  }, [])
  return null
}
