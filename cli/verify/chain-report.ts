import { isBad, type ChainRow } from '@/lib/judge/receipts/chain-row'
import type { ChainVerdict } from '@/lib/judge/receipts/chain-verdict'
import type { ChainCounts } from './call-tally'
import type { Source } from './source'
import type { VerifiedChain } from './verify-chains'
import type { ChainReason } from '@/lib/model/chain-reasons'

/** `signatures_not_checked`: no key was given, and all that needs none holds. */
export type ReportState = 'valid' | 'broken' | 'no_receipts' | 'signatures_not_checked'

/** The report of one chain; `--json` prints it as it is. Indices count from 0. */
export interface ChainReport extends Omit<ChainVerdict, 'state' | 'rows' | 'reasonWithoutKey'> {
  chainId: string | null
  state: ReportState
  signaturesChecked: boolean
  counts: ChainCounts
  /** Receipts that do not hold, whatever decided. */
  badReceipts: number
  firstBad: (ChainRow & { place: number; number: number | null }) | null
  /** The chain stood newest first, as the command line of the source prints it. */
  turnedRound: boolean
  /** A list that was turned round and does not begin at the head of its chain. */
  partial: boolean
  disagreeingRows: { total: number; first: { index: number; row: number; columns: string[] }[] }
  rows?: ChainRow[]
}

const listedMax = 20

/** @param withRows whether each receipt is listed */
export function reportChain(
  { chainId, verdict, counts, places, numbers, disagreements }: VerifiedChain,
  source: Source | null,
  withRows: boolean,
): ChainReport {
  const { reasonWithoutKey, rows, state, ...fields } = verdict
  const signaturesChecked = state !== 'key_unusable'
  const reason = signaturesChecked ? fields.reason : reasonWithoutKey
  const turnedRound = chainId !== null && source?.turned.has(chainId) === true
  const first = rows[fields.firstBadIndex]
  return {
    chainId,
    ...fields,
    reason,
    valid: signaturesChecked && fields.valid,
    state: stateOf(rows.length, reason, signaturesChecked),
    signaturesChecked,
    counts,
    badReceipts: rows.filter((row) => isBad(signaturesChecked ? row : { ...row, signature: true })).length,
    firstBad:
      first === undefined
        ? null
        : { ...first, place: places[fields.firstBadIndex]!, number: numbers[fields.firstBadIndex]! },
    turnedRound,
    partial: turnedRound && rows[0]?.hashLink === false,
    disagreeingRows: {
      total: disagreements.length,
      first: disagreements
        .slice(0, listedMax)
        .map(({ index, columns }) => ({ index, row: places[index]!, columns })),
    },
    ...(withRows ? { rows } : {}),
  }
}

function stateOf(receipts: number, reason: ChainReason | null, signaturesChecked: boolean): ReportState {
  if (reason !== null) return 'broken'
  if (receipts === 0) return 'no_receipts'
  return signaturesChecked ? 'valid' : 'signatures_not_checked'
}

/** What `inquest verify` ends with. */
export const verifyExit = { valid: 0, broken: 1, unusable: 2, noReceipts: 3, notEnded: 4 } as const

/**
 * The worst that was found decides. A chain that is asked to have ended and did not is no broken one.
 *
 * @param isWhole whether all that was given could be read and used
 */
export function exitOf(chains: readonly ChainReport[], isWhole: boolean): number {
  if (chains.some(({ state, reason }) => state === 'broken' && reason !== 'not_terminal'))
    return verifyExit.broken
  if (
    !isWhole ||
    chains.some(({ signaturesChecked, state }) => !signaturesChecked && state !== 'no_receipts')
  )
    return verifyExit.unusable
  if (chains.every(({ state }) => state === 'no_receipts')) return verifyExit.noReceipts
  return chains.some(({ reason }) => reason === 'not_terminal') ? verifyExit.notEnded : verifyExit.valid
}
