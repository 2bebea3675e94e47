import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { limits } from '@/lib/limits'
import type { Environment } from '../settings'
import { refusedFolder } from '../spool'
import { type Bounds, spoolFolders, trim } from '../spool-bound'
import { isRunning } from './process-stamp'
import type { Stamp } from './process-stamp'
import { recordFiles, recordsFolder } from './record-folder'

const recordName = /^\d{13}-[0-9a-f-]{36}$/

/** A record of another machine, whose folder this one shares, is left alone for so long after its last sign of life. */
const strangerMs = 24 * 60 * 60 * 1000

/** Records that nobody works on any more, oldest first: left behind by a recorder that found no server, or that was killed. */
export function listRecords(env: Environment, now = Date.now()): string[] {
  return foldersIn(recordsFolder(env)).filter((folder) => !isOwned(folder, now))
}

/** Keeps the records that wait, and those that were refused, within their bounds: what was refused goes first, then the oldest; the newest one stays. */
export function boundRecords(env: Environment, bounds = recordBounds): void {
  const sized = (folder: string): { path: string; at: number; bytes: number } => ({
    path: folder,
    at: Number(basename(folder).slice(0, 13)),
    bytes: Object.values(recordFiles).reduce(
      (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    ),
  })
  const spools = spoolFolders(env)
  const refused = spools.flatMap((spool) => foldersIn(join(spool, 'refused')))
  const waiting = spools
    .flatMap((spool) => foldersIn(join(spool, 'records')))
    .filter((folder) => !isOwned(folder, Date.now()))
  trim(env, 'records', [refused.map(sized), waiting.map(sized)], bounds, true)
}

const recordBounds: Bounds = { count: limits.spoolRecordsMax, bytes: limits.spoolRecordBytesMax }

/** Records that the server refused for good. */
export const listRefusedRecords = (env: Environment): string[] => foldersIn(refusedFolder(env))

function foldersIn(parent: string): string[] {
  try {
    return readdirSync(parent)
      .filter((name) => recordName.test(name))
      .sort()
      .map((name) => join(parent, name))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}

function isOwned(folder: string, now: number): boolean {
  const path = join(folder, recordFiles.owner)
  let owner: Stamp & { host: string }
  try {
    owner = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    // Made a moment ago, and its owner not written down yet.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return isYoung(folder, now) && !holds(folder, 'head') && !holds(folder, 'document')
    return isYoung(folder, now)
  }
  if (owner.host !== hostname()) return now - lastSignOf(folder) < strangerMs
  return isRunning(owner)
}

const youngMs = 10_000

const isYoung = (folder: string, now: number): boolean => now - lastSignOf(folder) < youngMs

function lastSignOf(folder: string): number {
  const times = [folder, ...Object.values(recordFiles).map((name) => join(folder, name))].map(
    (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  )
  return Math.max(...times)
}

export const holds = (folder: string, file: keyof typeof recordFiles): boolean =>
  sizeOf(folder, file) !== null

export const sizeOf = (folder: string, file: keyof typeof recordFiles): number | null =>
  statSync(join(folder, recordFiles[file]), { throwIfNoEntry: false })?.size ?? null

/** A JSON file of a record; `null` when it is missing or torn. */
export function readJson<T>(folder: string, file: 'head' | 'plan'): T | null {
  try {
    return JSON.parse(readFileSync(join(folder, recordFiles[file]), 'utf8')) as T
  } catch {
    return null
  }
}

/** The server has the record. */
export const dropRecord = (folder: string): void => rmSync(folder, { recursive: true, force: true })

/** The server will never take the record; it is kept for a person to look at. */
export function setRecordAside(env: Environment, folder: string): void {
  try {
    mkdirSync(refusedFolder(env), { recursive: true, mode: 0o700 })
    renameSync(folder, join(refusedFolder(env), basename(folder)))
  } catch (error) {
    // Another file system, or somebody else was first: it stays where it is.
    if (!['EXDEV', 'ENOENT', 'EACCES', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error
  }
}
