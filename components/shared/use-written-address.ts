'use client'

import { useRouter } from 'next/navigation'
import { parseAsString, useQueryState } from 'nuqs'
import { useCallback } from 'react'

/**
 * Resolves once the address holds the state of the page. nuqs writes up to 150 ms late, so an address read right
 * after a key was pressed is the one before it.
 */
export function useWrittenAddress(): () => Promise<void> {
  // A write of nothing goes out with those that wait, and says when that was.
  const [, write] = useQueryState('_', parseAsString)
  return useCallback(async () => void (await write(null)), [write])
}

/**
 * Opens a page once the address is written: Next gives up a navigation when the address is replaced meanwhile, so
 * that `j`, `j` and Enter in quick succession opened nothing.
 */
export function useOpenPage(): (address: string) => void {
  const router = useRouter()
  const written = useWrittenAddress()
  return useCallback((address) => void written().then(() => router.push(address)), [router, written])
}
