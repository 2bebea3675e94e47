'use client'

import { useRouter } from 'next/navigation'
import { parseAsString, useQueryState } from 'nuqs'
import { useCallback } from 'react'

/**
 * Opens a page once the address holds what it was told to hold. nuqs writes up to 150 ms late, and Next gives up
 * a navigation when the address is replaced meanwhile: `j`, `j` and Enter in quick succession opened nothing.
 */
export function useOpenPage(): (address: string) => void {
  const router = useRouter()
  // A write of nothing goes out with those that wait, and says when that was.
  const [, write] = useQueryState('_', parseAsString)
  return useCallback((address) => void write(null).then(() => router.push(address)), [router, write])
}
