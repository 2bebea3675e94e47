import { chmodSync, closeSync, constants, copyFileSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseProblem, fileProblem } from './database-problem'

/** Length of the head of a log, which changes whenever the log begins anew, and of the database's own. */
const logHeadBytes = 32
const fileHeadBytes = 100

const attempts = 20
const pauseMs = 50

/**
 * What a database looked like at one moment. Two equal ones with a copy between them make it a whole copy:
 * - With a log (`-wal`) pages go from the log into the file while all of them stay in the log, until that begins anew with another head. A log that is
 *   copied after the file therefore holds whatever the file lacks, however far that has come.
 * - A `-journal` holds the old pages of a change under way, each before it is overwritten in the file.
 * - With neither, the file itself must not have changed: its head counts the changes.
 */
export interface Snapshot {
  file: bigint
  head: string
  log: string | null
  journal: string | null
  /** Changes with everything that is written. */
  changed: string
  /** Whether the last write is so fresh that a next one could bear the same time. */
  isFresh: boolean
}

const freshMs = 1_000

/** @throws DatabaseProblem `absent`, `unreadable` or `busy` */
export function lookAt(path: string): Snapshot {
  try {
    const { ino, size, mtimeNs } = statSync(path, { bigint: true })
    const [log, journal] = [headOf(`${path}-wal`, logHeadBytes), headOf(`${path}-journal`, logHeadBytes)]
    const head = headOf(path, fileHeadBytes) ?? ''
    const logStat = statSync(`${path}-wal`, { bigint: true, throwIfNoEntry: false })
    const isFresh = [mtimeNs, logStat?.mtimeNs ?? 0n].some(
      (written) => Date.now() - Number(written / 1_000_000n) < freshMs,
    )
    return {
      file: ino,
      head,
      log,
      journal,
      isFresh,
      changed: [head, size, mtimeNs, log, logStat?.size, logStat?.mtimeNs, journal].join(' '),
    }
  } catch (error) {
    throw fileProblem(path, error)
  }
}

/** Whether what was copied between two looks is one state of the database. */
export const isWhole = (before: Snapshot, after: Snapshot): boolean =>
  before.file === after.file &&
  before.log === after.log &&
  before.journal === after.journal &&
  (holdsPages(before.log) || holdsPages(before.journal) || before.changed === after.changed)

/** An empty one, or one whose head was wiped out, belongs to no page. */
const holdsPages = (head: string | null): boolean => head !== null && /[^0]/.test(head)

/** For tests: how the files are looked at, and what is waited for before a further attempt. */
interface CopyDatabase {
  look?: (path: string) => Snapshot
  pause?: () => Promise<unknown>
}

/**
 * Copies a database that its owner may be writing, with what belongs to it: nothing is locked, and nothing is left beside the original. The third file
 * of a log (`-shm`) is an index that SQLite makes anew from the log.
 *
 * @param target path of the copy, in a folder of ours
 * @throws DatabaseProblem `absent`, `unreadable`, or `busy` when it changed under every attempt
 */
export async function copyDatabase(
  path: string,
  target: string,
  { look = lookAt, pause = () => delay(pauseMs) }: CopyDatabase = {},
): Promise<Snapshot> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const before = look(path)
    try {
      copyFile(path, target)
      // In this order: see above.
      for (const side of ['-wal', '-journal']) copySide(path + side, target + side)
    } catch (error) {
      throw fileProblem(path, error)
    }
    if (isWhole(before, look(path))) return before
    if (attempt < attempts) await pause()
  }
  throw new DatabaseProblem('busy', path)
}

/** The copy is ours to write, whatever the original allows. */
function copyFile(from: string, to: string): void {
  rmSync(to, { force: true })
  copyFileSync(from, to, constants.COPYFILE_FICLONE)
  chmodSync(to, 0o600)
}

function copySide(from: string, to: string): void {
  try {
    copyFile(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** First bytes of a file in hex; null when there is no such file. */
function headOf(path: string, length: number): string | null {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  try {
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, readSync(file, bytes, 0, length, 0)).toString('hex')
  } finally {
    closeSync(file)
  }
}
