'use client'

import { useEffect } from 'react'
import { onLiveAgain } from '@/components/live/live-store'
import { ProblemNotice } from '@/components/shared/problem-notice'
import { problem } from '@/lib/problem'

/** The page could not be made. A database that does not answer is told apart from a fault of ours; neither looks like an empty list. */
export default function ErrorPage({ error }: { error: unknown }) {
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : ''
  const down = /^store-down (\S+)$/.exec(digest)?.[1]
  useEffect(() => console.error(error), [error])
  useEffect(() => (down ? onLiveAgain(() => window.location.reload()) : undefined), [down])
  return (
    <ProblemNotice
      problem={
        down
          ? problem(
              'store-down',
              'Nothing is lost: what was received is kept, and this page can be read again in a moment.',
              {
                requestId: down,
              },
            )
          : problem('internal', undefined, { requestId: digest || undefined })
      }
      onRetry={() => window.location.reload()}
    />
  )
}
