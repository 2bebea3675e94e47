import type { ReceiptFacts } from '../../formats/receipt/receipt'

/** Why a chain's claim to be a sub-agent's cannot be borne out. The chain itself can still be valid. */
export type DelegationFault =
  | 'parent_chain_missing'
  | 'parent_receipt_missing'
  | 'delegator_differs'
  | 'principal_differs'

/**
 * Whether the first receipt of a sub-agent's chain follows from the receipt that it names.
 *
 * @param receiptsOf those of a chain by its id; null when that chain is not here
 * @returns `null` when it claims nothing
 * @see docs/sources/receipts.md
 */
export function checkDelegation(
  first: ReceiptFacts,
  receiptsOf: (chainId: string) => Iterable<ReceiptFacts> | null,
): { parent: ReceiptFacts } | { fault: DelegationFault } | null {
  const { delegation, principalId } = first
  if (delegation === null) return null
  const chain = delegation.parentChainId === null ? null : receiptsOf(delegation.parentChainId)
  if (chain === null) return { fault: 'parent_chain_missing' }
  const parent = [...chain].find(({ id }) => id !== null && id === delegation.parentReceiptId)
  if (parent === undefined) return { fault: 'parent_receipt_missing' }
  if (delegation.delegatorId === null || delegation.delegatorId !== parent.issuerId)
    return { fault: 'delegator_differs' }
  return principalId !== null && principalId === parent.principalId
    ? { parent }
    : { fault: 'principal_differs' }
}
