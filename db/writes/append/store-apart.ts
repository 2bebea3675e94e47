import { describeFailure } from '@/lib/analysis/analysis-failure'
import { storable } from '@/lib/formats/storable'
import type { NormalRecord } from '@/lib/model/normal-form'
import { isDataFault } from '../../sql-state'
import { awaitSent, BrokenTogether } from '../../transaction'
import { storeEvents, type EventRow } from './store-records'
import type { Transaction } from './writing'

/** Records that were stored as another, by the record that was read. */
export type StoredAs = ReadonlyMap<NormalRecord, NormalRecord>

/**
 * Adds events. One whose values the database refuses is stored without them, as an odd record of its execution: its bytes are kept, so
 * `reingest` reads it again. Finding it takes savepoints, so it is done in a second attempt of the transaction (`apart`).
 *
 * @throws BrokenTogether at the first attempt, when a record was refused
 * @throws the database's error when a record is refused even without its values: the body is refused then, and its sender keeps it. So is
 *         a receipt, because its chain would show a gap where none is
 * @see docs/decisions/0043-refused-records.md
 */
export async function storeApart(w: Transaction, rows: readonly EventRow[]): Promise<StoredAs> {
  const storedAs = new Map<NormalRecord, NormalRecord>()
  if (w.apart) await storeSome(w, rows, storedAs)
  else
    await storeEvents(w.tx, w.projectId, rows, w.sent).catch((error: unknown) => {
      throw isDataFault(error) ? new BrokenTogether('a record was refused', { cause: error }) : error
    })
  return storedAs
}

async function storeSome(
  w: Transaction,
  rows: readonly EventRow[],
  storedAs: Map<NormalRecord, NormalRecord>,
): Promise<void> {
  try {
    await w.tx.savepoint((within) => awaitSent((sent) => storeEvents(within, w.projectId, rows, sent)))
  } catch (error) {
    if (!isDataFault(error)) throw error
    if (rows.length > 1) {
      const half = rows.length >> 1
      await storeSome(w, rows.slice(0, half), storedAs)
      await storeSome(w, rows.slice(half), storedAs)
      return
    }
    const [row] = rows
    const { record } = row!
    if (record.facts.receipt !== undefined || record.oddReason === 'unstorable_values') throw error
    const left = withoutValues(record, error)
    storedAs.set(record, left)
    await storeSome(w, [{ ...row!, record: left }], storedAs)
  }
}

/** What remains of a record: where it is and whose it is. */
function withoutValues(record: NormalRecord, error: unknown): NormalRecord {
  const { error: name, message } = describeFailure(error)
  return {
    ...record,
    kind: 'odd',
    type: '',
    at: null,
    parentUuid: null,
    summary: '',
    oddReason: 'unstorable_values',
    oddDetail: { id: 'refused', params: { error: storable(`${name}: ${message}`) } },
    facts: {},
  }
}
