import { factsOf } from '@/lib/formats/receipt/receipt-facts'
import type { ReceiptFacts } from '@/lib/formats/receipt/receipt'
import { receiptFrom } from '@/lib/formats/receipt/read-receipt'
import { verifyText } from '@/lib/words/cli/verify'
import { DatabaseProblem } from '../receipts/database-problem'
import { disagreeingColumns } from '../receipts/disagreeing-columns'
import { openReceipts, type ReceiptDatabase, type ReceiptRow, type Rowid } from '../receipts/read-database'
import type { Source, SourceReceipt } from './source'

export interface OpenDatabase {
  /** Path under which it is reported. */
  name: string
  /** Called now and then with the number of rows read. */
  onRows: (rows: number) => void
  /** Removes what was made for it. */
  close?: () => void
  signal: AbortSignal
}

/**
 * The receipts of a database, chain by chain, in the order of their numbers and then of their rows. They are read twice: for their order, of which
 * only numbers are kept, and to be verified.
 *
 * @throws DatabaseProblem
 */
export async function databaseSource(
  path: string,
  { name, onRows, close, signal }: OpenDatabase,
): Promise<Source> {
  const database = await openReceipts(path)
  const end = (): void => {
    database.close()
    close?.()
  }
  try {
    const { chains, problem } = orderOf(database, name, onRows, signal)
    function* receipts(): Generator<SourceReceipt, void, undefined> {
      for (const rows of chains) for (const row of rowsOf(database, rows)) yield sourceReceipt(row)
    }
    return {
      kind: 'database',
      placeWord: 'row',
      receipts: receipts(),
      turned: new Set(),
      problem: () => problem,
      close: end,
    }
  } catch (error) {
    end()
    throw error
  }
}

function sourceReceipt({ rowid, receiptJson, columns }: ReceiptRow): SourceReceipt {
  const receipt = receiptFrom(receiptJson ?? new Uint8Array())
  const chainHint = typeof columns.chain_id === 'string' ? columns.chain_id : undefined
  return { receipt, place: Number(rowid), chainHint, disagreeing: disagreeingColumns(receipt, columns) }
}

interface Placed {
  rowid: Rowid
  sequence: number
}

/** What can be read before the damage is good, and is reported with it. */
function orderOf(
  database: ReceiptDatabase,
  name: string,
  onRows: (rows: number) => void,
  signal: AbortSignal,
): { chains: Rowid[][]; problem: string | null } {
  const chains = new Map<string, Placed[]>()
  let problem: string | null = null
  let count = 0
  try {
    for (const rows of database.pages()) {
      signal.throwIfAborted()
      for (const row of rows) place(chains, row)
      onRows((count += rows.length))
    }
  } catch (error) {
    if (!(error instanceof DatabaseProblem) || count === 0) throw error
    problem = verifyText.rowsRead({ name, why: error.words, count })
  }
  // A stable sort: equal numbers stay in the order of their rows.
  return {
    problem,
    chains: [...chains.values()].map((rows) =>
      rows.sort((a, b) => a.sequence - b.sequence).map(({ rowid }) => rowid),
    ),
  }
}

function place(chains: Map<string, Placed[]>, { rowid, receiptJson, columns }: ReceiptRow): void {
  const { chainId, sequence } = chainFacts(receiptJson)
  const chain = String(chainId ?? columns.chain_id)
  const placed = {
    rowid,
    sequence: numberOf(sequence) ?? numberOf(columns.sequence) ?? Number.MAX_SAFE_INTEGER,
  }
  const rows = chains.get(chain)
  if (rows === undefined) chains.set(chain, [placed])
  else rows.push(placed)
}

function chainFacts(receiptJson: Uint8Array | null): Pick<ReceiptFacts['chain'], 'chainId' | 'sequence'> {
  try {
    const { chainId, sequence } = factsOf(JSON.parse(Buffer.from(receiptJson ?? []).toString('utf8'))).chain
    return { chainId: typeof chainId === 'string' ? chainId : undefined, sequence }
  } catch {
    return { chainId: undefined, sequence: undefined }
  }
}

const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value)
    ? value
    : typeof value === 'bigint'
      ? Number(value)
      : null

const pageRowsMax = 200

/** Rows in the given order: where they lie close together several at once, else one by one. */
function* rowsOf(
  database: ReceiptDatabase,
  rowids: readonly Rowid[],
): Generator<ReceiptRow, void, undefined> {
  let page = new Map<Rowid, ReceiptRow>()
  for (let i = 0; i < rowids.length; i++) {
    const rowid = rowids[i]!
    if (!page.has(rowid)) {
      let wanted = 1
      while (wanted < pageRowsMax && i + wanted < rowids.length && isNear(rowid, rowids[i + wanted]!, wanted))
        wanted++
      const read = database.pages(before(rowid), wanted).next()
      page = new Map(read.done ? [] : read.value.map((row) => [row.rowid, row]))
    }
    const row = page.get(rowid)
    if (row !== undefined) yield row
  }
}

const isNear = (first: Rowid, other: Rowid, steps: number): boolean =>
  other > first && Number(other) - Number(first) <= 2 * steps

const before = (rowid: Rowid): Rowid => (typeof rowid === 'bigint' ? rowid - 1n : rowid - 1)
