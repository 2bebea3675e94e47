import type { ReceiptDatabase } from '../receipts/read-database'

const sqliteMagic = Buffer.from('SQLite format 3\0')
const LF = 0x0a
const BLANK = 0x20

/**
 * The receipts of a database, a line each; null where the bytes are none.
 *
 * @param bytes of the file at `path`
 * @throws DatabaseProblem
 */
export async function readReceiptLines(bytes: Uint8Array, path: string): Promise<Uint8Array | null> {
  if (!sqliteMagic.equals(bytes.subarray(0, sqliteMagic.length))) return null
  const { openReceipts } = await import('../receipts/read-database')
  const database = await openReceipts(path)
  try {
    return Buffer.concat([...linesOf(database)])
  } finally {
    database.close()
  }
}

function* linesOf(database: ReceiptDatabase): Generator<Uint8Array> {
  for (const rows of database.pages())
    for (const { receiptJson } of rows) {
      if (receiptJson === null) continue
      // Within JSON a line end is nothing but white space.
      yield receiptJson.map((byte) => (byte === LF ? BLANK : byte))
      yield Buffer.from([LF])
    }
}
