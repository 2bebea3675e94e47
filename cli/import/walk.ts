import type { Stats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { importText } from '@/lib/words/cli/import'

export interface FoundFile {
  path: string
  /** Path below the import root, with `/`. */
  name: string
  size: number
  /** Named on the command line, not met while walking. */
  named: boolean
}

export interface Unreadable {
  path: string
  because: string
  /** It was met while walking, and is not there any more. */
  gone: boolean
}

export type Found =
  | { file: FoundFile }
  | { unreadable: Unreadable }
  | { folder: { path: string; root: string } }

/** Folders that hold other programs' files, never transcripts. */
const passedBy = new Set(['.git', 'node_modules'])

export const isPassedBy = (entry: string): boolean => passedBy.has(entry)

/** What an error of the file system means for the reader. */
export function fileTrouble(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied'
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'file not found'
  if (code === 'ELOOP') return 'circular symbolic links'
  if (code === 'EMFILE' || code === 'ENFILE') return importText.tooManyOpenFiles
  if (code === 'EIO') return 'disk read error'
  return importText.notRead({ code, reason: (error as Error).message })
}

/** Name of a file that was given alone: sub-agent files keep the folders that say whose they are. */
function nameOfSingle(path: string): string {
  const folder = dirname(path)
  if (basename(folder) === 'subagents')
    return [basename(dirname(folder)), 'subagents', basename(path)].join('/')
  return basename(path)
}

/**
 * Walks files and folders in a stable order. Symbolic links are followed, and no folder or file is visited twice,
 * so that loops end and overlapping paths are harmless.
 *
 * @param below the import root that names count from, when the paths were met while walking it
 */
export async function* walk(paths: string[], below: string | null = null): AsyncGenerator<Found> {
  const seen = new Set<string>()
  // Some file systems number nothing: then nothing is known to be the same.
  const isNew = (info: Stats): boolean => {
    if (info.ino === 0) return true
    const key = `${info.dev}:${info.ino}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  }

  const trouble = (path: string, root: string | null, error: unknown): Found => ({
    unreadable: {
      path,
      because: fileTrouble(error),
      gone: root !== null && (error as NodeJS.ErrnoException).code === 'ENOENT',
    },
  })

  async function* visit(path: string, root: string | null): AsyncGenerator<Found> {
    let info: Stats
    try {
      info = await stat(path)
    } catch (error) {
      yield trouble(path, root, error)
      return
    }
    if (!isNew(info)) return
    if (info.isFile()) {
      const name = root === null ? nameOfSingle(path) : relative(root, path).split(sep).join('/')
      yield { file: { path, name, size: info.size, named: root === null } }
    } else if (info.isDirectory()) {
      // Reported before it is read: whoever watches it from now on misses nothing that comes after the reading.
      yield { folder: { path, root: root ?? path } }
      let entries: string[]
      try {
        entries = await readdir(path)
      } catch (error) {
        yield trouble(path, root, error)
        return
      }
      for (const entry of entries.sort()) {
        if (!isPassedBy(entry)) yield* visit(join(path, entry), root ?? path)
      }
    } else if (root === null) {
      yield { unreadable: { path, because: importText.notFileOrFolder, gone: false } }
    }
  }

  for (const path of paths) yield* visit(resolve(path), below)
}
