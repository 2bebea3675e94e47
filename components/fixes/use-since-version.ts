'use client'

import { useMemo } from 'react'
import { type FilePair, pairFiles } from '@/lib/views/fixes/since-version'
import { useVersions, type Version } from './use-versions'
import type { FixDetail, FixFile } from '@/lib/model/fix'

/** A fix beside an earlier version of it. */
export interface Since {
  now: Version
  before: Version
  pairs: FilePair<FixFile>[]
}

/** What a fix changed against an earlier version; null without one, and until both are read. */
export function useSinceVersion(fix: FixDetail, earlier: string | null) {
  const { versions, failed } = useVersions(earlier === null ? [] : [fix.id, earlier])
  const since = useMemo((): Since | null => {
    const [now, before] = [versions.get(fix.id), versions.get(earlier ?? '')]
    return now && before ? { now, before, pairs: pairFiles(now.files, before.files) } : null
  }, [versions, fix.id, earlier])
  return { since, failed }
}
