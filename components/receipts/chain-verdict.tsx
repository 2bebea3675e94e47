'use client'

import { useQuery } from '@tanstack/react-query'
import { RotateCw, TriangleAlert } from 'lucide-react'
import Link from 'next/link'
import type { ReceiptChainItem } from '@/lib/api/receipt-schemas'
import { links } from '@/lib/links'
import type { TiledChain } from '@/lib/judge/receipts/chain-tiles'
import { verdictDifferences } from '@/lib/judge/receipts/verdict-document'
import { VERDICT_FACT_WORDS, verdictFactText } from '@/lib/words/receipts'
import type { VerifiedChain } from '@/lib/judge/receipts/verify-pages'
import { plural } from '../shared/format'
import { asProblem } from '../shared/get-json'
import { ProblemNotice } from '../shared/problem-notice'
import { VisibleText } from '../shared/visible-text'
import { receiptQueries } from './queries'
import { VerdictGlyph } from './receipt-glyphs'
import {
  hintSentence,
  numberOf,
  SUPPORT_WORDS,
  unsignedSentence,
  type VerdictLook,
  verdictLook,
  verdictSentence,
  warningSentence,
} from './words'

/** What this browser found, beside what the server says; whatever differs between them stands out. */
export function ChainVerdict({
  chain,
  verified,
  tiled,
  onAgain,
}: {
  chain: ReceiptChainItem
  verified: VerifiedChain
  tiled: TiledChain
  onAgain: () => void
}) {
  const server = useQuery(receiptQueries.verdict(chain))
  const { verdict, signatures } = verified
  const numberAt = (index: number): string | undefined =>
    tiled.tiles[index] ? numberOf(tiled.tiles[index]) : undefined
  const differences = verdict && server.data ? verdictDifferences(verdict, server.data) : []
  return (
    <div className="space-y-3">
      <div className="grid gap-3 md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Said
          by="Verified in this browser"
          look={verdict ? verdictLook(verdict) : 'unchecked'}
          onAgain={onAgain}
        >
          {verdict
            ? verdictSentence(verdict, numberAt(verdict.firstBadIndex))
            : signatures !== 'checked' && signatures !== 'no_key' && SUPPORT_WORDS[signatures]}
          {(signatures === 'no_key' || verdict === null) && (
            <small className="block text-base font-normal text-ink-2">{unsignedSentence(tiled)}</small>
          )}
          {verdict?.state === 'valid' && verdict.status === 'unknown' && (
            <small className="block text-base font-normal text-ink-2">
              No end marker: later receipts may be missing.
            </small>
          )}
          {signatures === 'no_key' && (
            <small className="block text-base font-normal">
              <Link href={links.settings('keys')} className="link">
                Register the issuer’s public key
              </Link>{' '}
              to have signatures checked.
            </small>
          )}
        </Said>
        {server.data ? (
          <Said by="Server’s verdict" look={verdictLook(server.data)}>
            {verdictSentence(server.data, numberAt(server.data.firstBadIndex))}
            <small className="block text-base font-normal text-ink-2">
              {plural(server.data.receipts, 'receipt')}
            </small>
          </Said>
        ) : server.isError ? (
          <ProblemNotice compact problem={asProblem(server.error)} onRetry={() => void server.refetch()} />
        ) : (
          <div
            role="group"
            aria-busy="true"
            aria-label="The server is verifying"
            className="skeleton min-h-16"
          />
        )}
      </div>
      {differences.length > 0 && (
        <div role="alert" className="rounded border-2 border-bad bg-tint-bad px-4 py-3">
          <p className="flex items-center gap-2 font-semibold">
            <TriangleAlert size={16} aria-hidden className="text-bad" /> This browser and the server disagree
          </p>
          <p className="text-ink-2">
            They may have used different data or keys, or one has a bug. Don’t trust either result until you
            know which.
          </p>
          <table className="mt-2 text-sm">
            <thead>
              <tr className="text-left text-ink-2">
                <th className="pr-6 font-normal">What</th>
                <th className="pr-6 font-normal">This browser</th>
                <th className="font-normal">Server</th>
              </tr>
            </thead>
            <tbody>
              {differences.map(({ fact, here, server: there }) => (
                <tr key={fact}>
                  <th scope="row" className="pr-6 text-left font-medium">
                    {VERDICT_FACT_WORDS[fact]}
                  </th>
                  <td className="pr-6 font-mono wrap-anywhere">{verdictFactText(fact, here)}</td>
                  <td className="font-mono wrap-anywhere">{verdictFactText(fact, there)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Notes verified={verified} tiled={tiled} />
    </div>
  )
}

function Said({
  by,
  look,
  onAgain,
  children,
}: {
  by: string
  look: VerdictLook
  onAgain?: () => void
  children: React.ReactNode
}) {
  return (
    <section aria-label={by} className="rounded border border-line bg-bg px-3 py-2">
      <h3 className="flex items-center justify-between text-sm text-ink-2">
        {by}
        {onAgain && (
          <button
            type="button"
            onClick={onAgain}
            title="Verify again (v)"
            className="rounded p-0.5 hover:bg-hover"
          >
            <RotateCw size={12} aria-hidden />
            <span className="sr-only">Verify again</span>
          </button>
        )}
      </h3>
      <div className="flex items-start gap-2 text-md font-semibold">
        <span className="mt-[3px]">
          <VerdictGlyph look={look} />
        </span>
        <p className="min-w-0">{children}</p>
      </div>
    </section>
  )
}

/** Hints and warnings in words, and what nobody could look at. */
function Notes({
  verified: { hints, warnings, startsAbove, responsesNotGiven },
  tiled: { tiles },
}: {
  verified: VerifiedChain
  tiled: TiledChain
}) {
  const notes = [
    ...hints.map((hint) => [
      'Hint',
      `${tiles[hint.index] ? `Receipt ${numberOf(tiles[hint.index]!)}: ` : ''}${hintSentence(hint)}`,
    ]),
    ...warnings.map((warning) => ['Warning', warningSentence(warning, tiles)]),
    ...(startsAbove === null ? [] : [['Note', `The chain starts at number ${startsAbove}`]]),
    ...(responsesNotGiven === 0
      ? []
      : [
          [
            'Note',
            `${plural(responsesNotGiven, 'receipt')} ${responsesNotGiven === 1 ? 'names a response' : 'name responses'} by hash only, without a body to compare`,
          ],
        ]),
  ]
  if (notes.length === 0) return null
  return (
    <ul aria-label="Hints and warnings" className="space-y-0.5 text-sm">
      {notes.map(([kind, words]) => (
        <li key={words} className="wrap-anywhere">
          <span className={kind === 'Warning' ? 'font-medium text-warn' : 'font-medium text-ink-2'}>
            {kind}:
          </span>{' '}
          <VisibleText text={words!} />
        </li>
      ))}
    </ul>
  )
}
