import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 4 * 1024 ** 3

/**
 * Where databases of tests live: in memory where the system offers enough of it, else among temporary files.
 * Making, emptying and dropping databases is most of what tests do to a disk, and takes a third of the time there.
 */
export function scratchRoot(): string {
  if (process.platform !== 'linux' || !existsSync(MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= ENOUGH_BYTES ? MEMORY : tmpdir()
}
