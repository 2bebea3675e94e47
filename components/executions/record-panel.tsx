'use client'

import { FileSearch, X } from 'lucide-react'
import Link from 'next/link'
import type { EventItem } from '@/lib/api/schemas'
import { oddWords } from '@/lib/words/odd-records'
import { links } from '@/lib/links'
import { codeWords } from '@/lib/text/code-words'
import { Payload } from '../raw/payload'
import { formatCount } from '../shared/format'
import { SidePanel } from '../shared/side-panel'
import { ExactTime } from '../shared/time'
import { VisibleText } from '../shared/visible-text'

/** One record beside the timeline, with its payload. */
export function RecordPanel({
  executionId,
  event,
  onClose,
}: {
  executionId: string
  event: EventItem
  onClose: () => void
}) {
  return (
    <SidePanel label={`Record ${event.ordinal + 1}`}>
      <header className="space-y-1 border-b border-line p-4">
        <div className="flex items-center gap-2">
          <h2 className="min-w-0 flex-1 truncate text-md font-semibold">
            Record {formatCount(event.ordinal + 1)}{' '}
            <span className="text-base font-normal text-ink-3">{codeWords(event.kind)}</span>
          </h2>
          <button type="button" onClick={onClose} className="rounded p-1 text-ink-2 hover:bg-hover">
            <X size={16} aria-hidden />
            <span className="sr-only">Close record</span>
          </button>
        </div>
        <p className="text-sm text-ink-2">
          <VisibleText text={event.type} /> · <ExactTime at={event.at} />
        </p>
        {event.oddReason && (
          <p className="text-sm text-warn">
            Odd: {oddWords(event.oddReason)}. <VisibleText text={event.oddDetail ?? ''} />
          </p>
        )}
        <Link
          href={links.bytes(executionId, event.pointer)}
          prefetch={false}
          className="link inline-flex items-center gap-1 text-sm"
        >
          <FileSearch size={14} aria-hidden /> Bytes
        </Link>
      </header>
      <Payload key={event.pointer.byteStart} pointer={event.pointer} />
    </SidePanel>
  )
}
