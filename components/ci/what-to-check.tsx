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
        What to check
      </h2>
      <ul className="mt-1 list-disc space-y-1 pl-5 text-ink-2">
        <li>
          The job log: the last line of <code className="font-mono">inquest record</code> starts with{' '}
          <code className="font-mono">inquest:</code> and says if the record was sent, spooled or rejected.
          Without that line, the agent is still running or was not started with it.
        </li>
        <li>
          The setup: run <code className="font-mono">inquest doctor</code> where the job runs. It checks the
          server and the key, and sends spooled data.
        </li>
        <li>The URL: provider, path and run number must match the job’s.</li>
      </ul>
    </section>
  )
}
