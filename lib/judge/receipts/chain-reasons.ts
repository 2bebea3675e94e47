import type { ChainReason } from '../../model/chain-reasons'

export const reasonWords: Record<ChainReason, string> = {
  malformed_receipt: 'This receipt cannot be checked: it is not whole, or holds what has no canonical form',
  chain_id_mismatch: 'This receipt says that it belongs to another chain',
  signature_invalid: 'The signature of this receipt is not that of the key',
  key_rotation_invalid: 'The change of keys in this receipt does not hold',
  hash_link_broken: 'This receipt does not follow on the one before it',
  sequence_invalid: 'The number of this receipt does not follow on the one before it',
  receipt_after_terminal: 'This receipt follows on one that had ended the chain',
  response_hash_mismatch: 'The response that was handed in is not the one of this receipt',
  length_mismatch: 'The chain is not as long as was said elsewhere',
  final_hash_mismatch: 'The chain does not end as was said elsewhere',
  not_terminal: 'The chain does not say that it ended',
  key_unusable: 'The key that was given cannot be read',
}
