'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { fixQueries } from './queries'
import type { FixDetail, FixFile } from '@/lib/model/fix'

/**
 * The files of a fix that are known so far: the first ones come with it, the others by pages.
 *
 * @param wanted place of a file that has to be among them, when it is in the patch at all
 * @returns `readMore` is null once all are there
 */
export function useFiles(
  fix: FixDetail,
  wanted: number | null,
): { files: readonly FixFile[]; readMore: (() => void) | null } {
  const [atLeast, setAtLeast] = useState(0)
  const total = fix.reading.files
  const pages = useInfiniteQuery({ ...fixQueries.files(fix.id), enabled: atLeast > fix.files.length })
  const read = pages.data?.pages
  const files = useMemo(() => {
    const all = read?.flatMap((page) => page.items) ?? []
    return all.length > fix.files.length ? all : fix.files
  }, [read, fix.files])
  useEffect(() => {
    if (wanted !== null && wanted >= fix.files.length && wanted < total)
      setAtLeast((before) => Math.max(before, wanted + 1))
  }, [wanted, fix.files.length, total])
  const { hasNextPage, isFetching, isError, fetchNextPage } = pages
  useEffect(() => {
    if (files.length < atLeast && hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [files.length, atLeast, hasNextPage, isFetching, isError, fetchNextPage])
  const more = (): void => {
    if (isError) void fetchNextPage()
    else setAtLeast(Math.min(total, files.length + 1))
  }
  return { files, readMore: files.length >= total ? null : more }
}
