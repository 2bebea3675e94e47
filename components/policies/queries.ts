import { queryOptions } from '@tanstack/react-query'
import type { PolicyReplay } from '@/lib/api/replay-schemas'
import { getJson } from '../shared/get-json'

const root = ['policies'] as const

/** Every key and every read of this domain. */
export const policyQueries = {
  replay: (address: string) =>
    queryOptions({
      queryKey: [...root, 'replay', address] as const,
      queryFn: ({ signal }) => getJson<PolicyReplay>(address, signal),
      // Ten thousand verdicts are made for one answer: again only when the reader asks.
      staleTime: Infinity,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    }),
}
