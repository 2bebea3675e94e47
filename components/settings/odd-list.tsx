import { oddWords } from '@/lib/words/odd-records'
import { links } from '@/lib/links'
import { Time } from '../shared/time'
import { VisibleText } from '../shared/visible-text'

export interface OddRow {
  id: string
  executionId: string | null
  fileName: string | null
  received: string | null
  byteStart: number
  keptStart: number | null
  keptEnd: number | null
  line: number | null
  reason: string
  detail: string
  at: string
}

const addressOf = (id: string, { received, keptStart, keptEnd }: OddRow): string =>
  received === null || keptStart === null || keptEnd === null
    ? links.execution(id, 'raw', { show: 'odd' })
    : links.bytes(id, { received, byteStart: keptStart, byteEnd: keptEnd })

/** Input that was kept but not understood, also what belongs to no execution and so is on no other page. */
export function OddList({ rows, more }: { rows: OddRow[]; more: boolean }) {
  if (rows.length === 0) return null
  return (
    <section aria-labelledby="odd" className="space-y-2">
      <h2 id="odd" className="font-semibold">
        Unreadable records
      </h2>
      <p className="text-ink-2">
        {more ? `The newest ${rows.length} records` : 'Records'} that are stored but could not be parsed.
      </p>
      <ul className="divide-y divide-line rounded border border-line bg-surface">
        {rows.map((row) => (
          <li key={row.id} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-2">
            <span className="font-medium">{oddWords(row.reason)}</span>
            <span className="min-w-0 flex-1 basis-64 break-words text-ink-2">
              <VisibleText text={row.detail} />
              {row.fileName !== null && (
                <span className="font-mono text-sm text-ink-3">
                  {' '}
                  <VisibleText text={row.fileName} />
                </span>
              )}
            </span>
            <span className="text-sm text-ink-3">
              {row.line === null ? `byte ${row.byteStart}` : `line ${row.line}`} · <Time at={row.at} />
            </span>
            {row.executionId !== null ? (
              <a className="link text-sm" href={addressOf(row.executionId, row)}>
                View in execution
              </a>
            ) : (
              row.received !== null && (
                <a className="link text-sm" href={links.api.received(row.received)}>
                  Download raw part
                </a>
              )
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
