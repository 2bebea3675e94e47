'use client'

import type { UseQueryResult } from '@tanstack/react-query'
import type { ExecutionDetail } from '@/lib/api/schemas'
import { RecordedChanges } from '../changes/recorded-changes'
import { ProgramCommand } from '../shared/program'
import { asProblem } from '../shared/get-json'
import { useKeys } from '../shared/keys'
import { ProblemNotice } from '../shared/problem-notice'
import { FixRow } from '../fixes/fix-row'
import type { FixItem } from '@/lib/model/fix'

/** What was proposed for this execution, by task and number. */
export function FixesView({
  execution,
  fixes,
}: {
  execution: ExecutionDetail
  fixes: UseQueryResult<FixItem[]>
}) {
  const step = (by: number): void => {
    const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
    const at = rows.indexOf(document.activeElement as HTMLElement)
    rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + by))]?.focus()
  }
  useKeys({ j: () => step(1), k: () => step(-1) })
  return (
    <section aria-labelledby="fixes" className="p-4 md:px-6">
      <h2 id="fixes" className="sr-only">
        Fixes
      </h2>
      {fixes.isError && (
        <ProblemNotice compact problem={asProblem(fixes.error)} onRetry={() => void fixes.refetch()} />
      )}
      {fixes.data?.length === 0 && (
        <div className="mx-auto max-w-xl space-y-3 py-6">
          <h3 className="text-md font-semibold">No fixes</h3>
          <p className="text-ink-2">
            {execution.outcome === 'succeeded' ? 'This execution succeeded. ' : ''}Propose a patch. You review
            it here; it is never applied automatically:
          </p>
          <ProgramCommand text={`fix propose change.patch --execution ${execution.id}`} />
        </div>
      )}
      {fixes.data && fixes.data.length > 0 && (
        <ul aria-label="Fixes" className="rounded border border-b-0 border-line bg-surface">
          {fixes.data.map((fix) => (
            <FixRow key={fix.id} fix={fix} withCause={false} />
          ))}
        </ul>
      )}
      <RecordedChanges executionId={execution.id} />
    </section>
  )
}
