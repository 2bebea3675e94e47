import Link from 'next/link'
import { useState } from 'react'
import type { CiAttempt } from '@/lib/views/ci/ci-view'
import { ciRunWords, providerWords } from '@/lib/words/ci'
import { links } from '@/lib/links'
import { WaitingFrame } from '../find/waiting-frame'
import { plural } from '../shared/format'
import { UnknownProvider } from './unknown-provider'
import { WhatToCheck } from './what-to-check'
import type { CiAddress } from '@/lib/model/ci-run'

/** Nothing of the run, or of the attempt that was asked for, has arrived yet. */
export function CiWaiting({
  address,
  attempts,
  knownProvider,
  since,
  error,
  onRetry,
}: {
  address: CiAddress
  attempts: CiAttempt[]
  /** Its variables are read, or something of it has arrived before. */
  knownProvider: boolean
  since: string
  error: Error | null
  onRetry: () => void
}) {
  const { provider, path, run, attempt } = address
  const [start] = useState(since)
  return (
    <WaitingFrame
      title={`Waiting for this ${attempt === null ? 'CI run' : 'attempt'}`}
      what={`${providerWords(provider)}: ${ciRunWords(address)}`}
      expects={
        'This page opens the failure as soon as a job of this run sends one with inquest record. ' +
        'That happens when the job’s agent ends.'
      }
      since={start}
      error={error}
      onRetry={onRetry}
      arrived={false}
    >
      {!knownProvider && <UnknownProvider provider={provider} />}
      <WhatToCheck since={start} />
      {attempts.length > 0 && (
        <section aria-labelledby="other-attempts">
          <h2 id="other-attempts" className="text-sm font-medium text-ink-3">
            Other attempts
          </h2>
          <ul className="mt-1 space-y-0.5">
            {attempts.map((other) => (
              <li key={other.attempt}>
                <Link
                  href={links.ciRun(provider, path, run, other.attempt, { view: 'list' })}
                  prefetch={false}
                  className="link"
                >
                  Attempt {other.attempt}
                </Link>{' '}
                <span className="text-ink-2">
                  {plural(other.executions, 'execution')}, {other.failed} failed
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <p className="flex flex-wrap gap-4">
        <Link href={links.executions()} className="link">
          All executions
        </Link>
      </p>
    </WaitingFrame>
  )
}
