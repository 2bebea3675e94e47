import type { QueryClient } from '@tanstack/react-query'
import { executionQueries } from '../execution-data/queries'
import { onLive, onLiveAgain } from './live-store'

const REFRESH_MS = 800

// Lists and heads have their own way (`useNewRows`).
const ONE: ReadonlySet<unknown> = new Set([
  'detail',
  'calls',
  'events',
  'parts',
  'decision',
  'chains',
  'receiptChains',
  'failing',
])

/**
 * Events → keys to read again. Only what is on screen is read; lists count what is new and never move by themselves.
 * After a break the server tells what was missed, or that everything has to be read again; what could not be read is tried again.
 *
 * @returns a function that stops it
 */
export function readAgain(client: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = 0
  let ids = new Set<string>()
  let all = false
  const refresh = (): void => {
    timer = undefined
    last = Date.now()
    const changed = ids
    const everything = all
    ids = new Set()
    all = false
    void client.invalidateQueries({
      queryKey: executionQueries.root(),
      predicate: ({ queryKey }) => ONE.has(queryKey[1]) && (everything || changed.has(String(queryKey[2]))),
    })
  }
  const stops = [
    onLive((events) => {
      for (const event of events)
        if (event.id === null) all ||= event.type === 'resync'
        else ids.add(event.id)
      if (timer === undefined && (all || ids.size > 0))
        timer = setTimeout(refresh, Math.max(0, last + REFRESH_MS - Date.now()))
    }),
    onLiveAgain(
      () =>
        void client.refetchQueries({
          type: 'active',
          predicate: ({ state }) => state.status === 'error' && state.data === undefined,
        }),
    ),
  ]
  return () => {
    for (const stop of stops) stop()
    clearTimeout(timer)
  }
}
