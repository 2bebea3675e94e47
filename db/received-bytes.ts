import { v7 } from 'uuid'
import type { Tx } from './client'
import { copyRows, type CopyColumn } from './copy-binary'
import type { RowOf } from './schema/rows'

export interface KeptBytes {
  sha256: string
  bytes: Uint8Array
}

export interface ReceivedRow extends KeptBytes {
  id: string
}

const RECEIVED_COLUMNS = (projectId: string): CopyColumn<ReceivedRow>[] => [
  { name: 'project_id', type: 'uuid', value: () => projectId },
  { name: 'id', type: 'uuid', value: (row) => row.id },
  { name: 'sha256', type: 'text', value: (row) => row.sha256 },
  { name: 'kept_length', type: 'int4', value: (row) => row.bytes.length },
  { name: 'bytes', type: 'bytea', value: (row) => row.bytes },
]

/**
 * Keeps bytes under their digests.
 *
 * @returns our ids by digest, new or known, and the rows that are still to be written by `copyBytes`
 */
export async function claimBytes(
  tx: Tx,
  projectId: string,
  all: readonly KeptBytes[],
): Promise<{ ids: Map<string, string>; made: ReceivedRow[] }> {
  const byDigest = new Map(all.map((one): [string, ReceivedRow] => [one.sha256, { ...one, id: v7() }]))
  // In one order, so that two imports at once wait for each other instead of for ever.
  const sorted = [...byDigest.values()].sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1))
  const made = await tx<RowOf<'received_keys', 'sha256' | 'received_id'>[]>`
    insert into received_keys (project_id, sha256, received_id)
    select ${projectId}, sha256, received_id from unnest(${sorted.map((row) => row.sha256)}::text[], ${sorted.map((row) => row.id)}::uuid[]) k(sha256, received_id)
    on conflict (project_id, sha256) do nothing returning sha256, received_id`
  const ids = new Map(made.map((row) => [row.sha256, row.received_id]))
  const rows = sorted.filter((row) => ids.has(row.sha256))
  if (ids.size < sorted.length) {
    const known = await tx<RowOf<'received_keys', 'sha256' | 'received_id'>[]>`
      select sha256, received_id from received_keys where project_id = ${projectId} and sha256 = any (${sorted.map((row) => row.sha256)}::text[])`
    for (const row of known) ids.set(row.sha256, row.received_id)
  }
  return { ids, made: rows }
}

export async function copyBytes(tx: Tx, projectId: string, rows: readonly ReceivedRow[]): Promise<void> {
  if (rows.length > 0) await copyRows(tx, 'received', RECEIVED_COLUMNS(projectId), rows)
}

/** Both at once. @returns our ids in the order of the bytes */
export async function keepBytes(tx: Tx, projectId: string, all: readonly KeptBytes[]): Promise<string[]> {
  const { ids, made } = await claimBytes(tx, projectId, all)
  await copyBytes(tx, projectId, made)
  return all.map((one) => ids.get(one.sha256)!)
}
