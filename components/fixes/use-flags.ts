'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { fixQueries } from './queries'
import { byWeight } from './words'
import type { FixDetail, FixFlag } from '@/lib/model/fix'

/**
 * The flags of a fix that are known so far, the weightiest first: the first ones come with it, the others by pages.
 *
 * @returns `readMore` is null once all are there
 */
export function useFlags(fix: FixDetail): { flags: readonly FixFlag[]; readMore: (() => void) | null } {
  const [isAsked, setAsked] = useState(false)
  const { data, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    ...fixQueries.flags(fix.id, fix.reading.rules),
    enabled: isAsked,
  })
  const flags = useMemo(() => {
    const read = data?.pages.flatMap((page) => page.items) ?? []
    return byWeight(read.length > fix.flags.length ? read : fix.flags)
  }, [data, fix.flags])
  const more = (): void => {
    setAsked(true)
    if (isAsked && hasNextPage && !isFetching) void fetchNextPage()
  }
  return { flags, readMore: flags.length >= fix.flagsTotal ? null : more }
}
