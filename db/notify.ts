import type { Tx } from './client'
import { LIVE_CHANNEL } from './live-client'

/** Ids named in one message: a payload may contain 8,000 bytes. */
const IDS_MAX = 50

/** Tells listeners, once this transaction is committed, which executions changed: ids only. */
export async function notifyChanged(tx: Tx, projectId: string, ids: readonly string[]): Promise<void> {
  const unique = [...new Set(ids)]
  if (unique.length === 0) return
  await tx`select pg_notify(${LIVE_CHANNEL}, ${JSON.stringify({ project: projectId, executions: unique.slice(0, IDS_MAX), n: unique.length })})`
}
