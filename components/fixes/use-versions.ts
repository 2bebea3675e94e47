'use client'

import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { fixQueries } from './queries'
import type { FixDetail, FixFile } from '@/lib/model/fix'

/** A fix with the files that are compared; `files.length` is less than the patch has where these are too many. */
export interface Version {
  fix: FixDetail
  files: readonly FixFile[]
}

const isCut = ({ files, reading }: FixDetail): boolean => files.length < reading.files

/** Fixes by their id, each once it is there with its files. The first files come with a fix, the others only where there are more. */
export function useVersions(ids: readonly string[]) {
  const details = useQueries({ queries: ids.map((id) => fixQueries.detail(id)) })
  const lists = useQueries({
    queries: details.map(({ data }, index) => ({
      ...fixQueries.comparedFiles(ids[index]!),
      enabled: data !== undefined && isCut(data),
    })),
  })
  const key = [...ids, ...details, ...lists]
    .map((one) => (typeof one === 'string' ? one : one.dataUpdatedAt))
    .join()
  const versions = useMemo<ReadonlyMap<string, Version>>(
    () =>
      new Map(
        details.flatMap(({ data: fix }, index) => {
          const files = fix && isCut(fix) ? lists[index]?.data : fix?.files
          return fix && files ? [[fix.id, { fix, files }] as const] : []
        }),
      ),
    [key],
  ) // the results are new objects on each render
  const failed = [...details, ...lists].find((one) => one.isError && one.data === undefined)
  return {
    versions,
    failed: failed === undefined ? null : { error: failed.error, retry: () => void failed.refetch() },
  }
}
