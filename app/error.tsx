'use client'

import { useEffect } from 'react'
import { onLiveAgain } from '@/components/live/live-store'
import { ProblemNotice } from '@/components/shared/problem-notice'
import { problem, type ProblemSlug } from '@/lib/problem'

/** The page could not be made. A database that does not answer is told apart from a fault of ours; neither looks like an empty list. */
export default function ErrorPage({ error }: { error: unknown }) {
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : ''
  const [, slug, requestId] = /^(store-down|store-full|too-slow) (\S+)$/.exec(digest) ?? []
  useEffect(() => console.error(error), [error])
  useEffect(() => (slug === 'store-down' ? onLiveAgain(() => window.location.reload()) : undefined), [slug])
  return (
    <ProblemNotice
      problem={
        slug
          ? problem(
              slug as ProblemSlug,
              slug === 'too-slow'
                ? 'Narrow the filter, or try again in a moment.'
                : 'Nothing is lost: what was received is kept, and this page can be read again in a moment.',
              { requestId },
            )
          : problem('internal', undefined, { requestId: digest || undefined })
      }
      onRetry={() => window.location.reload()}
    />
  )
}
