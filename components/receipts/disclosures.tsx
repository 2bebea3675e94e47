import { Download, Lock } from 'lucide-react'
import { useMemo } from 'react'
import { links } from '@/lib/links'
import type { Pointer } from '@/lib/model/execution'
import { disclosuresOf, type Disclosure } from '@/lib/judge/receipts/disclosure'
import { readReceipt } from '@/lib/formats/receipt/read-receipt'
import { CopyButton } from '../shared/copy-button'
import { VisibleText } from '../shared/visible-text'

const WHAT = { parameters: 'Parameters', response: 'Response' } as const

/** What a receipt discloses, each with its exact bytes. Nothing is decrypted here. */
export function Disclosures({ text, pointer }: { text: string; pointer: Pointer }) {
  const found = useMemo(() => disclosuresOf(readReceipt(text).value, text, pointer), [text, pointer])
  return found.map((one) => <One key={one.what} disclosure={one} />)
}

function One({ disclosure: { what, kind, kid, entries, pointer } }: { disclosure: Disclosure }) {
  return (
    <section aria-label={`${WHAT[what]} disclosed`} className="rounded border border-line px-3 py-2 text-sm">
      <h3 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
        {kind === 'envelope' && <Lock size={14} aria-hidden className="text-ink-3" />}
        {WHAT[what]}
        {pointer !== null && (
          <a
            href={links.api.received(pointer.received, { start: pointer.byteStart, end: pointer.byteEnd })}
            download={`${what}-disclosure.json`}
            className="link ml-auto inline-flex items-center gap-1 font-normal"
          >
            <Download size={14} aria-hidden /> {kind === 'legacy' ? 'Download' : 'Download envelope'}
          </a>
        )}
      </h3>
      {kind === 'legacy' ? (
        <>
          <p className="text-ink-2">
            In plain text, as in receipts up to version 0.2. The hash of the parameters is what was signed.
          </p>
          <dl className="mt-1 grid grid-cols-[minmax(0,auto)_minmax(0,1fr)] gap-x-3 gap-y-0.5 font-mono">
            {entries.map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="wrap-anywhere text-ink-3">
                  <VisibleText text={name} />
                </dt>
                <dd className="wrap-anywhere whitespace-pre-wrap">
                  <VisibleText text={value} />
                </dd>
              </div>
            ))}
          </dl>
        </>
      ) : kind === 'envelope' && kid !== null ? (
        <p className="flex min-w-0 items-start gap-x-1 text-ink-2">
          <span className="min-w-0">
            encrypted for{' '}
            <code className="font-mono wrap-anywhere">
              <VisibleText text={kid} />
            </code>
          </span>{' '}
          <CopyButton text={kid} label="Copy key ID" />
        </p>
      ) : (
        <p className="text-ink-2">
          {kid === null ? (
            'Unknown envelope format'
          ) : (
            <>
              Invalid envelope for{' '}
              <code className="font-mono wrap-anywhere">
                <VisibleText text={kid} />
              </code>
            </>
          )}
          ; see the receipt below.
        </p>
      )}
    </section>
  )
}
