import type { Pointer } from '@/lib/executions/types'
import { formatAt, links, readView } from '@/lib/links'

/** What an id was found to be; the answer of `/api/v1/find`. */
export interface FoundItem {
  kind: string
  executionId: string
  callId?: string
  pointer?: Pointer
  label: string
}

/**
 * The page of a find. What the address asked for stays; unless it asked for another view, a call opens in Attempts and a record at its
 * bytes.
 */
export function foundAddress({ executionId, callId, pointer }: FoundItem, search: string): string {
  const { view, ...rest } = Object.fromEntries(new URLSearchParams(search))
  const own = callId !== undefined ? 'attempts' : pointer !== undefined ? 'raw' : undefined
  const at = pointer && formatAt(pointer)
  return links.execution(executionId, view === undefined ? own : readView(view), { ...rest, call: rest.call ?? callId, at: rest.at ?? at })
}
