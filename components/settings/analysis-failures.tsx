'use client'

import Link from 'next/link'
import { useState } from 'react'
import type { AnalysisFailureItem } from '@/lib/api/admin-schemas'
import { links } from '@/lib/links'
import { plural } from '../shared/format'
import { ProblemNotice } from '../shared/problem-notice'
import { Time } from '../shared/time'
import { Button } from '../shared/ui/button'
import { VisibleText } from '../shared/visible-text'
import { useChange } from './use-change'

const nameOf = ({ title, externalId }: AnalysisFailureItem): string => title ?? externalId

/**
 * Executions whose analysis failed, which no filter of the list finds.
 *
 * @param mine slugs of the projects in which the reader may retry
 */
export function AnalysisFailures({
  failures: { items, total },
  mine,
}: {
  failures: { items: AnalysisFailureItem[]; total: number }
  mine: string[]
}) {
  const { change, busy, problem } = useChange()
  const [result, setResult] = useState<string | null>(null)
  const retry = async (item: AnalysisFailureItem): Promise<void> => {
    setResult(null)
    const answer = await change<{ quarantined: number }>('POST', links.api.reingest(), { execution: item.id })
    if (answer !== null)
      setResult(
        answer.quarantined > 0
          ? `The analysis of ${nameOf(item)} failed again.`
          : `${nameOf(item)} was analysed.`,
      )
  }
  if (total === 0 && result === null && problem === null) return null
  return (
    <section aria-labelledby="analysis-failures" className="space-y-2">
      <h2 id="analysis-failures" className="font-semibold">
        Failed analyses
      </h2>
      <p className="max-w-2xl text-ink-2">
        {total === 0
          ? 'None.'
          : `Inquest failed to analyse ${plural(total, 'execution')}${total > items.length ? `; these are the latest ${items.length}` : ''}. All records are kept. New records and an update of Inquest retry the analysis.`}
      </p>
      <p role="status" className="wrap-anywhere">
        {result !== null && <VisibleText text={result} />}
      </p>
      {problem && <ProblemNotice compact problem={problem} />}
      {items.length > 0 && (
        <ul className="divide-y divide-line rounded border border-line bg-surface" aria-busy={busy}>
          {items.map((item) => (
            <li key={item.id} className="flex flex-wrap items-start gap-x-6 gap-y-2 px-4 py-3">
              <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
                <Link className="link font-medium" href={item.url}>
                  <VisibleText text={nameOf(item)} />
                </Link>
                <p className="text-sm text-ink-2">
                  <code className="font-mono">
                    <VisibleText text={`${item.failure.error}: ${item.failure.message}`} />
                  </code>
                </p>
                <p className="text-sm text-ink-3">
                  {item.project} · failed {plural(item.failure.attempts, 'time')}, last{' '}
                  <Time at={item.failure.at} />, in version {item.failure.version}
                </p>
              </div>
              {mine.includes(item.project) && (
                <Button
                  aria-label={`Retry analysis of ${nameOf(item)}`}
                  why={busy ? 'Sending' : null}
                  onClick={() => void retry(item)}
                >
                  Retry analysis
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
