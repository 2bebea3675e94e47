import Link from 'next/link'
import type { RunDiagnosisDocument } from '@/lib/api/diagnosis-schemas'
import { formatAt, links } from '@/lib/links'
import { ExactTime } from '../shared/time'
import { Chip } from '../shared/ui/chip'
import { VisibleText } from '../shared/visible-text'

type Row = NonNullable<RunDiagnosisDocument['firstFailure']>

/** Where the failure began and where it ended: a diagnosis is made from the last row of these, which may tell of a consequence. */
export function FailingRows({
  executionId,
  first,
  last,
  whose,
}: {
  executionId: string
  first: Row | null
  last: Row | null
  whose: string
}) {
  if (first === null || last === null) return null
  const isOne = first.eventId === last.eventId && first.pointer.byteStart === last.pointer.byteStart
  return (
    <section aria-label={`Failing events of ${whose}`} className="space-y-2">
      <h3 className="text-sm font-medium text-ink-3">Failing events of {whose}</h3>
      <p className="text-sm text-ink-2">
        Diagnoses are based on the <strong className="font-medium text-ink">last</strong> failing event, which
        may be a consequence. {isOne ? ' Here there is only one.' : ' The first one shows where it began.'}
      </p>
      <div className="grid gap-4 lg:grid-cols-2">
        <One
          executionId={executionId}
          row={first}
          heading={isOne ? 'Only failing event' : 'First failing event'}
        />
        {!isOne && <One executionId={executionId} row={last} heading="Last failing event" />}
      </div>
    </section>
  )
}

function One({ executionId, row, heading }: { executionId: string; row: Row; heading: string }) {
  return (
    <article className="min-w-0 rounded border border-line bg-surface px-4 py-3">
      <h3 className="flex flex-wrap items-baseline gap-x-2 text-sm font-medium text-ink-3">
        {heading}{' '}
        <span className="ml-auto font-normal">
          <ExactTime at={row.at} />
        </span>
      </h3>
      <p className="mt-1 flex flex-wrap items-center gap-2">
        <code className="font-mono wrap-anywhere">
          <VisibleText text={row.type} />
        </code>
        {row.step !== null && (
          <strong className="font-semibold wrap-anywhere">
            <VisibleText text={row.step} />
          </strong>
        )}
        <Chip>{row.what === 'agent_failure' ? 'agent failed' : 'tool error'}</Chip>
      </p>
      <p className="mt-1 max-h-48 overflow-y-auto font-mono text-sm whitespace-pre-wrap wrap-anywhere">
        {row.text === null ? (
          <span className="font-sans text-ink-3">No error text.</span>
        ) : (
          <VisibleText text={row.text} />
        )}
      </p>
      <p className="mt-2 flex flex-wrap gap-x-4 text-sm">
        {row.eventId !== null && (
          <span className="text-ink-3">
            event <code className="font-mono">{row.eventId}</code>
          </span>
        )}
        <Link
          href={links.execution(executionId, 'timeline', { at: formatAt(row.whole) })}
          prefetch={false}
          className="link"
        >
          View in timeline
        </Link>
        <Link href={links.bytes(executionId, row.pointer)} prefetch={false} className="link">
          View raw row
        </Link>
      </p>
    </article>
  )
}
