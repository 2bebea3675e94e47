import type { ChainVerdictDocument } from '../api/receipt-schemas'
import type { ChainVerdict } from './chain-verdict'

/** A verdict without its rows, as doors hand it out and two computations of it are compared. No key was registered yet: that is no unusable one. */
export function verdictDocument(verdict: ChainVerdict, keys: number): ChainVerdictDocument {
  const { state, reason, firstBadIndex, status, rows, headHash, activeFingerprint } = verdict
  const noKey = keys === 0
  return { state: noKey ? 'no_key' : state, reason: noKey ? null : reason, firstBadIndex, status, receipts: rows.length, headHash, activeFingerprint }
}

export interface VerdictDifference {
  fact: string
  here: string
  server: string
}

const COMPARED = [
  ['state', 'Verdict'], ['reason', 'Reason'], ['firstBadIndex', 'First bad receipt'], ['headHash', 'Hash of the last receipt'], ['receipts', 'Receipts'],
] as const satisfies readonly (readonly [keyof ChainVerdictDocument, string])[]

/** Where two verdicts on one chain are not the same. */
export const verdictDifferences = (here: ChainVerdictDocument, server: ChainVerdictDocument): VerdictDifference[] =>
  COMPARED.flatMap(([key, fact]) => (here[key] === server[key] ? [] : [{ fact, here: said(key, here[key]), server: said(key, server[key]) }]))

function said(key: keyof ChainVerdictDocument, value: string | number | null): string {
  if (value === null || value === -1) return 'none'
  return key === 'firstBadIndex' ? `place ${Number(value) + 1}` : String(value)
}
