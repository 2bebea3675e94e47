import { auditHash, GENESIS, verifyAuditChain, type AuditEntry, type AuditVerdict } from '@/lib/audit/chain'
import { storableDeep } from '@/lib/formats/storable'
import type { Sql, Tx } from './client'
import type { RowOf } from './schema/rows'

export interface AuditAction {
  projectId: string
  /** `person:<id>`, `key:<id>`, `link:<id>` (whoever holds a share link) or `system`. */
  actor: string
  /** What was done, as `<thing>.<verb>`. */
  action: string
  /** Id of the thing it was done to. */
  subject: string
  detail?: Record<string, unknown>
}

/**
 * Adds an entry to the log of the project, inside the transaction of what it tells about: both happen or neither.
 * Entries of one project follow one another, so writers wait for each other here until the transaction ends.
 */
export async function recordAudit(
  tx: Tx,
  { projectId, actor, action, subject, detail = {} }: AuditAction,
): Promise<AuditEntry> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`audit ${projectId}`}, 0))`
  const [last] = await tx<
    (RowOf<'audit_log', 'hash'> & {
      seq: number
    })[]
  >`select seq::int8 as seq, hash from audit_log where project_id = ${projectId} order by seq desc limit 1`
  // Through JSON once, so that what is hashed is what will be read back.
  const plain = JSON.parse(JSON.stringify(storableDeep(detail))) as Record<string, unknown>
  const unsigned = {
    projectId,
    seq: Number(last?.seq ?? 0) + 1,
    at: new Date().toISOString(),
    actor,
    action,
    subject,
    detail: plain,
    prevHash: last?.hash ?? GENESIS,
  }
  const entry = { ...unsigned, hash: auditHash(unsigned) }
  await tx`
    insert into audit_log (project_id, seq, at, actor, action, subject, detail, prev_hash, hash)
    values (${projectId}, ${entry.seq}, ${entry.at}, ${actor}, ${action}, ${subject}, ${JSON.stringify(plain)}::text::jsonb, ${entry.prevHash}, ${entry.hash})`
  return entry
}

const BATCH_ROWS = 1000

/** Reads the whole log of a project in batches and checks that every entry is there and says what it said. */
export async function verifyAuditLog(sql: Sql, projectId: string): Promise<AuditVerdict> {
  let after = { seq: 0, hash: GENESIS }
  let entries = 0
  for (;;) {
    const rows = await sql<
      RowOf<
        'audit_log',
        'projectId' | 'seq' | 'at' | 'actor' | 'action' | 'subject' | 'detail' | 'prevHash' | 'hash'
      >[]
    >`
      select project_id as "projectId", seq, at, actor, action, subject, detail, prev_hash as "prevHash", hash
      from audit_log where project_id = ${projectId} and seq > ${after.seq} order by seq limit ${BATCH_ROWS}`
    const verdict = verifyAuditChain(rows, after)
    if (!verdict.valid) return verdict
    entries += rows.length
    if (rows.length < BATCH_ROWS) return { valid: true, entries, head: verdict.head }
    after = { seq: rows.at(-1)!.seq, hash: verdict.head }
  }
}
