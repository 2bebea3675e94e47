import Link from 'next/link'
import type { ParityDocument } from '@/lib/api/parity-schemas'
import { links } from '@/lib/links'
import { plural } from '../shared/format'
import { VisibleText } from '../shared/visible-text'

/** Places of one document that are named; the others are in the table. */
const NAMED_MAX = 12

/** The raw records with another version of a row than the one in use, with the places in the table. */
export function RowVersionList({
  executionId,
  versions,
}: {
  executionId: string
  versions: ParityDocument['versions']
}) {
  const documents = new Map<string, (ParityDocument['versions'][number] & { at: number })[]>()
  for (const [at, one] of versions.entries())
    documents.set(one.received, [...(documents.get(one.received) ?? []), { ...one, at }])
  return (
    <div className="mt-2 max-w-[90ch] text-sm">
      <p>
        {plural(versions.length, 'row')} of this run {versions.length === 1 ? 'has' : 'have'} conflicting
        copies. Inquest uses the copy from the engine’s tables, or else the longest one. It is unknown which
        is right.
      </p>
      <ul aria-label="Conflicting raw records" className="mt-1 list-disc space-y-0.5 pl-5">
        {[...documents].map(([received, rows]) => (
          <li key={received}>
            Raw record{' '}
            <span className="font-mono" title={received}>
              {received.slice(0, 12)}…
            </span>
            :{' '}
            {rows.slice(0, NAMED_MAX).map(({ eventId, byteStart, byteEnd, at }, i) => (
              <span key={at}>
                {i > 0 && ', '}
                <code className="font-mono">/events/{at}</code> is row{' '}
                <Link
                  href={links.bytes(executionId, { received, byteStart, byteEnd })}
                  prefetch={false}
                  className="link font-mono"
                >
                  <VisibleText text={eventId} />
                </Link>
              </span>
            ))}
            {rows.length > NAMED_MAX && ` and ${plural(rows.length - NAMED_MAX, 'more row')}`}
          </li>
        ))}
      </ul>
    </div>
  )
}
