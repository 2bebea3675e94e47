'use client'

import { Download } from 'lucide-react'
import type { ReceivedPart } from '@/lib/api/ingest-schemas'
import { links } from '@/lib/links'
import type { Problem } from '@/lib/problem'
import { inputChannelWords } from '../execution-data/words'
import { CopyButton } from '../shared/copy-button'
import { formatBytes, plural, shortDigest } from '../shared/format'
import { ProblemNotice } from '../shared/problem-notice'
import { ExactTime } from '../shared/time'
import { VisibleText } from '../shared/visible-text'

/** The kept parts with their digests. The kept bytes are what was received after redaction; the digest of the original is beside it. */
export function PartList({ parts, problem }: { parts: ReceivedPart[] | null; problem: Problem | null }) {
  if (problem && !parts) return <ProblemNotice compact problem={problem} />
  if (!parts)
    return (
      <div className="border-b border-line px-4 py-2 md:px-6">
        <div className="skeleton h-4 w-64" />
      </div>
    )
  const bytes = parts.reduce((sum, part) => sum + part.keptLength, 0)
  const redacted = parts.reduce((sum, part) => sum + part.redactions.length, 0)
  return (
    <details className="border-b border-line px-4 py-2 md:px-6">
      <summary className="text-ink-2">
        {plural(parts.length, 'received part')}, {formatBytes(bytes)} kept
        {redacted > 0 && `, ${plural(redacted, 'place')} redacted`}
        {parts.length === 1 && (
          <>
            {' '}
            · <code className="font-mono text-sm">{shortDigest(parts[0]!.received)}</code>
          </>
        )}
      </summary>
      <ul className="mt-2 max-h-72 space-y-2 overflow-auto">
        {parts.map((part) => (
          <li
            key={`${part.streamId} ${part.offset} ${part.received}`}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 rounded border border-line bg-surface px-3 py-2 text-sm"
          >
            <span className="font-medium">{inputChannelWords(part.channel)}</span>
            <span className="min-w-0 truncate text-ink-2" title={part.streamId}>
              <VisibleText text={part.streamId} />, from byte {part.offset.toLocaleString('en')}
            </span>
            <span className="flex items-center gap-1">
              <code className="font-mono" title={part.received}>
                {shortDigest(part.received, 16)}
              </code>
              <CopyButton text={part.received} label="Copy SHA-256 of the stored file" />
            </span>
            <span className="text-ink-2">{formatBytes(part.keptLength)}</span>
            {part.redactions.length > 0 && (
              <span
                className="flex items-center gap-1 text-ink-2"
                title={`Digest of the original: ${part.originalSha256}`}
              >
                {plural(part.redactions.length, 'redaction')} (
                {[...new Set(part.redactions.map((mark) => mark.rule))].join(', ')}); original{' '}
                <code className="font-mono">{shortDigest(part.originalSha256, 12)}</code>
              </span>
            )}
            <span className="text-ink-3">
              received <ExactTime at={part.receivedAt} />
            </span>
            <a
              href={links.api.received(part.received)}
              download={`${part.received}.bin`}
              className="link ml-auto inline-flex items-center gap-1"
            >
              <Download size={14} aria-hidden /> Download
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}
