'use client'

import { useQuery } from '@tanstack/react-query'
import { FileSearch, X } from 'lucide-react'
import Link from 'next/link'
import { useEffect, useMemo, useRef } from 'react'
import { links } from '@/lib/links'
import type { ChainHint } from '@/lib/judge/receipts/chain-hints'
import { type ChainTile, MARKS, type TiledChain } from '@/lib/judge/receipts/chain-tiles'
import { errorMarks } from '@/lib/judge/receipts/error-marks'
import { readReceipt } from '@/lib/formats/receipt/read-receipt'
import { chainReasonWords, REPEAT_RULE_WORDS } from '@/lib/words/receipts'
import { receivedQueries } from '../raw/queries'
import { CopyButton } from '../shared/copy-button'
import { formatBytes, plural } from '../shared/format'
import { asProblem } from '../shared/get-json'
import { ProblemNotice } from '../shared/problem-notice'
import { SidePanel } from '../shared/side-panel'
import { ExactTime } from '../shared/time'
import { Chip } from '../shared/ui/chip'
import { VisibleText } from '../shared/visible-text'
import { Disclosures } from './disclosures'
import { LookGlyph, MarkGlyph } from './receipt-glyphs'
import {
  EVENT_WORDS,
  FAULT_WORDS,
  hintSentence,
  LOOK_WORDS,
  MALFORMED_WORDS,
  markWords,
  numberOf,
} from './words'

/** One receipt beside its strip: what was found at it, what it says, and its bytes. Its text is read when it is opened. */
export function ReceiptPanel({
  tile,
  chain,
  executionId,
  hints,
  onClose,
}: {
  tile: ChainTile
  chain: TiledChain
  executionId: string | null
  hints: readonly ChainHint[]
  onClose: () => void
}) {
  const { brief, row, look } = tile
  const close = useRef<HTMLButtonElement>(null)
  // Where the panel lies over the strip, what is behind it must not keep the focus.
  useEffect(() => {
    if (window.matchMedia('(min-width: 72rem)').matches) return
    const before = document.activeElement as HTMLElement | null
    close.current?.focus()
    return () => before?.focus()
  }, [])
  const about = hints.filter(({ index }) => index === tile.index)
  return (
    <SidePanel label={`Receipt ${numberOf(tile)}`} className="space-y-4 p-4 lg:-mr-6 lg:ml-4">
      <header className="flex items-center gap-2">
        <LookGlyph look={look} size={16} />
        <h2 className="min-w-0 flex-1 truncate text-md font-semibold">
          <VisibleText text={brief.event === null ? brief.tool : EVENT_WORDS[brief.event]} />{' '}
          <span className="text-base font-normal text-ink-3">
            receipt {numberOf(tile)}, {LOOK_WORDS[look]}
          </span>
        </h2>
        <button ref={close} type="button" onClick={onClose} className="rounded p-1 text-ink-2 hover:bg-hover">
          <X size={16} aria-hidden />
          <span className="sr-only">Close receipt</span>
        </button>
      </header>
      <section aria-label="Findings" className="space-y-1 rounded bg-sunken px-3 py-2 text-sm">
        {chain.break?.index === tile.index && (
          <p className="font-medium text-bad">{chainReasonWords(chain.break.reason)}.</p>
        )}
        {about.map(({ code, ...hint }) => (
          <p key={code}>{hintSentence({ code, ...hint })}.</p>
        ))}
        {tile.unproven && <p>Unproven: an earlier receipt breaks the chain.</p>}
        {row.malformed !== null && <p>{MALFORMED_WORDS[row.malformed]}.</p>}
        {tile.rival && <p>Another receipt has the same position. Both were kept.</p>}
        <ul className="space-y-0.5">
          {MARKS.map((name) => (
            <li key={name} className="flex items-center gap-2">
              <MarkGlyph mark={tile.marks[name]} />
              {markWords(name, tile.marks[name])}
              {name === 'signature' &&
                tile.marks.signature === 'bad' &&
                row.signatureFault !== null &&
                `: ${FAULT_WORDS[row.signatureFault]}`}
            </li>
          ))}
        </ul>
      </section>
      <Text tile={tile} chain={chain} executionId={executionId} />
    </SidePanel>
  )
}

function Text({
  tile,
  chain,
  executionId,
}: {
  tile: ChainTile
  chain: TiledChain
  executionId: string | null
}) {
  const { brief, row } = tile
  const bytes = useQuery(
    receivedQueries.range(brief.pointer.received, brief.pointer.byteStart, brief.pointer.byteEnd),
  )
  const text = useMemo(() => (bytes.data ? new TextDecoder().decode(bytes.data) : null), [bytes.data])
  const facts = useMemo(() => (text === null ? null : readReceipt(text).facts), [text])
  if (bytes.isError)
    return <ProblemNotice compact problem={asProblem(bytes.error)} onRetry={() => void bytes.refetch()} />
  if (facts === null || text === null)
    return <div role="group" aria-busy="true" aria-label="Loading receipt" className="skeleton h-48" />
  const { action, chain: place, outcome } = facts
  return (
    <>
      <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] items-center gap-x-3 gap-y-1 text-sm [&_dt]:self-start [&_dt]:text-ink-3">
        <Fact name="Status">
          {typeof outcome.status === 'string' ? <VisibleText text={outcome.status} /> : 'unreadable'}
        </Fact>
        {tile.unanswered && <Fact name="Answer">none</Fact>}
        {brief.answeredAt !== null && brief.answeredAt >= 0 && (
          <Fact name="Answer">receipt {numberOf(chain.tiles[brief.answeredAt]!)}</Fact>
        )}
        {brief.repeat && (
          <Fact name="Try">
            {brief.repeat.nth} of {brief.repeat.of} ({REPEAT_RULE_WORDS[brief.repeat.rule]})
          </Fact>
        )}
        <Fact name="Time">
          <ExactTime at={action.timestamp ?? brief.at} />
        </Fact>
        {action.toolName !== null && (
          <Fact name="Tool">
            <VisibleText text={action.toolName} />
          </Fact>
        )}
        {action.type !== null && (
          <Fact name="Action">
            <VisibleText text={action.type} />
          </Fact>
        )}
        {action.target !== null && (
          <Fact name="Target">
            <code className="font-mono wrap-anywhere">
              <VisibleText text={action.target} />
            </code>
          </Fact>
        )}
        {facts.issuerId !== null && (
          <Fact name="Issuer">
            <span className="wrap-anywhere">
              <VisibleText text={facts.issuerId} />
            </span>
          </Fact>
        )}
        <Fact name="Session">
          {brief.executionId === executionId ? (
            'of this execution'
          ) : (
            <Link href={links.execution(brief.executionId, 'receipts')} className="link">
              its execution
            </Link>
          )}
          {brief.sessionId !== null && (
            <code className="block truncate font-mono text-ink-3">
              <VisibleText text={brief.sessionId} />
            </code>
          )}
        </Fact>
        <Copied name="Id" text={brief.id} />
        <Copied name="Hash" text={brief.hash} />
        <Copied
          name="Previous hash"
          text={typeof place.previousHash === 'string' ? place.previousHash : null}
          none={row.index === 0 && place.previousHash === null ? 'none (first in the chain)' : 'none'}
        />
      </dl>
      {outcome.error !== null && <ErrorText error={outcome.error} />}
      <Disclosures text={text} pointer={brief.pointer} />
      <section aria-label="Receipt as received" className="rounded border border-line">
        <div className="flex items-center gap-2 border-b border-line px-3 py-1">
          <h3 className="font-medium">As received</h3>
          <span className="text-sm text-ink-3">
            {formatBytes(brief.pointer.byteEnd - brief.pointer.byteStart)}
          </span>
          <span className="ml-auto flex items-center gap-1 text-sm">
            <CopyButton text={text} label="Copy all" />
            <Link
              href={links.bytes(brief.executionId, brief.pointer)}
              prefetch={false}
              className="link inline-flex items-center gap-1"
            >
              <FileSearch size={14} aria-hidden /> Bytes
            </Link>
          </span>
        </div>
        <pre
          role="group"
          tabIndex={0}
          aria-label="Text of the receipt"
          className="max-h-72 overflow-auto px-3 py-2 font-mono text-sm wrap-anywhere whitespace-pre-wrap"
        >
          <VisibleText text={text} />
        </pre>
      </section>
    </>
  )
}

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd className="min-w-0">{children}</dd>
  </>
)

function Copied({ name, text, none = 'none' }: { name: string; text: string | null; none?: string }) {
  if (text === null) return <Fact name={name}>{none}</Fact>
  return (
    <>
      <dt>{name}</dt>
      <dd className="flex min-w-0 items-center gap-1">
        <code className="truncate font-mono" title={text}>
          <VisibleText text={text} />
        </code>
        <CopyButton text={text} label={`Copy the ${name.toLowerCase()}`} />
      </dd>
    </>
  )
}

/** The error with what was done to it before it was signed. */
function ErrorText({ error }: { error: string }) {
  const { cut, end, redacted } = errorMarks(error)
  return (
    <section aria-label="Error" className="space-y-1">
      <h3 className="flex items-center gap-2 text-sm font-medium text-ink-3">
        Error
        {cut !== null && <Chip title={`Truncated before signing by the ${cut}`}>truncated</Chip>}
        {redacted.length > 0 && (
          <Chip title="Removed before signing">{plural(redacted.length, 'place')} redacted</Chip>
        )}
      </h3>
      <pre
        role="group"
        tabIndex={0}
        aria-label="Error text"
        className="max-h-60 overflow-auto rounded border border-line bg-bg px-3 py-2 font-mono text-sm wrap-anywhere whitespace-pre-wrap"
      >
        {pieces(error, end, redacted).map(([text, marked], index) =>
          marked ? <mark key={index}>{text}</mark> : <VisibleText key={index} text={text} />,
        )}
      </pre>
    </section>
  )
}

function pieces(
  error: string,
  end: number,
  redacted: readonly { start: number; end: number }[],
): [text: string, marked: boolean][] {
  const out: [string, boolean][] = []
  let at = 0
  for (const place of [...redacted, { start: end, end: error.length }]) {
    if (place.start > at) out.push([error.slice(at, place.start), false])
    if (place.end > place.start) out.push([error.slice(place.start, place.end), true])
    at = place.end
  }
  return out
}
