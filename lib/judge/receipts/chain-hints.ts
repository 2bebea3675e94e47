import type { ChainFindings } from './chain-findings'
import type { ChainRow } from './chain-row'
import type { ChainReason } from '../../model/chain-reasons'

/** What a pattern of breaks most likely means; ours, shown beside the reason. */
export interface ChainHint {
  code: ChainHintCode
  /** Receipt that it is about. */
  index: number
  /** Receipts that are missing, for `receipts_missing`; the number of a checkpoint, for those of checkpoints. */
  count?: number
}

export const hintWords = {
  proof_changed: 'Only the proof was changed, or the key is not the one that signed',
  body_changed: 'The body of this receipt was changed after it was signed',
  wrong_key:
    'No signature holds and every link does: the wrong key for this chain, or its current one where the first is needed',
  receipts_missing: 'Receipts are missing before this one',
  duplicated: 'A receipt was duplicated or replayed, or two were written for one number',
  reordered: 'Receipts were reordered',
  head_missing: 'The head of the chain is missing',
  rotation_not_accepted: 'The change of keys was not accepted, or an old key kept signing',
  forged_lineage: 'The changes of keys do not end at the current key',
  checkpoint_ahead: 'A signed checkpoint had seen more of this chain: its tail is missing',
  checkpoint_differs: 'A signed checkpoint had seen another receipt in this place',
  nulls_dropped:
    'The signature holds once members that are null are left out; other verifiers refuse or accept it by how they treat them',
} as const

export type ChainHintCode = keyof typeof hintWords

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
