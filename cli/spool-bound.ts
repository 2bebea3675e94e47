import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { limits } from '@/lib/limits'
import { noteDropped } from './dropped'
import { stateFolder } from './settings'
import type { Environment } from './settings'
import { frameTime } from './spool'

/** Bounds of a kind of what waits, over the spools of all servers. */
export interface Bounds {
  count: number
  bytes: number
}

const frameBounds: Bounds = { count: limits.spoolFramesMax, bytes: limits.spoolFrameBytesMax }

/** So much is written between two looks, in frames or in steps of bytes: to look at the folders costs more than to write a frame. */
const LOOK_EVERY = 256
const STEP_BYTES = 64 * 1024

/** What is left of a write that was cut off. */
const DRAFT_MS = 60 * 60 * 1000

const spoolRoot = (env: Environment): string => join(stateFolder(env), 'spool')

/** The spool of this machine's server, and those of servers that an environment named. */
export const spoolFolders = (env: Environment): string[] => {
  const root = spoolRoot(env)
  return [root, ...namesIn(join(root, 'for')).map((name) => join(root, 'for', name))]
}

/**
 * Keeps the frames that wait, and those that were refused, within their bounds, after one of so many bytes was written: what was refused goes
 * first, then the oldest. Looks only now and then, so that they go beyond by some frames for a while.
 */
export function boundFrames(env: Environment, writtenBytes: number, bounds = frameBounds): void {
  const counter = join(spoolRoot(env), 'written')
  const file = openSync(counter, 'a', 0o600)
  try {
    writeSync(file, '.'.repeat(Math.max(1, Math.ceil(writtenBytes / STEP_BYTES))))
    if (fstatSync(file).size < LOOK_EVERY) return
  } finally {
    closeSync(file)
  }
  truncateSync(counter)
  trim(env, 'frames', [framesIn(env, 'refused'), framesIn(env, '')], bounds)
}

interface Waiting {
  path: string
  at: number
  bytes: number
}

/** @param groups in the order in which they go; with `keepsLast` the newest of the last group stays, whatever its size */
export function trim(
  env: Environment,
  what: 'frames' | 'records',
  groups: Waiting[][],
  bounds: Bounds,
  keepsLast = false,
): void {
  const all = groups.flatMap((group) => group.toSorted((a, b) => a.at - b.at))
  let count = all.length
  let bytes = all.reduce((sum, one) => sum + one.bytes, 0)
  if (count <= bounds.count && bytes <= bounds.bytes) return
  const dropped = { count: 0, bytes: 0, oldest: Number.POSITIVE_INFINITY }
  // A tenth more than must go, so that not every look has something to drop.
  for (const one of keepsLast ? all.slice(0, -1) : all) {
    if (count <= bounds.count * 0.9 && bytes <= bounds.bytes * 0.9) break
    rmSync(one.path, { recursive: true, force: true })
    count -= 1
    bytes -= one.bytes
    dropped.count += 1
    dropped.bytes += one.bytes
    dropped.oldest = Math.min(dropped.oldest, one.at)
  }
  if (dropped.count > 0) noteDropped(env, { what, ...dropped })
}

function framesIn(env: Environment, below: string): Waiting[] {
  return spoolFolders(env).flatMap((spool) => {
    const folder = join(spool, below)
    return namesIn(folder).flatMap((name) => {
      const path = join(folder, name)
      if (name.endsWith('.frame.draft') && Date.now() - (frameTime(name) ?? 0) > DRAFT_MS)
        rmSync(path, { force: true })
      const at = name.endsWith('.frame') ? frameTime(name) : null
      return at === null ? [] : [{ path, at, bytes: statSync(path, { throwIfNoEntry: false })?.size ?? 0 }]
    })
  })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}
