'use client'

import { useCallback, useEffect, useState } from 'react'
import { formatPosition, parsePosition, type PatchPosition } from '@/lib/model/patch-position'

/** A place that is gone to; each `goTo` is another one, also to the same place. */
export interface Heading {
  position: PatchPosition
  turn: number
}

/** The place in the patch that is looked at: the fragment of the address. `set` notes it, `goTo` scrolls there too. */
export function usePosition() {
  const [position, setPosition] = useState<PatchPosition | null>(null)
  const [heading, setHeading] = useState<Heading | null>(null)
  const go = useCallback((next: PatchPosition) => {
    setPosition(next)
    setHeading((before) => ({ position: next, turn: (before?.turn ?? 0) + 1 }))
  }, [])
  const set = useCallback((next: PatchPosition) => {
    setPosition(next)
    window.history.replaceState(window.history.state, '', `#${formatPosition(next)}`)
  }, [])
  useEffect(() => {
    const read = (): void => {
      const named = parsePosition(window.location.hash)
      if (named !== null) go(named)
    }
    read()
    window.addEventListener('hashchange', read)
    return () => window.removeEventListener('hashchange', read)
  }, [go])
  const goTo = useCallback(
    (next: PatchPosition) => {
      set(next)
      go(next)
    },
    [set, go],
  )
  return { position, heading, set, goTo }
}
export type PositionState = ReturnType<typeof usePosition>
