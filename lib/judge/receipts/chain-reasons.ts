import type { ChainReason } from '../../model/chain-reasons'

export const reasonWords: Record<ChainReason, string> = {
  malformed_receipt: 'This receipt can’t be checked: it is incomplete or has no canonical form',
  chain_id_mismatch: 'This receipt belongs to a different chain',
  signature_invalid: 'Invalid signature for this key',
  key_rotation_invalid: 'Invalid key change in this receipt',
  hash_link_broken: 'This receipt doesn’t link to the previous one',
  sequence_invalid: 'The number of this receipt doesn’t follow the previous one',
  receipt_after_terminal: 'This receipt comes after the end of the chain',
  response_hash_mismatch: 'The supplied response doesn’t match this receipt',
  length_mismatch: 'The chain length differs from the expected one',
  final_hash_mismatch: 'The last receipt differs from the expected one',
  not_terminal: 'The chain has no end marker',
  key_unusable: 'The supplied key can’t be read',
}
