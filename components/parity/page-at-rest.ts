import type { QueryClient } from '@tanstack/react-query'
import { executionQueries } from '../execution-data/queries'
import type { PageDocumentName } from './page-documents'

const WAIT_MS = 5_000

/**
 * Waits until a page reads nothing anew of an execution that it shows: a check notes itself, so that what the page holds is old for a moment just when it is compared. A
 * page that comes to no rest is compared as it is.
 */
export async function pageAtRest(
  client: QueryClient,
  executionId: string,
  names: readonly PageDocumentName[],
  signal: AbortSignal,
  waitMs = WAIT_MS,
): Promise<void> {
  const cache = client.getQueryCache()
  const isBusy = (): boolean =>
    names.some((name) =>
      cache
        .findAll({ queryKey: [...executionQueries.root(), name, executionId] })
        .some(
          (query) =>
            query.isActive() && (query.state.isInvalidated || query.state.fetchStatus === 'fetching'),
        ),
    )
  if (!isBusy()) return
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      unsubscribe()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, waitMs)
    const unsubscribe = cache.subscribe(() => {
      if (!isBusy()) end()
    })
    signal.addEventListener('abort', end)
  })
}
