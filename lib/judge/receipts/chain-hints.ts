import type { ChainFindings } from './chain-findings'
import type { ChainRow } from './chain-row'
import type { ChainHintCode, ChainReason } from '../../model/chain-reasons'

/** What a pattern of breaks most likely means; ours, shown beside the reason. */
export interface ChainHint {
  code: ChainHintCode
  /** Receipt that it is about. */
  index: number
  /** Receipts that are missing, for `receipts_missing`; the number of a checkpoint, for those of checkpoints. */
  count?: number
}

/** Long chains can break everywhere; the first breaks tell the story. */
const HINTS_MAX = 20

/** @param reason the one that decided, whatever the key */
export function hintsOf(found: ChainFindings, reason: ChainReason | null): ChainHint[] {
  const { rows, first } = found
  const hints: ChainHint[] = []
  if (rows.length > 0 && typeof first?.previousHash === 'string')
    hints.push({ code: 'head_missing', index: 0 })
  if (!found.keyUnusable) hints.push(...signatureHints(rows))
  hints.push(...rows.flatMap(sequenceHints))
  hints.push(
    ...rows.flatMap(({ nullsDropped, index }): ChainHint[] =>
      nullsDropped ? [{ code: 'nulls_dropped', index }] : [],
    ),
  )
  if (reason === 'key_rotation_invalid' && rows.every(({ rotationFault }) => rotationFault === null)) {
    hints.push({ code: 'forged_lineage', index: found.lastRotationAt })
  }
  for (const { sequence, why } of found.witness.checkpointFaults()) {
    hints.push({
      code: why === 'ahead' ? 'checkpoint_ahead' : 'checkpoint_differs',
      index: rows.length - 1,
      count: sequence,
    })
  }
  return hints.slice(0, HINTS_MAX)
}

function signatureHints(rows: readonly ChainRow[]): ChainHint[] {
  const firstBad = rows.findIndex(({ signature }) => !signature)
  if (firstBad === -1) return []
  const restIsBad = rows.slice(firstBad).every(({ signature }) => !signature)
  if (firstBad === 0 && restIsBad && rows.length > 1 && rows.every(({ hashLink }) => hashLink))
    return [{ code: 'wrong_key', index: 0 }]
  // The rotation itself is signed by the old key; behind it nothing is, when the new one was not taken over.
  if (firstBad > 0 && restIsBad && rows[firstBad - 1]!.isRotation)
    return [{ code: 'rotation_not_accepted', index: firstBad }]
  return rows.flatMap((row, i): ChainHint[] => {
    const next = rows[i + 1]
    if (row.signature || row.malformed !== null || next === undefined) return []
    return [{ code: next.hashLink ? 'proof_changed' : 'body_changed', index: row.index }]
  })
}

function sequenceHints({ hashLink, sequenceIssue, missing, index }: ChainRow): ChainHint[] {
  if (hashLink || sequenceIssue === null) return []
  if (sequenceIssue === 'gap') return [{ code: 'receipts_missing', index, count: missing }]
  return [{ code: sequenceIssue === 'duplicate' ? 'duplicated' : 'reordered', index }]
}
