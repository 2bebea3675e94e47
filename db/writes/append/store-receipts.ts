import type { NormalRecord } from '@/lib/model/normal-form'
import type { Tx } from '../../client'
import { enqueueVerdicts } from '../../queue/enqueue'
import { copyRows, type CopyColumn } from '../../copy-binary'
import type { ReceiptFact } from '@/lib/model/receipt-facts'

/** An event that may be a receipt. */
interface StoredEvent {
  executionId: string
  streamId: string
  receivedId: string
  record: NormalRecord
}
type ReceiptRow = StoredEvent & { fact: ReceiptFact & { chainId: string } }

const RECEIPT_COPY = (projectId: string): CopyColumn<ReceiptRow>[] => [
  { name: 'project_id', type: 'uuid', value: () => projectId },
  { name: 'stream_id', type: 'uuid', value: (row) => row.streamId },
  { name: 'chain_id', type: 'text', value: (row) => row.fact.chainId },
  // Nothing else of a receipt could distinguish it from another.
  { name: 'digest', type: 'text', value: (row) => row.record.identity },
  { name: 'sequence', type: 'int8', value: (row) => row.fact.sequence },
  { name: 'receipt_id', type: 'text', value: (row) => row.fact.id },
  { name: 'receipt_hash', type: 'text', value: (row) => row.fact.hash },
  { name: 'status', type: 'text', value: (row) => row.fact.status },
  { name: 'action_type', type: 'text', value: (row) => row.fact.actionType },
  { name: 'event', type: 'text', value: (row) => row.fact.event },
  { name: 'session_id', type: 'text', value: (row) => row.fact.sessionId },
  { name: 'correlation_id', type: 'text', value: (row) => row.fact.correlationId },
  { name: 'parent_chain', type: 'text', value: (row) => row.fact.parent?.chainId ?? null },
  { name: 'parent_receipt', type: 'text', value: (row) => row.fact.parent?.receiptId ?? null },
  { name: 'at', type: 'timestamptz', value: (row) => row.fact.at },
  { name: 'execution_id', type: 'uuid', value: (row) => row.executionId },
  { name: 'received_id', type: 'uuid', value: (row) => row.receivedId },
  { name: 'kept_start', type: 'int4', value: (row) => row.record.keptStart },
  { name: 'kept_end', type: 'int4', value: (row) => row.record.keptEnd },
]

/** Notes where receipts are in their chains, which are then verified in the background. One that names no chain is an event of its execution, and nothing more. */
export async function storeReceipts(tx: Tx, projectId: string, rows: readonly StoredEvent[]): Promise<void> {
  const receipts = rows.flatMap((row): ReceiptRow[] => {
    const fact = row.record.facts.receipt
    return fact?.chainId == null ? [] : [{ ...row, fact: { ...fact, chainId: fact.chainId } }]
  })
  if (receipts.length === 0) return
  await copyRows(tx, 'receipts', RECEIPT_COPY(projectId), receipts)
  await enqueueVerdicts(
    tx,
    projectId,
    receipts.map(({ fact }) => fact.chainId),
  )
}
