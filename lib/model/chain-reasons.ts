/** States of a verdict in which nothing is proven of a chain, though nothing shows that it was changed: the right key is not here. */
export const UNPROVEN_STATES = ['no_key', 'key_unusable', 'other_key'] as const

export type UnprovenState = (typeof UNPROVEN_STATES)[number]

/** Why a chain is not valid, the one that comes first when several hold at one receipt. `key_unusable` says nothing of the chain. */
export const CHAIN_REASONS = [
  'malformed_receipt',
  'chain_id_mismatch',
  'signature_invalid',
  'key_rotation_invalid',
  'hash_link_broken',
  'sequence_invalid',
  'receipt_after_terminal',
  'response_hash_mismatch',
  'length_mismatch',
  'final_hash_mismatch',
  'not_terminal',
  'key_unusable',
] as const

export type ChainReason = (typeof CHAIN_REASONS)[number]

/** What a pattern of breaks most likely means; ours, shown beside the reason. */
export const CHAIN_HINTS = [
  'proof_changed',
  'body_changed',
  'wrong_key',
  'receipts_missing',
  'duplicated',
  'reordered',
  'head_missing',
  'rotation_not_accepted',
  'forged_lineage',
  'checkpoint_ahead',
  'checkpoint_differs',
  'nulls_dropped',
] as const

export type ChainHintCode = (typeof CHAIN_HINTS)[number]
