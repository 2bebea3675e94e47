import { environmentManager, QueryClient } from '@tanstack/react-query'
import { ProblemError } from './get-json'

// A refusal stays a refusal; only what may pass by itself is tried again.
const mayPass = (error: Error): boolean =>
  !(error instanceof ProblemError) || error.problem.status >= 500 || error.problem.status === 0

/** The cache below a page: one for each tab in the browser, one for each page that the server makes. */
export function makeQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        gcTime: 10 * 60_000,
        retry: (count, error) => count < 2 && mayPass(error),
      },
    },
  })
  if (environmentManager.isServer()) keepNoTimers(client)
  return client
}

/**
 * A query with a `gcTime` starts a timer, which on the server would hold the cache, and with it all data of the page, for so
 * long after the page was sent. `Infinity` starts none. It replaces what single queries ask for, too.
 */
function keepNoTimers(client: QueryClient): void {
  const withDefaults = client.defaultQueryOptions.bind(client) as (options: object) => object
  client.defaultQueryOptions = ((options: object) => ({
    ...withDefaults(options),
    gcTime: Number.POSITIVE_INFINITY,
  })) as typeof client.defaultQueryOptions
}
