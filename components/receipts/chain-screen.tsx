'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { parseAsString, useQueryState } from 'nuqs'
import type { ReceiptChainItem } from '@/lib/api/receipt-schemas'
import { links } from '@/lib/links'
import { AGAIN_MS, SETTLE_MS, WaitingFrame } from '../find/waiting-frame'
import { useLiveRefetch } from '../live/use-live-refetch'
import { CopyButton } from '../shared/copy-button'
import { formatCount, plural } from '../shared/format'
import { asProblem, ProblemError } from '../shared/get-json'
import { useKeys } from '../shared/keys'
import { ProblemNotice } from '../shared/problem-notice'
import { ExactTime } from '../shared/time'
import { Chip } from '../shared/ui/chip'
import { VisibleText } from '../shared/visible-text'
import { ChainSection } from './chain-section'
import { ExportLink } from './export-link'
import { receiptQueries } from './queries'
import { shortPrint } from './words'

const isMissing = (error: Error | null): boolean =>
  error instanceof ProblemError && error.problem.status === 404

/** One chain with its sessions and keys; before its first receipt has come, the page waits for it. */
export function ChainScreen({ id, since }: { id: string; since: string }) {
  const found = useQuery({
    ...receiptQueries.chain(id),
    retry: (count, error) => !isMissing(error) && count < 2,
    refetchInterval: ({ state }) => (state.data ? false : AGAIN_MS),
  })
  const [selected, setSelected] = useQueryState('receipt', parseAsString)
  useLiveRefetch(found.refetch, SETTLE_MS)
  useKeys({ Escape: () => void setSelected(null) })
  const chain = found.data
  if (!chain)
    return (
      <WaitingFrame
        title="No receipts of this chain yet"
        what={id}
        expects="This page updates when the first receipt of this chain arrives."
        since={since}
        error={isMissing(found.error) ? null : found.error}
        onRetry={() => void found.refetch()}
        arrived={false}
      >
        <p>
          <Link href={links.executions()} className="link">
            All executions
          </Link>
        </p>
      </WaitingFrame>
    )
  return (
    <article aria-labelledby="title" className="space-y-4 p-4 md:px-6 md:py-5">
      <header className="space-y-1">
        <h1 id="title" className="flex items-center gap-1 text-lg font-semibold">
          <span className="min-w-0 wrap-anywhere">
            <span className="text-ink-2">Chain</span> <VisibleText text={chain.id} />
          </span>
          <CopyButton text={chain.id} label="Copy chain ID" />
        </h1>
        <p className="text-ink-2">
          {plural(chain.receipts, 'receipt')}, {formatCount(chain.failures)} failed
          {chain.rivals > 0 && `, ${plural(chain.rivals, 'rival')} with a position already taken`}
          {chain.firstAt !== null && (
            <>
              ;{' '}
              <span className="whitespace-nowrap">
                <ExactTime at={chain.firstAt} />
              </span>{' '}
              to{' '}
              <span className="whitespace-nowrap">
                <ExactTime at={chain.lastAt} />
              </span>
            </>
          )}
        </p>
      </header>
      {found.isRefetchError && (
        <ProblemNotice compact problem={asProblem(found.error)} onRetry={() => void found.refetch()} />
      )}
      <ChainSection
        chain={chain}
        executionId={null}
        selected={selected}
        onSelect={(key) => void setSelected(key)}
        leads
      >
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 className="text-md font-semibold">Receipts</h2>
          <ExportLink href={links.api.receiptFile(chain.id)} />
        </div>
      </ChainSection>
      <div className="grid items-start gap-4 md:grid-cols-2">
        <Sessions chain={chain} />
        <Keys chain={chain} />
      </div>
    </article>
  )
}

function Sessions({ chain: { sessions, receipts } }: { chain: ReceiptChainItem }) {
  const listed = sessions.reduce((sum, session) => sum + session.receipts, 0)
  return (
    <section aria-labelledby="sessions" className="rounded border border-line bg-surface">
      <h2 id="sessions" className="border-b border-line px-4 py-2 font-semibold">
        Sessions
      </h2>
      <ul className="divide-y divide-line">
        {sessions.map((session) => (
          <li
            key={`${session.executionId} ${session.sessionId}`}
            className="flex flex-wrap items-baseline gap-x-4 px-4 py-2"
          >
            <Link
              href={links.execution(session.executionId, 'receipts')}
              className="link min-w-0 font-mono wrap-anywhere"
            >
              {session.sessionId === null ? 'no session' : <VisibleText text={session.sessionId} />}
            </Link>
            <span className="text-sm text-ink-2">
              {plural(session.receipts, 'receipt')}, {formatCount(session.failures)} failed
            </span>
          </li>
        ))}
      </ul>
      {listed < receipts && (
        <p className="border-t border-line px-4 py-2 text-sm text-ink-2">
          The first {formatCount(sessions.length)} are listed.
        </p>
      )}
    </section>
  )
}

function Keys({ chain: { keys } }: { chain: ReceiptChainItem }) {
  return (
    <section aria-labelledby="keys" className="rounded border border-line bg-surface">
      <h2 id="keys" className="border-b border-line px-4 py-2 font-semibold">
        Trusted keys
      </h2>
      {keys.length === 0 ? (
        <p className="px-4 py-3 text-ink-2">
          No key is registered, so signatures can’t be checked.{' '}
          <Link href={links.settings('keys')} className="link">
            Register the issuer’s public key
          </Link>
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {keys.map((key) => (
            <li key={key.id} className="flex flex-wrap items-center gap-x-3 px-4 py-2">
              <span className="min-w-0 wrap-anywhere">{key.label}</span>
              <span className="inline-flex items-center font-mono text-sm text-ink-2">
                {shortPrint(key.fingerprint)}
                <CopyButton text={key.fingerprint} label={`Copy the fingerprint of ${key.label}`} />
              </span>
              {key.isCurrent && <Chip title="The last key rotation must lead to this key">current</Chip>}
              <span className="text-sm text-ink-3">
                {key.chainId === null ? 'any chain' : 'this chain only'}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
