import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** A file system of its own that is small enough to be filled. */
export interface SmallDisk {
  /** Takes all of its room but a little. */
  fill: () => void
  /** Gives the room back. */
  empty: () => void
  remove: () => void
}

const SIZE = '900m'
/** Less than one segment of the write-ahead log. */
const LEFT_BYTES = 512 * 1024
const BLOCK = Buffer.alloc(1024 * 1024)

/** Mounts one on the folder. @returns the reason when this account or system does not allow it */
export function mountSmallDisk(folder: string): SmallDisk | { refused: string } {
  mkdirSync(folder, { recursive: true })
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=0755`, 'tmpfs', folder], {
    encoding: 'utf8',
  })
  if (mounted.status !== 0) return { refused: (mounted.stderr || String(mounted.error)).trim() }
  const filler = join(folder, 'filler')
  return {
    fill: () => {
      const file = openSync(filler, 'w')
      try {
        for (let free = room(folder); free > LEFT_BYTES; free = room(folder))
          writeSync(file, BLOCK, 0, Math.min(BLOCK.length, free - LEFT_BYTES))
      } finally {
        closeSync(file)
      }
    },
    empty: () => rmSync(filler, { force: true }),
    remove: () => void spawnSync('umount', ['-l', folder]),
  }
}

function room(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
