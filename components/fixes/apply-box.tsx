'use client'

import { OctagonX } from 'lucide-react'
import { useEffect, useState } from 'react'
import { applySteps } from '@/lib/views/fixes/apply-commands'
import { APPLY_NOTE_WORDS, APPLY_STEP_WORDS } from '@/lib/words/apply'
import { links } from '@/lib/links'
import { CopyButton } from '../shared/copy-button'
import { VisibleText } from '../shared/visible-text'
import { Downloads } from './room-header'
import type { FixDetail } from '@/lib/model/fix'

/** The digest, the downloads, and the commands by which a person applies it. Nothing here applies anything. */
export function ApplyBox({ fix, children }: { fix: FixDetail; children?: React.ReactNode }) {
  const [origin, setOrigin] = useState('')
  useEffect(() => setOrigin(window.location.origin), [])
  const blocked = !fix.reading.safe || fix.reading.verdict === 'error'
  const steps = applySteps({
    address: `${origin}${links.fixPatch(fix.id)}`,
    digest: fix.sha256,
    fileName: fix.downloadName,
    run: fix.run.id,
    task: fix.task,
    baseCommit: fix.base.commit,
    subDir: fix.base.subDir,
    codes: [...fix.reading.blocking, ...fix.reading.warnings],
  })
  return (
    <section aria-labelledby="apply" className="min-w-0 space-y-2 rounded border border-line bg-surface p-3">
      <h2 id="apply" className="font-semibold">
        Bytes
      </h2>
      <p className="flex items-start gap-1">
        <code className="min-w-0 font-mono text-sm wrap-anywhere">
          <span className="sr-only">SHA-256 </span>
          {fix.sha256}
        </code>
        <CopyButton text={fix.sha256} label="Copy the SHA-256" />
      </p>
      <Downloads fix={fix} />
      {children}
      {blocked ? (
        <p className="flex gap-2 rounded border border-bad bg-tint-bad px-2 py-1.5">
          <OctagonX size={16} aria-hidden className="mt-0.5 shrink-0 text-bad" />
          <span>
            No apply commands:{' '}
            {fix.reading.verdict === 'error' ? 'git can’t read it.' : 'the patch has a blocking flag.'} The
            download is still the exact proposed patch. Handle it with care.
          </span>
        </p>
      ) : (
        <details>
          <summary className="font-medium">Apply it manually</summary>
          <ol className="mt-2 space-y-2">
            {steps.map(({ step, command, note }, index) => (
              <li key={step}>
                <p className="text-sm">
                  {index + 1}. {APPLY_STEP_WORDS[step]}
                </p>
                <div className="flex items-start gap-1">
                  <code className="min-w-0 flex-1 rounded-sm bg-sunken px-2 py-1 font-mono text-sm whitespace-pre-wrap wrap-anywhere">
                    <VisibleText text={command} />
                  </code>
                  <CopyButton text={command} label={`Copy: ${APPLY_STEP_WORDS[step]}`} />
                </div>
                {note !== null && <p className="text-sm text-ink-2">{APPLY_NOTE_WORDS[note]}</p>}
              </li>
            ))}
          </ol>
        </details>
      )}
    </section>
  )
}
