'use client'

import { useEffect } from 'react'
import { onLiveAgain, readLiveState } from '@/components/live/live-store'
import { ProblemNotice } from '@/components/shared/problem-notice'
import { type ProblemSlug, STORE_RETRY_S } from '@/lib/problem'
import { problem } from '@/lib/views/problem-document'

/** The page could not be made. A database that does not answer looks different from a fault of ours; neither looks like an empty list. */
export default function ErrorPage({ error }: { error: unknown }) {
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : ''
  const [, slug, requestId] = /^(busy|store-down|store-full|too-slow) (\S+)$/.exec(digest) ?? []
  useEffect(() => console.error(error), [error])
  useEffect(() => (slug === 'store-down' ? reloadWhenBack() : undefined), [slug])
  return (
    <ProblemNotice
      problem={
        slug
          ? problem(
              slug as ProblemSlug,
              slug === 'too-slow'
                ? 'Narrow the filter, or try again in a moment.'
                : 'No data is lost. Try again in a moment.',
              { requestId },
            )
          : problem('internal', undefined, { requestId: digest || undefined })
      }
      onRetry={reload}
    />
  )
}

const reload = (): void => window.location.reload()

/** @returns ends the wait */
function reloadWhenBack(): () => void {
  const ignoreAgain = onLiveAgain(reload)
  // A database that was back before this page was connected is never heard to come back.
  const timer = setInterval(() => {
    if (readLiveState() === 'open') reload()
  }, STORE_RETRY_S['store-down'] * 1000)
  return () => {
    ignoreAgain()
    clearInterval(timer)
  }
}
