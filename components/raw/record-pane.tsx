'use client'

import { Download, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { EventItem } from '@/lib/api/schemas'
import type { ReceivedPart } from '@/lib/api/ingest-schemas'
import type { Pointer } from '@/lib/model/execution'
import { oddWords } from '@/lib/words/odd-records'
import { formatAt, links } from '@/lib/links'
import { CopyButton } from '../shared/copy-button'
import { formatBytes, formatCount } from '../shared/format'
import { asProblem } from '../shared/get-json'
import { ProblemNotice } from '../shared/problem-notice'
import { ExactTime } from '../shared/time'
import { VisibleText } from '../shared/visible-text'
import { charOffset } from './byte-text'
import { ByteView } from './byte-view'
import { nodeAt, pointerOfRange, readJson } from './json-model'
import { JsonTree } from './json-tree'
import { type Redaction, redactionsIn } from './redactions'
import { useRecordBytes } from './use-record-bytes'

/** One record: its exact bytes with the range that was pointed at, and the same as a tree. */
export function RecordPane({
  at,
  event,
  part,
  jsonPointer,
  redactions,
  onClose,
}: {
  at: Pointer
  event: EventItem | undefined
  part: ReceivedPart | undefined
  jsonPointer: string | null
  redactions: Redaction[]
  onClose: () => void
}) {
  const [whole, setWhole] = useState(false)
  const { record, error, retry } = useRecordBytes(at, event?.pointer, whole)
  const isPart =
    event === undefined || at.byteStart !== event.pointer.byteStart || at.byteEnd !== event.pointer.byteEnd
  const text = useMemo(
    () => (record ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(record.bytes) : ''),
    [record],
  )
  const focus = useMemo(() => {
    const root = record?.whole ? readJson(text) : null
    if (!root) return null
    if (jsonPointer !== null && nodeAt(root, jsonPointer)) return jsonPointer
    if (!isPart || !record) return null
    return pointerOfRange(
      root,
      charOffset(record.bytes, at.byteStart - record.start),
      charOffset(record.bytes, at.byteEnd - record.start),
    )
  }, [record, text, jsonPointer, isPart, at])
  const marks = record ? redactionsIn(redactions, record.start, record.start + record.bytes.length) : []

  return (
    <section
      aria-label="Record"
      className="flex min-h-0 min-w-0 flex-col border-l border-line bg-surface max-lg:fixed max-lg:inset-0 max-lg:z-40"
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-2">
        <h2 className="font-semibold">{event ? `Record ${formatCount(event.ordinal + 1)}` : 'Location'}</h2>
        {event && (
          <span className="text-ink-2">
            <VisibleText text={event.type} />
          </span>
        )}
        {event?.at && (
          <span className="text-sm text-ink-3">
            <ExactTime at={event.at} />
          </span>
        )}
        <span className="ml-auto flex items-center">
          <CopyButton text={formatAt(at)} label="Copy the pointer (Y)">
            pointer
          </CopyButton>
          {part && (
            <a
              href={links.api.received(part.received)}
              download={`${part.received}.bin`}
              title="Download the whole part"
              className="rounded p-1.5 text-ink-2 hover:bg-hover"
            >
              <Download size={14} aria-hidden />
              <span className="sr-only">Download the whole part</span>
            </a>
          )}
          <button type="button" onClick={onClose} className="rounded p-1.5 text-ink-2 hover:bg-hover">
            <X size={16} aria-hidden />
            <span className="sr-only">Close record</span>
          </button>
        </span>
        <p className="basis-full text-sm text-ink-3">
          Bytes {formatCount(at.byteStart)}–{formatCount(at.byteEnd)} (
          {formatBytes(at.byteEnd - at.byteStart)}) of{' '}
          <code className="font-mono" title={at.received}>
            {at.received.slice(0, 16)}…
          </code>
          {focus !== null && focus !== '' && (
            <>
              {' '}
              · <code className="font-mono">#{focus}</code>
            </>
          )}
        </p>
        {event?.oddReason && (
          <p className="basis-full text-sm text-warn">
            Odd: {oddWords(event.oddReason)}. <VisibleText text={event.oddDetail ?? ''} />
          </p>
        )}
        {marks.length > 0 && (
          <p className="basis-full text-sm text-ink-2">
            Redacted here: {[...new Set(marks.map((mark) => mark.rule))].join(', ')}
          </p>
        )}
      </header>
      {error && !record ? (
        <ProblemNotice compact problem={asProblem(error)} onRetry={retry} />
      ) : !record ? (
        <div role="group" aria-busy="true" aria-label="Reading the bytes" className="space-y-2 p-4">
          <div className="skeleton h-4" />
          <div className="skeleton h-4 w-4/5" />
          <div className="skeleton h-4 w-3/5" />
        </div>
      ) : (
        <div className="flex min-h-0 flex-1 flex-col">
          <ByteView
            bytes={record.bytes}
            start={record.start}
            range={isPart ? at : null}
            tall={!record.whole || focus === null}
          />
          {!record.whole && event && (
            <p className="border-t border-line px-3 py-1.5 text-sm text-ink-2">
              {formatBytes(record.bytes.length)} of this record's {formatBytes(lengthOf(event.pointer))} are
              shown.{' '}
              <button type="button" className="link" onClick={() => setWhole(true)}>
                Load all
              </button>
            </p>
          )}
          {record.whole && (
            <JsonTree
              key={focus ?? ''}
              text={text}
              focus={focus}
              className="flex-1 border-t border-line"
              fallback={
                <p className="border-t border-line px-3 py-2 text-sm text-ink-3">
                  Not a JSON document, so there is no tree.
                </p>
              }
            />
          )}
        </div>
      )}
    </section>
  )
}

const lengthOf = ({ byteStart, byteEnd }: Pointer): number => byteEnd - byteStart
