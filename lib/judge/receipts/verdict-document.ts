import type { ChainVerdict } from './chain-verdict'
import { VERDICT_FACTS, type ChainVerdictDocument, type VerdictDifference } from '../../model/receipt-chain'

/** A key that was tried. `chainId` null: it may begin any chain; a key without one was handed in for this chain. */
export type TriedKey = { chainId?: string | null }

/**
 * A verdict without its rows, as endpoints answer it and as two computations of it are compared. No key was registered yet: that is no unusable one.
 * A key that may begin any chain is tried on those of other issuers, too: of a chain that holds in itself, and of which such keys have signed
 * nothing, only that is known (`other_key`). Signatures that are not those of a key for this very chain break it.
 */
export function verdictDocument(verdict: ChainVerdict, keys: readonly TriedKey[]): ChainVerdictDocument {
  const { firstBadIndex, status, rows, headHash, activeFingerprint } = verdict
  const common = { status, receipts: rows.length, headHash, activeFingerprint }
  if (keys.length === 0) return { ...common, state: 'no_key', reason: null, firstBadIndex }
  if (isOfOtherKey(verdict, keys)) return { ...common, state: 'other_key', reason: null, firstBadIndex: -1 }
  return { ...common, state: verdict.state, reason: verdict.reason, firstBadIndex }
}

const isOfOtherKey = ({ reason, rows }: ChainVerdict, keys: readonly TriedKey[]): boolean =>
  reason === 'signature_invalid' &&
  keys.every(({ chainId }) => chainId === null) &&
  rows.every(
    (row) =>
      !row.signature && row.hashLink && row.malformed === null && !row.foreign && row.sequenceIssue === null,
  )

/** Where two verdicts on one chain are not the same. */
export const verdictDifferences = (
  here: ChainVerdictDocument,
  server: ChainVerdictDocument,
): VerdictDifference[] =>
  VERDICT_FACTS.flatMap((fact) =>
    here[fact] === server[fact] ? [] : [{ fact, here: here[fact], server: server[fact] }],
  )
