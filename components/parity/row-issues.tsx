import type { ParityDocument } from '@/lib/api/parity-schemas'
import { rowIssueWords } from '@/lib/words/parity'
import { plural } from '../shared/format'
import { VisibleText } from '../shared/visible-text'

type Issue = NonNullable<NonNullable<ParityDocument['sourceCheck']>['issues']>[number]

/** Rows that are named; the others are in the table. */
const NAMED_MAX = 12

/** What the source's own check reports of this run, row by row. */
export function RowIssues({ issues }: { issues: readonly Issue[] }) {
  return (
    <div className="mt-2 max-w-[90ch] text-sm">
      <p>NoETL compares the later rows of a step with its first one. Here a later row lost data.</p>
      <ul aria-label="Findings of NoETL’s own check" className="mt-1 list-disc space-y-0.5 pl-5">
        {issues.slice(0, NAMED_MAX).map((issue, i) => (
          <li key={i} className="font-mono wrap-anywhere">
            <VisibleText text={rowIssueWords(issue)} />
          </li>
        ))}
      </ul>
      {issues.length > NAMED_MAX && (
        <p className="mt-1 text-ink-2">{plural(issues.length - NAMED_MAX, 'more finding')} in the table.</p>
      )}
    </div>
  )
}
