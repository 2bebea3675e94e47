import { receiptsDatabaseText } from '@/lib/words/cli/receipts-database'
/**
 * Why a database of receipts could not be read:
 * `absent` no such file; `unreadable` the file may not be read; `busy` its owner wrote without a pause, so later it can; `not_a_database`;
 * `damaged` cut off or overwritten; `no_receipts` a database, but not one of receipts; `unsupported` SQLite does not start here.
 */
export type DatabaseProblemKind =
  | 'absent'
  | 'unreadable'
  | 'busy'
  | 'not_a_database'
  | 'damaged'
  | 'no_receipts'
  | 'unsupported'

const WORDS: Record<DatabaseProblemKind, string> = {
  absent: 'file not found',
  unreadable: 'permission denied',
  busy: receiptsDatabaseText.writtenContinuously,
  not_a_database: 'not a SQLite database',
  damaged: receiptsDatabaseText.damaged,
  no_receipts: receiptsDatabaseText.noReceiptsTable,
  unsupported: receiptsDatabaseText.noSqlite,
}

/** A database could not be read, or not to its end: the pages that came before stay good. */
export class DatabaseProblem extends Error {
  override name = 'DatabaseProblem'

  /** What is wrong, without the path. */
  readonly words: string

  constructor(
    readonly kind: DatabaseProblemKind,
    readonly path: string,
    cause?: unknown,
  ) {
    const words = `${WORDS[kind]}${cause instanceof Error ? ` (${cause.message})` : ''}`
    super(`${path}: ${words}`, { cause })
    this.words = words
  }
}

/** What the file system says, in the words above. Anything else is handed on as it is. */
export function fileProblem(path: string, error: unknown): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return new DatabaseProblem('absent', path)
    case 'EACCES':
    case 'EISDIR':
      return new DatabaseProblem('unreadable', path, error)
    case 'EBUSY':
    case 'EPERM':
      return new DatabaseProblem('busy', path, error)
    default:
      return error
  }
}

const MAGIC = 'SQLite format 3\0'

/**
 * What SQLite says. Its library tells kinds apart by their words only.
 *
 * @param head first bytes of the file: what begins as a database and cannot be read as one is damaged
 */
export function sqliteProblem(path: string, error: unknown, head: Uint8Array): DatabaseProblem {
  const said = error instanceof Error ? error.message : String(error)
  if (/not a database/.test(said) && !Buffer.from(head).toString('latin1').startsWith(MAGIC))
    return new DatabaseProblem('not_a_database', path)
  return new DatabaseProblem(/no such (table|column)/.test(said) ? 'no_receipts' : 'damaged', path, error)
}
