'use client'

import { useEffect } from 'react'
import { onLiveAgain } from '@/components/live/live-store'
import { ProblemNotice } from '@/components/shared/problem-notice'
import { problem } from '@/lib/problem'

/** The page could not be made. A database that does not answer is told apart from a fault of ours; neither looks like an empty list. */
export default function ErrorPage({ error }: { error: unknown }) {
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : ''
  const [, slug, requestId] = /^(store-down|too-slow) (\S+)$/.exec(digest) ?? []
  const down = slug === 'store-down' && requestId
  useEffect(() => console.error(error), [error])
  useEffect(() => (down ? onLiveAgain(() => window.location.reload()) : undefined), [down])
  return (
    <ProblemNotice
      problem={
        slug
          ? problem(
              slug as 'store-down' | 'too-slow',
              slug === 'store-down'
                ? 'Nothing is lost: what was received is kept, and this page can be read again in a moment.'
                : 'Narrow the filter, or try again in a moment.',
              { requestId },
            )
          : problem('internal', undefined, { requestId: digest || undefined })
      }
      onRetry={() => window.location.reload()}
    />
  )
}
