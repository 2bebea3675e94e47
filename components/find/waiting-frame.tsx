'use client'

import { useState } from 'react'
import { asProblem } from '../shared/get-json'
import { ProblemNotice } from '../shared/problem-notice'
import { Elapsed, ExactTime } from '../shared/time'
import { VisibleText } from '../shared/visible-text'

/** Looked for again even when nothing is announced: the connection may be down. */
export const AGAIN_MS = 10_000
export const SETTLE_MS = 300

/** What is asked for has not arrived: what the page waits for and since when, and whether looking for it fails. */
export function WaitingFrame({
  title,
  what,
  expects,
  since,
  error,
  onRetry,
  arrived,
  children,
}: {
  title: string
  /** What is waited for, by its name. */
  what: string
  expects: string
  since: string
  error: Error | null
  onRetry: () => void
  arrived: boolean
  /** Where to go meanwhile. */
  children: React.ReactNode
}) {
  const [start] = useState(since)
  return (
    <div className="mx-auto max-w-2xl space-y-4 px-4 py-12">
      <h1 className="text-lg font-semibold">{title}</h1>
      <p className="rounded border border-line bg-sunken px-3 py-2">
        <code className="font-mono">
          <VisibleText text={what} />
        </code>
      </p>
      <p className="text-ink-2">{expects}</p>
      <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-y-1 [&_dt]:text-ink-3">
        <dt>Waiting since</dt>
        <dd>
          <ExactTime at={start} /> (<Elapsed from={start} to={null} running />)
        </dd>
        <dt>Looked in</dt>
        <dd>all projects you can read</dd>
      </dl>
      {error && <ProblemNotice compact problem={asProblem(error)} onRetry={onRetry} />}
      {children}
      <p role="status" className="sr-only">
        {arrived ? 'Found. Opening its page.' : ''}
      </p>
    </div>
  )
}
