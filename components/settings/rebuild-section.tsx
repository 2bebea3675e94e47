'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import type { ReingestItem } from '@/lib/api/admin-schemas'
import { links } from '@/lib/links'
import { ProblemNotice } from '../shared/problem-notice'
import { Time } from '../shared/time'
import { Button } from '../shared/ui/button'
import { VisibleText } from '../shared/visible-text'
import { ConfirmDialog } from './confirm-dialog'
import { isOpen, rebuildWords } from './rebuild-words'
import { useChange } from './use-change'

/** While a rebuild goes on, the page is read again each so many milliseconds. */
const READ_AGAIN_MS = 2_000

/**
 * Rebuilds a project from its received files.
 *
 * @param projects slugs of those that the reader may rebuild
 * @param jobs the newest rebuild of each
 */
export function RebuildSection({ projects, jobs }: { projects: string[]; jobs: ReingestItem[] }) {
  const router = useRouter()
  const { change, busy, problem } = useChange()
  const [asked, setAsked] = useState<string | null>(null)
  const moves = jobs.some(isOpen)
  useEffect(() => {
    if (!moves) return
    const timer = setInterval(() => router.refresh(), READ_AGAIN_MS)
    return () => clearInterval(timer)
  }, [moves, router])
  return (
    <section aria-labelledby="rebuild" className="space-y-2">
      <h2 id="rebuild" className="font-semibold">
        Rebuild
      </h2>
      <p className="max-w-2xl text-ink-2">
        Derives all executions again from the received files, for instance after an update or a new failure
        tag.
      </p>
      {problem && <ProblemNotice compact problem={problem} />}
      <ul className="divide-y divide-line rounded border border-line bg-surface" aria-busy={busy}>
        {projects.map((project) => (
          <Project
            key={project}
            project={project}
            job={jobs.find((job) => job.project === project)}
            busy={busy}
            onAsk={() => setAsked(project)}
            onStop={(job) => void change('DELETE', links.api.reingestJob(job.id))}
          />
        ))}
      </ul>
      <ConfirmDialog
        open={asked !== null}
        title={`Rebuild ${asked ?? ''}?`}
        keep="Cancel"
        does="Start rebuild"
        onClose={() => setAsked(null)}
        onConfirm={() => void change('POST', links.api.reingest(), { project: asked })}
      >
        <p>
          Inquest reads every received file of this project again and replaces calls, causes, verdicts and
          decisions by what this version concludes. Some may change.
        </p>
        <p className="text-ink-2">
          Received files, comments and reviews stay as they are. A large project takes minutes; Inquest stays
          usable, and you can stop at any time.
        </p>
      </ConfirmDialog>
    </section>
  )
}

function Project({
  project,
  job,
  busy,
  onAsk,
  onStop,
}: {
  project: string
  job: ReingestItem | undefined
  busy: boolean
  onAsk: () => void
  onStop: (job: ReingestItem) => void
}) {
  const open = job !== undefined && isOpen(job)
  const counts = open && job.state === 'running' && job.total > 0
  return (
    <li className="flex flex-wrap items-start gap-x-6 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-56 space-y-1">
        <p className="font-medium wrap-anywhere">
          <VisibleText text={project} />
        </p>
        {job === undefined ? (
          <p className="text-sm text-ink-3">Never rebuilt</p>
        ) : (
          <>
            <p role="status" className={job.state === 'failed' ? 'wrap-anywhere text-bad' : 'wrap-anywhere'}>
              <VisibleText text={rebuildWords(job)} />
              {!open && (
                <span className="text-sm text-ink-3">
                  {' '}
                  <Time at={job.endedAt} />
                </span>
              )}
            </p>
            {counts && (
              <progress
                className="h-1.5 w-full max-w-md accent-accent"
                aria-label={`Rebuilding ${project}`}
                value={Math.min(job.done, job.total)}
                max={job.total}
              />
            )}
            <Problems job={job} />
          </>
        )}
      </div>
      {open ? (
        <Button
          kind="danger"
          aria-label={`Stop rebuilding ${project}`}
          why={job.state === 'stopping' ? 'It stops after the current step.' : busy ? 'Sending' : null}
          onClick={() => onStop(job)}
        >
          Stop
        </Button>
      ) : (
        <Button aria-label={`Rebuild ${project}`} why={busy ? 'Sending' : null} onClick={onAsk}>
          Rebuild…
        </Button>
      )}
    </li>
  )
}

/** What could not be rebuilt. */
function Problems({ job: { problems, problemsTotal } }: { job: ReingestItem }) {
  if (problems.length === 0) return null
  return (
    <details className="text-sm">
      <summary>
        {problemsTotal > problems.length
          ? `First ${problems.length} of ${problemsTotal} problems`
          : 'Problems'}
      </summary>
      <ul className="mt-1 space-y-0.5 wrap-anywhere">
        {problems.map((one, index) => (
          <li key={index}>
            {one.kind} <VisibleText text={one.name} />:{' '}
            <code className="font-mono">
              <VisibleText text={`${one.error}: ${one.message}`} />
            </code>
          </li>
        ))}
      </ul>
    </details>
  )
}
