'use client'

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { FixDetail, FixFile } from '@/lib/api/fix-schemas'
import { sinceVersion } from '@/lib/fixes/since-version'
import { fixQueries } from './queries'

/** What this version changed against the one whose place it took; null for a first version, and for one too large to compare by its first files. */
export function useSinceVersion(fix: FixDetail, files: readonly FixFile[]) {
  const before = useQuery({ ...fixQueries.detail(fix.supersedes ?? ''), enabled: fix.supersedes !== null })
  return useMemo(() => {
    const earlier = before.data
    if (fix.supersedes === null || !earlier || earlier.files.length < earlier.reading.files) return null
    return { ordinal: earlier.ordinal, ...sinceVersion(files, earlier.files) }
  }, [before.data, files, fix.supersedes])
}
export type Since = ReturnType<typeof useSinceVersion>
