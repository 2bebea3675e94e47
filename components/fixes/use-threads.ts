'use client'

import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { keptLines, type EarlierPlace } from '@/lib/views/fixes/kept-lines'
import type { DiffSide, PatchPosition } from '@/lib/model/patch-position'
import type { Thread } from '@/lib/views/fixes/threads'
import { hasRows } from './diff-blocks'
import { fixQueries } from './queries'
import { useVersions } from './use-versions'
import { secretLines } from './words'
import type { FixDetail, FixFile } from '@/lib/model/fix'

const placeOf = ({ file, side, lineStart, lineEnd }: Thread): PatchPosition | null =>
  file === null
    ? null
    : {
        file,
        lines:
          lineStart === null
            ? null
            : { side: (side ?? 'new') as DiffSide, start: lineStart, end: lineEnd ?? lineStart },
      }

/**
 * Threads of a fix and of the versions before it, each earlier one with what became of its place: one that is kept is at the place that it has now.
 *
 * @returns all of them, and those that have a place in this version
 */
export function useThreads(fix: FixDetail, threads: readonly Thread[]): { all: Thread[]; here: Thread[] } {
  const old = useMemo(() => threads.filter((thread) => thread.fix !== fix.id), [threads, fix.id])
  const ids = useMemo(
    () => [...new Set(old.filter(({ file }) => file !== null).map((thread) => thread.fix))],
    [old],
  )
  const { versions, failed } = useVersions(ids.length === 0 ? [] : [fix.id, ...ids])
  const isUnread = failed !== null
  const wanted = useMemo(() => {
    const files = new Map<string, { id: string; file: FixFile }>()
    for (const { fix: id, file, path, lineStart } of old) {
      if (file === null || lineStart === null) continue
      const found = [
        { id, file: versions.get(id)?.files[file] },
        { id: fix.id, file: versions.get(fix.id)?.files.find((one) => one.name === path) },
      ]
      for (const one of found)
        if (one.file && hasRows(one.file))
          files.set(`${one.id} ${one.file.ordinal}`, { id: one.id, file: one.file })
    }
    return files
  }, [old, versions, fix.id])
  const read = useQueries({ queries: [...wanted.values()].map(({ id, file }) => fixQueries.rows(id, file)) })
  const key = [...wanted.keys(), ...read.map((one) => `${one.status} ${one.dataUpdatedAt}`)].join()
  return useMemo(() => {
    const results = new Map([...wanted.keys()].map((name, index) => [name, read[index]!]))
    const rowsOf = (id: string, file: FixFile | undefined) =>
      file && hasRows(file) ? results.get(`${id} ${file.ordinal}`) : undefined
    const placed = (thread: Thread): Thread => {
      if (thread.fix === fix.id) return thread
      const at = placeOf(thread)
      const threadWith = (standing: EarlierPlace['standing'], quote: EarlierPlace['quote'] = []): Thread => ({
        ...thread,
        earlier: { at, standing, quote },
      })
      const [before, now] = [versions.get(thread.fix), versions.get(fix.id)]
      if (at === null) return threadWith('whole')
      if (!before || !now) return threadWith(isUnread ? 'unread' : 'reading')
      const file = now.files.find(({ name }) => name === thread.path)
      if (at.lines === null)
        return file ? { ...threadWith('kept'), file: file.ordinal } : threadWith('outdated')
      const [rows, newRows] = [rowsOf(thread.fix, before.files[at.file]), rowsOf(fix.id, file)]
      if (rows?.isError || newRows?.isError) return threadWith('unread')
      if (rows?.isPending || newRows?.isPending) return threadWith('reading')
      const { quote, lines } = rows?.data
        ? keptLines(at.lines, rows.data, newRows?.data ?? null)
        : { quote: [], lines: null }
      const masked = secretLines(before.fix)
      const shown = quote.map((row) => ({ row, isMasked: masked.has(row.line), isHidden: masked.hidden }))
      return lines && file
        ? { ...threadWith('kept', shown), file: file.ordinal, lineStart: lines.start, lineEnd: lines.end }
        : threadWith('outdated', shown)
    }
    const all = threads.map(placed)
    return { all, here: all.filter(({ earlier }) => earlier === null || earlier.standing === 'kept') }
  }, [key, threads, versions, isUnread, fix.id]) // the results are new objects on each render
}
