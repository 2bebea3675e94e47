import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { IngestAnswer } from '@/lib/api/ingest-schemas'
import { DatabaseProblem } from '../receipts/database-problem'
import { disagreeingColumns } from '../receipts/disagreeing-columns'
import { openReceipts, type ReceiptDatabase, type ReceiptRow, type Rowid } from '../receipts/read-database'
import { receiptFrom } from '@/lib/formats/receipt/read-receipt'
import type { IngestClient } from './ingest-client'

/** Bytes of receipts that are sent at once. */
const bodyBytesTarget = 1024 * 1024

export interface SendingDatabase {
  ingest: IngestClient
  path: string
  name: string
  signal: AbortSignal
  onAnswer(answer: IngestAnswer): void
}

export interface DatabaseStanding {
  /** Bytes of receipts that were sent. */
  sentBytes: number
  /** Rows without a receipt. */
  emptyRows: number
  disagreeing: DisagreeingRows
  place: DatabasePlace
}

/** Rows whose columns say otherwise than their receipt, which decides; the first of them by their rowids. */
export interface DisagreeingRows {
  total: number
  first: { row: number; columns: string[] }[]
}
const disagreeingListedMax = 10

/** How far a database was read. */
export interface DatabasePlace {
  lastRowid: Rowid
  /** Digest of the receipt there: in another database that took the place stands another one. */
  digest: string
}

/**
 * Sends the receipts of a database as they lie in it, in the order in which they were inserted. Its owner may be writing. The columns beside the
 * receipts are hints and are not sent; a disagreement with their receipt is reported. Of a damaged database what is before the damage is sent.
 *
 * @param after where it goes on; a database that has another row there, or none, is sent from its beginning
 * @throws DatabaseProblem
 */
export async function sendDatabase(
  { ingest, path, name, signal, onAnswer }: SendingDatabase,
  after: DatabasePlace | null = null,
): Promise<DatabaseStanding> {
  const database = await openReceipts(path)
  try {
    const standing: DatabaseStanding = {
      sentBytes: 0,
      emptyRows: 0,
      disagreeing: { total: 0, first: [] },
      place: after !== null && holds(database, after) ? after : { lastRowid: 0, digest: '' },
    }
    let lines: Uint8Array[] = []
    let bytes = 0
    const send = async (more: boolean): Promise<void> => {
      if (lines.length === 0) return
      signal.throwIfAborted()
      const body = Buffer.concat(lines)
      onAnswer(
        await ingest.sendPart({
          kind: 'receipts',
          name,
          streamId: null,
          start: 0,
          length: body.length,
          more,
          body: () => Readable.from([body]),
        }),
      )
      standing.sentBytes += bytes
      lines = []
      bytes = 0
    }
    const read = async (rows: ReceiptRow[]): Promise<void> => {
      for (const row of rows) {
        const { receiptJson } = row
        if (row === rows.at(-1)) standing.place = placeOf(row)
        if (receiptJson === null) {
          standing.emptyRows++
          continue
        }
        // A receipt over several lines is a document: no other can be behind it.
        noteDisagreeing(standing.disagreeing, row, receiptJson)
        const isDocument = receiptJson.includes(0x0a)
        if (isDocument) await send(true)
        lines.push(receiptJson, newline)
        bytes += receiptJson.length
        if (isDocument || bytes >= bodyBytesTarget) await send(true)
      }
    }
    try {
      for (const rows of database.pages(standing.place.lastRowid)) await read(rows)
    } catch (error) {
      // What was read before the damage is good.
      if (error instanceof DatabaseProblem) await send(false)
      throw error
    }
    await send(false)
    return standing
  } finally {
    database.close()
  }
}

function noteDisagreeing(
  found: DisagreeingRows,
  { rowid, columns }: ReceiptRow,
  receiptJson: Uint8Array,
): void {
  const disagreeing = disagreeingColumns(receiptFrom(receiptJson), columns)
  if (disagreeing.length === 0) return
  found.total++
  if (found.first.length < disagreeingListedMax)
    found.first.push({ row: Number(rowid), columns: disagreeing })
}

const placeOf = ({ rowid, receiptJson }: ReceiptRow): DatabasePlace => ({
  lastRowid: rowid,
  digest: createHash('sha256')
    .update(receiptJson ?? '')
    .digest('hex'),
})

function holds(database: ReceiptDatabase, place: DatabasePlace): boolean {
  const { lastRowid } = place
  const before = typeof lastRowid === 'bigint' ? lastRowid - 1n : lastRowid - 1
  const row = database.pages(before, 1).next().value?.[0]
  return row !== undefined && row.rowid === lastRowid && placeOf(row).digest === place.digest
}

const newline = Buffer.from('\n')
