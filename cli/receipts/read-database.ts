import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database, SQLiteValue } from 'node-sqlite3-wasm'
import { copyDatabase, type Snapshot } from './copy-database'
import { DatabaseProblem, sqliteProblem } from './database-problem'

export type Rowid = number | bigint

export interface ReceiptRow {
  rowid: Rowid
  /** The other columns by name, as they are: hints, which `receiptJson` overrules. Old files have no `tool_name`. */
  columns: Record<string, SQLiteValue>
  /** Bytes of `receipt_json`; null when the column is. */
  receiptJson: Uint8Array | null
}

export interface ReceiptDatabase {
  snapshot: Snapshot
  /** Names of the columns, `receipt_json` among them. */
  columns: string[]
  /** The highest rowid; 0 when there is no row. */
  lastRowid: Rowid
  /**
   * Rows behind `after` in the order in which they were inserted, page by page.
   *
   * @throws DatabaseProblem `damaged` where the database cannot be read on; the pages before are good
   */
  pages(after?: Rowid, pageRows?: number): Generator<ReceiptRow[], void, undefined>
  /** Removes the copy. */
  close(): void
}

const pageRowsMax = 200

/**
 * Opens the receipts of a daemon, collector or library as they are at this moment, also while they are being written: a private copy
 * is read, so nothing is locked, changed or left beside the original.
 *
 * @param folder where the copy lies until `close`
 * @throws DatabaseProblem
 * @see docs/decisions/0013-sqlite.md
 */
export async function openReceipts(path: string, folder = tmpdir()): Promise<ReceiptDatabase> {
  const sqlite = await import('node-sqlite3-wasm').catch((error: unknown) => {
    throw new DatabaseProblem('unsupported', path, error)
  })
  // For its owner only, as `mkdtemp` makes it.
  const own = mkdtempSync(join(folder, 'inquest-receipts-'))
  const copy = join(own, 'receipts.db')
  let db: Database | null = null
  const close = (): void => {
    if (db?.isOpen) db.close()
    rmSync(own, { recursive: true, force: true })
  }
  try {
    const snapshot = await copyDatabase(path, copy)
    try {
      const { Database } = sqlite.default
      db = new Database(copy, { fileMustExist: true })
      // With a lock of its own SQLite needs no shared memory for the log. A schema from outside calls no functions.
      db.exec('pragma locking_mode = exclusive; pragma trusted_schema = off')
      const columns = readColumns(db)
      if (!columns.includes('receipt_json')) throw new DatabaseProblem('no_receipts', path)
      const lastRowid = (db.get('select max(rowid) as last from receipts')?.last ?? 0) as Rowid
      return {
        snapshot,
        columns,
        lastRowid,
        pages: (after = 0, pageRows = pageRowsMax) => eachPage(db!, path, columns, after, pageRows),
        close,
      }
    } catch (error) {
      throw error instanceof DatabaseProblem
        ? error
        : sqliteProblem(path, error, Buffer.from(snapshot.head, 'hex'))
    }
  } catch (error) {
    close()
    throw error
  }
}

/** Of a table and nothing else: a view could run what it likes. */
const readColumns = (db: Database): string[] =>
  db.get(
    "select 1 as found from sqlite_schema where type = 'table' and name = 'receipts' and sql not like 'create virtual%'",
  ) === null
    ? []
    : db.all("select name from pragma_table_info('receipts')").map(({ name }) => String(name))

function* eachPage(
  db: Database,
  path: string,
  columns: string[],
  after: Rowid,
  pageRows: number,
): Generator<ReceiptRow[], void, undefined> {
  const quoted = columns
    .filter((name) => name !== 'receipt_json')
    .map((name) => `, "${name.replaceAll('"', '""')}"`)
  // As bytes, because a text of another encoding, or one that is cut in a character, does not come out of a string as it went in.
  const select = `select rowid as ":rowid", cast(receipt_json as blob) as ":receipt"${quoted.join('')} from receipts where rowid > ? order by rowid limit ?`
  for (let last = after; ; ) {
    let rows: ReceiptRow[]
    try {
      rows = db.all(select, [last, pageRows]).map((row) => {
        const { ':rowid': rowid, ':receipt': receiptJson, ...hints } = row as Record<string, SQLiteValue>
        return { rowid: rowid as Rowid, receiptJson: receiptJson as Uint8Array | null, columns: hints }
      })
    } catch (error) {
      throw new DatabaseProblem('damaged', path, error)
    }
    if (rows.length > 0) yield rows
    if (rows.length < pageRows) return
    last = rows.at(-1)!.rowid
  }
}
