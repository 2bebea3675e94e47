import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import type { FolderFile } from '@/lib/formats/async-pipeline/bundle'
import { readRunPath } from '@/lib/formats/async-pipeline/layout'
import { limits } from '@/lib/limits'
import { importText } from '@/lib/words/cli/import'
import { PartRefused } from './ingest-client'
import { readAt } from './read-at'
import { openFile } from './send-file'

export const RUN_RECORD = 'execution.json'

/** The folders that a run of async-pipeline has, and the file beside its record. */
const PARTS = ['agents', 'context', 'fixes', 'logs'] as const

/** The folder of the run that a file goes along with, by where it lies; null for the record itself, and for what lies in none. */
export async function runAround(path: string): Promise<string | null> {
  const parent = dirname(path)
  const folder =
    basename(path) === 'summary.md'
      ? parent
      : (PARTS as readonly string[]).includes(basename(parent))
        ? dirname(parent)
        : null
  if (folder === null || readRunPath(path.slice(folder.length + 1).replaceAll('\\', '/')).kind === 'other')
    return null
  return (await isFile(join(folder, RUN_RECORD))) ? folder : null
}

/** Whether a file is of the cache beside the runs of a pipeline: `cache/baselines/<task>.json`, or anything of `cache/tasks/<cache key>/`. */
export async function isOfCache(path: string): Promise<boolean> {
  const parts = path.split(sep)
  const at = parts.lastIndexOf('cache')
  const [part, key] = parts.slice(at + 1)
  if (at <= 0 || (part !== 'baselines' && !(part === 'tasks' && /^[0-9a-f]{64}$/.test(key ?? ''))))
    return false
  return (await stat([...parts.slice(0, at), 'runs'].join(sep)).catch(() => null))?.isDirectory() ?? false
}

const isFile = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isFile() ?? false

export interface RunFolder {
  name: string
  files: FolderFile[]
}

const READS_MAX = 3

/**
 * Reads the files of a run. Its owner may be at work: the record is read first, so that what it tells of is in the files that are read after it,
 * and all is read again when it has changed meanwhile.
 */
export async function readRunFolder(folder: string): Promise<RunFolder> {
  for (let read = 1; ; read++) {
    const record = await readFile(folder, RUN_RECORD)
    const files = [record, ...(await readBeside(folder))]
    const again = await readFile(folder, RUN_RECORD)
    if (read < READS_MAX && !again.bytes.equals(record.bytes)) continue
    return { name: basename(folder), files }
  }
}

type ReadFile = FolderFile & { bytes: Buffer }

async function readBeside(folder: string): Promise<ReadFile[]> {
  const paths = (await isFile(join(folder, 'summary.md'))) ? ['summary.md'] : []
  for (const part of PARTS) {
    const entries = await readdir(join(folder, part)).catch(() => [])
    paths.push(
      ...entries
        .sort()
        .map((entry) => `${part}/${entry}`)
        .filter((path) => readRunPath(path).kind !== 'other'),
    )
  }
  const files: ReadFile[] = []
  let bytes = 0
  for (const path of paths) {
    if (!(await isFile(join(folder, path)))) continue
    const file = await readFile(folder, path)
    files.push(file)
    if (readRunPath(path).kind !== 'log') bytes += file.bytes.length
    if (bytes > limits.runBundleBytesMax) throw new PartRefused(413, 'too-large', importText.runTooLarge())
  }
  return files
}

/** Of a log that is too long for a bundle its end is read, as the tool itself keeps the end. */
async function readFile(folder: string, path: string): Promise<ReadFile> {
  const handle = await openFile(join(folder, path))
  try {
    const { size } = await handle.stat()
    if (size <= limits.runBundleBytesMax) return { path, bytes: await readAt(handle, 0, size) }
    if (readRunPath(path).kind !== 'log')
      throw new PartRefused(
        413,
        'too-large',
        `${path} has over ${limits.runBundleBytesMax / 1024 / 1024} MiB`,
      )
    const cutBytes = size - limits.runBundleBytesMax
    return { path, bytes: await readAt(handle, cutBytes, limits.runBundleBytesMax), cutBytes }
  } finally {
    await handle.close()
  }
}

/** Files of the cache that belong to a run: what a task that ran in it declared as output, where that is a patch. */
export async function readPatches(folder: string, record: Uint8Array): Promise<FolderFile[]> {
  const cache = join(dirname(dirname(folder)), 'cache', 'tasks')
  const files: FolderFile[] = []
  for (const key of keysOf(record)) {
    const manifest = `cache/tasks/${key}/outputs.json`
    if (!(await isFile(join(cache, key, 'outputs.json')))) continue
    const read = await readFile(join(cache, key), 'outputs.json')
    const patches = outputsIn(read.bytes)
    if (patches.length === 0) continue
    files.push({ path: manifest, bytes: read.bytes })
    for (const path of patches) {
      if (await isFile(join(cache, key, 'outputs', path)))
        files.push({
          path: `cache/tasks/${key}/outputs/${path}`,
          bytes: (await readFile(join(cache, key, 'outputs'), path)).bytes,
        })
    }
  }
  return files
}

const PATCHES_MAX = 100

/** The run that a record says it is of: a folder can be renamed. */
export function runIdIn(record: Uint8Array): string | null {
  const id = member(parsed(record), 'id')
  return typeof id === 'string' && id !== '' ? id : null
}

/** Cache keys of the tasks that ran in the run: of a hit the run that filled the cache tells. */
function keysOf(record: Uint8Array): string[] {
  const tasks = member(parsed(record), 'tasks')
  if (!Array.isArray(tasks)) return []
  const keys = tasks.flatMap((task) => {
    const key = member(task, 'cacheKey')
    return member(task, 'status') === 'passed' && typeof key === 'string' && /^[0-9a-f]{64}$/.test(key)
      ? [key]
      : []
  })
  return [...new Set(keys)].slice(0, PATCHES_MAX)
}

/** Declared outputs that are patches. A path that leads out of the folder is none. */
function outputsIn(manifest: Uint8Array): string[] {
  const files = member(parsed(manifest), 'files')
  if (!Array.isArray(files)) return []
  return files
    .flatMap((file) => {
      const path = member(file, 'path')
      return typeof path === 'string' &&
        /\.(?:patch|diff)$/i.test(path) &&
        path.split('/').every((part) => part !== '' && part !== '.' && part !== '..') &&
        !/[\\\0]/.test(path)
        ? [path]
        : []
    })
    .slice(0, PATCHES_MAX)
}

const member = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return null
  }
}
