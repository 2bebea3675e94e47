'use client'

import { useNow } from '../shared/use-now'

/** Milliseconds after which a run that does not arrive is worth a look at its job. */
const LONG_MS = 2 * 60_000

/** What to look at when nothing comes; it appears by itself. */
export function WhatToCheck({ since }: { since: string }) {
  const now = useNow()
  if (now - Date.parse(since) < LONG_MS) return null
  return (
    <section aria-labelledby="what-to-check">
      <h2 id="what-to-check" className="font-medium">
        Nothing received yet: what to check
      </h2>
      <ul className="mt-1 list-disc space-y-1 pl-5 text-ink-2">
        <li>
          The log of the job: its last line of <code className="font-mono">inquest record</code> begins with{' '}
          <code className="font-mono">inquest:</code> and says whether the record was sent, waits in the spool
          or was refused. Without such a line the agent still runs, or was not started through it.
        </li>
        <li>
          <code className="font-mono">inquest doctor</code>, run where the job runs: it says whether the
          server and the key are there, and sends what waits.
        </li>
        <li>Check the address: provider, path and run number must match the job’s.</li>
      </ul>
    </section>
  )
}
