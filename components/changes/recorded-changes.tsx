'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { asProblem } from '../shared/get-json'
import { ProblemNotice } from '../shared/problem-notice'
import { Button } from '../shared/ui/button'
import { ChangeRow } from './change-row'
import { changeQueries } from './queries'

/** What the agent changed in files, as its transcript tells. Nobody proposed it, and it is not reviewed here. */
export function RecordedChanges({ executionId }: { executionId: string }) {
  const changes = useInfiniteQuery(changeQueries.list(executionId))
  const items = changes.data?.pages.flatMap((page) => page.items) ?? []
  if (changes.isError)
    return (
      <div className="mt-6">
        <ProblemNotice compact problem={asProblem(changes.error)} onRetry={() => void changes.refetch()} />
      </div>
    )
  if (items.length === 0 && !changes.hasNextPage) return null
  const failed = items.some(({ afterFailure }) => afterFailure !== null)
  return (
    <section aria-labelledby="changes" className="mt-6">
      <h2 id="changes" className="font-semibold">
        What the agent changed{failed && ', before and after its first failure'}
      </h2>
      <p className="mt-0.5 text-ink-2">
        Read from the transcript. These are not proposed fixes, and later changes to the files are not
        included.
      </p>
      <ol aria-label="Changes of the agent" className="mt-2 rounded border border-b-0 border-line bg-surface">
        {items.map((change) => (
          <ChangeRow key={change.ordinal} executionId={executionId} change={change} />
        ))}
      </ol>
      {changes.hasNextPage && (
        <Button
          className="mt-2"
          onClick={() => void changes.fetchNextPage()}
          why={changes.isFetchingNextPage ? 'Loading changes' : null}
        >
          Show more
        </Button>
      )}
    </section>
  )
}
