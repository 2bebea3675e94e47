import type { Pointer } from '@/lib/model/execution'
import { formatAt, links, readView } from '@/lib/links'

/** What an id was found to be; the answer of `/api/v1/find`. */
export interface FoundItem {
  kind: string
  executionId: string
  callId?: string
  receiptKey?: string
  chainId?: string
  pointer?: Pointer
  label: string
}

/**
 * The page of a find. What the address asked for stays; unless it asked for another view, a call opens in Calls, a receipt among those of
 * its execution and a record at its bytes. A chain has a page of its own.
 */
export function foundAddress(
  { executionId, callId, receiptKey, chainId, pointer }: FoundItem,
  search: string,
): string {
  const { view, ...rest } = Object.fromEntries(new URLSearchParams(search))
  if (chainId !== undefined) return links.chain(chainId, rest)
  const own =
    receiptKey !== undefined
      ? 'receipts'
      : callId !== undefined
        ? 'calls'
        : pointer !== undefined
          ? 'raw'
          : undefined
  const at = pointer && formatAt(pointer)
  const place = { call: rest.call ?? callId, receipt: rest.receipt ?? receiptKey, at: rest.at ?? at }
  return links.execution(executionId, view === undefined ? own : readView(view), { ...rest, ...place })
}
