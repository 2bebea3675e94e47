import { watch } from 'node:fs'
import type { FSWatcher } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { importText } from '@/lib/words/cli/import'
import { isPassedBy, walk } from './walk'
import type { FoundFile } from './walk'

export interface WatchFolders {
  paths: string[]
  signal: AbortSignal
  /** A file is there: new, changed or only met again by a sweep. Answers whether it is busy: worth looking at often. */
  onFile(file: FoundFile): boolean
  note(text: string): void
}

/** Milliseconds: how long notices gather, how often busy files and all files are looked at, and for how long a file is busy. */
export const watchTimes = {
  gather: 100,
  busy: 500,
  busyFor: 10 * 60_000,
  sweep: 10_000,
  sweepBlind: 1_000,
} as const

interface Watched {
  watcher: FSWatcher
  root: string | null
}

/**
 * Watches by the system's notices, one watcher for each folder, and sweeps over everything now and then: notices get
 * lost, network folders send none, and the number of watchers is limited. Where a watcher cannot be had the sweeps
 * alone carry on, more often. Ends when the signal does.
 */
export async function watchFolders({ paths, signal, onFile, note }: WatchFolders): Promise<void> {
  const watched = new Map<string, Watched>()
  const gathering = new Map<string, NodeJS.Timeout>()
  const busy = new Map<string, { file: FoundFile; until: number }>()
  const named = new Map<string, FoundFile>()
  let blind = false

  const meet = (file: FoundFile): void => {
    if (onFile(file)) busy.set(file.path, { file, until: Date.now() + watchTimes.busyFor })
  }

  function watchFolder(folder: string, root: string | null): void {
    if (watched.has(folder) || signal.aborted) return
    try {
      const watcher = watch(folder, (_, entry) => {
        if (entry !== null && !isPassedBy(entry)) gather(join(folder, entry), root)
      })
      watcher.on('error', () => drop(folder))
      watched.set(folder, { watcher, root })
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      if (code === 'ENOENT' || code === 'EACCES') return
      const why = code === 'ENOSPC' ? importText.inotifyLimit({ code }) : code
      if (!blind) note(importText.pollingInstead({ why }))
      blind = true
    }
  }

  function drop(folder: string): void {
    watched.get(folder)?.watcher.close()
    watched.delete(folder)
  }

  function gather(path: string, root: string | null): void {
    if (gathering.has(path) || (root === null && !named.has(path))) return
    gathering.set(
      path,
      setTimeout(() => {
        gathering.delete(path)
        void visit([path], root)
      }, watchTimes.gather),
    )
  }

  async function visit(of: string[], root: string | null): Promise<Set<string>> {
    const folders = new Set<string>()
    for await (const found of walk(of, root)) {
      if (signal.aborted) break
      if ('folder' in found) {
        folders.add(found.folder.path)
        watchFolder(found.folder.path, found.folder.root)
      } else if ('file' in found) {
        if (found.file.named) {
          named.set(found.file.path, found.file)
          folders.add(dirname(found.file.path))
          watchFolder(dirname(found.file.path), null)
        }
        meet(found.file)
      } else if (watched.has(found.unreadable.path)) drop(found.unreadable.path)
    }
    return folders
  }

  async function lookAtBusy(): Promise<void> {
    for (const [path, { file, until }] of busy) {
      if (Date.now() > until) busy.delete(path)
      else {
        const info = await stat(path).catch(() => null)
        if (info?.isFile()) meet({ ...file, size: info.size })
        else busy.delete(path)
      }
    }
  }

  async function forever(action: () => Promise<unknown>, pauseMs: () => number): Promise<void> {
    while (!signal.aborted) {
      const started = performance.now()
      await action()
      // A sweep over very many files must not become all that the machine does.
      const pause = Math.max(pauseMs(), (performance.now() - started) * 5)
      await sleep(pause, undefined, { signal }).catch(() => {})
    }
  }

  const sweep = async (): Promise<void> => {
    const folders = await visit(
      paths.map((path) => resolve(path)),
      null,
    )
    for (const folder of watched.keys()) if (!signal.aborted && !folders.has(folder)) drop(folder)
  }

  try {
    await Promise.all([
      forever(sweep, () => (blind ? watchTimes.sweepBlind : watchTimes.sweep)),
      forever(lookAtBusy, () => watchTimes.busy),
    ])
  } finally {
    for (const timer of gathering.values()) clearTimeout(timer)
    for (const folder of [...watched.keys()]) drop(folder)
  }
}
