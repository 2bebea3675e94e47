import type { ChainHintCode, ChainReason } from '../chain-reasons'
import type { MessageOf, NoParams } from '../message'
import type { SilenceFinding, SilenceKind } from '../silence'

/** Why a chain breaks: one message for each reason, under its name. */
export type ChainReasons = Record<ChainReason, NoParams>

/** What a pattern of breaks most likely means. */
export interface ChainHints extends Record<Exclude<ChainHintCode, 'receipts_missing'>, NoParams> {
  /** Null: how many is not known. */
  receipts_missing: { readonly count: number | null }
}

/** The values of a finding that its sentence can need. Kinds and reasons may be of a newer version. */
export type SilenceFacts = Pick<SilenceFinding, 'count' | 'tool' | 'receipts'> & {
  readonly rule: string | null
  readonly failureBy: string | null
  readonly reason: string | null
}

/** Where the record of an execution is silent, or says other than what happened. */
export type SilenceMessages = Record<SilenceKind, SilenceFacts>

/** Why a receipt that was sent is refused. */
export interface PushFaults {
  not_utf8: NoParams
  empty: NoParams
  not_json: NoParams
  not_a_receipt: NoParams
  too_deep: NoParams
  /** The dotted path of a member that must hold text. */
  member_missing: { readonly path: string }
}

export type PushFault = MessageOf<PushFaults>
