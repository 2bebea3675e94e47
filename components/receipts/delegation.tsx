import { CornerDownRight, CornerLeftUp } from 'lucide-react'
import Link from 'next/link'
import type { ReceiptChainItem } from '@/lib/api/receipt-schemas'
import { links } from '@/lib/links'
import type { DelegationFault } from '@/lib/judge/receipts/delegation'
import { formatCount } from '../shared/format'
import { VisibleText } from '../shared/visible-text'

const FAULTS: Record<DelegationFault, string> = {
  parent_chain_missing: 'its parent chain is missing',
  parent_receipt_missing: 'the parent receipt is not in the parent chain',
  delegator_differs: 'the delegator is not the issuer of the parent receipt',
  principal_differs: 'the parent receipt has a different principal, or one has none',
}
const SHOWN_AT_FIRST = 5

/** Whose sub-agent wrote the chain, in words, and which chains sub-agents of this one wrote. */
export function Delegation({
  chain: { delegation, delegated },
}: {
  chain: Pick<ReceiptChainItem, 'delegation' | 'delegated'>
}) {
  if (delegation === null && delegated.length === 0) return null
  const rest = delegated.slice(SHOWN_AT_FIRST)
  return (
    <div className="space-y-1 text-sm text-ink-2">
      {delegation !== null && (
        <p className="flex items-baseline gap-1.5">
          <CornerLeftUp size={14} aria-hidden className="shrink-0 translate-y-0.5 text-ink-3" />
          <span className="min-w-0 wrap-anywhere">
            {delegation.fault === null ? (
              'Delegation verifiable'
            ) : (
              <strong className="font-medium text-warn">Delegation not verifiable</strong>
            )}
            : written by a sub-agent, according to the chain
            {delegation.chainId !== null && (
              <>
                , started from{' '}
                {delegation.key === null
                  ? 'a receipt'
                  : `receipt ${delegation.sequence ?? 'without a number'}`}{' '}
                of{' '}
                {delegation.chainIsHere ? (
                  <Link href={links.chain(delegation.chainId, { receipt: delegation.key })} className="link">
                    <VisibleText text={delegation.chainId} />
                  </Link>
                ) : (
                  <VisibleText text={delegation.chainId} />
                )}
              </>
            )}
            {delegation.fault === null
              ? '; that receipt exists, its issuer is the delegator, and the principal is the same.'
              : `; ${FAULTS[delegation.fault as DelegationFault] ?? delegation.fault}. The chain itself can still be valid.`}
          </span>
        </p>
      )}
      {delegated.length > 0 && (
        <div className="flex items-baseline gap-1.5">
          <CornerDownRight size={14} aria-hidden className="shrink-0 translate-y-0.5 text-ink-3" />
          <div className="min-w-0 wrap-anywhere">
            Chains of sub-agents: <Chains delegated={delegated.slice(0, SHOWN_AT_FIRST)} />
            {rest.length > 0 && (
              <details className="inline-block">
                <summary className="cursor-pointer">{formatCount(rest.length)} more</summary>
                <Chains delegated={rest} />
              </details>
            )}
          </div>
        </div>
      )}
    </div>
  )
}

function Chains({ delegated }: { delegated: ReceiptChainItem['delegated'] }) {
  return delegated.map(({ chainId, key, parentKey, parentSequence }, index) => (
    <span key={key}>
      {index > 0 && ', '}
      <Link href={links.chain(chainId, { receipt: key })} prefetch={false} className="link">
        <VisibleText text={chainId} />
      </Link>
      {parentKey === null
        ? ' (from a missing receipt)'
        : ` (from receipt ${parentSequence ?? 'without a number'})`}
    </span>
  ))
}
