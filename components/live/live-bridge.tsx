'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { setLiveState } from './live-store'

/** Keeps what is on screen up to date, as long as a page is shown. Not needed for the first paint, and so not among its scripts. */
export function LiveBridge({ reader }: { reader: string | null }) {
  const client = useQueryClient()
  useEffect(() => {
    let stop = (): void => {}
    let over = false
    Promise.all([import('./connect-live'), import('./read-again')]).then(
      ([{ connectLive }, { readAgain }]) => {
        if (over) return
        const stops = [readAgain(client), connectLive(reader)]
        stop = () => {
          for (const one of stops) one()
        }
      },
      () => setLiveState('lost'),
    )
    return () => {
      over = true
      stop()
    }
  }, [client, reader])
  return null
}
