import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson } from '../text/canonical-json'

/** One entry of the audit log of a project. */
export interface AuditEntry {
  projectId: string
  /** From 1, without gaps. */
  seq: number
  /** ISO 8601, UTC, milliseconds. */
  at: string
  actor: string
  action: string
  subject: string
  detail: Record<string, unknown>
  /** Hash of the entry before; `GENESIS` for the first. */
  prevHash: string
  hash: string
}

/** What the first entry links to. */
export const GENESIS = '0'.repeat(64)

/** SHA-256 over everything the entry says and the hash of the one before it, hex. */
export function auditHash({
  projectId,
  seq,
  at,
  actor,
  action,
  subject,
  detail,
  prevHash,
}: Omit<AuditEntry, 'hash'>): string {
  return bytesToHex(
    sha256(utf8ToBytes(canonicalJson({ projectId, seq, at, actor, action, subject, detail, prevHash }))),
  )
}

export type AuditVerdict =
  | { valid: true; entries: number; head: string }
  | { valid: false; seq: number; why: 'gap' | 'broken_link' | 'changed' }

/**
 * Checks entries in the order of `seq`; the first broken one is named, what follows it is not provable from here.
 * That entries are missing at the end shows only against a head that was kept elsewhere.
 *
 * @param after the entry the checked ones follow on; the beginning of the log when left out
 */
export function verifyAuditChain(
  entries: Iterable<AuditEntry>,
  after: { seq: number; hash: string } = { seq: 0, hash: GENESIS },
): AuditVerdict {
  let { seq, hash } = after
  let count = 0
  for (const entry of entries) {
    if (entry.seq !== seq + 1) return { valid: false, seq: seq + 1, why: 'gap' }
    if (entry.prevHash !== hash) return { valid: false, seq: entry.seq, why: 'broken_link' }
    if (auditHash(entry) !== entry.hash) return { valid: false, seq: entry.seq, why: 'changed' }
    seq = entry.seq
    hash = entry.hash
    count++
  }
  return { valid: true, entries: count, head: hash }
}
