import { links, readView } from '@/lib/links'

/** What an id was found to be; the answer of `/api/v1/find`. */
export interface FoundItem { kind: string; executionId: string; callId?: string; label: string }

/** The page of a find. What the address asked for stays; a call opens in Attempts unless another view was asked for. */
export function foundAddress({ executionId, callId }: FoundItem, search: string): string {
  const { view, ...rest } = Object.fromEntries(new URLSearchParams(search))
  const chosen = view === undefined ? (callId === undefined ? undefined : 'attempts') : readView(view)
  return links.execution(executionId, chosen, { ...rest, call: rest.call ?? callId })
}
