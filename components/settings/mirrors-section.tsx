'use client'

import { Check, FolderGit2, TriangleAlert } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { MirrorItem } from '@/lib/api/fit-schemas'
import { links } from '@/lib/links'
import { shortDigest } from '../shared/format'
import { ProblemNotice } from '../shared/problem-notice'
import { Button } from '../shared/ui/button'
import { VisibleText } from '../shared/visible-text'
import { ConfirmDialog } from './confirm-dialog'
import { type MirrorChoices, MirrorDialog } from './mirror-dialog'
import { useChange } from './use-change'

const NAMELESS = 'Fixes without a repository'

/** Repositories of the server in which git is asked whether a patch still fits. */
export function MirrorsSection({
  mirrors,
  choices,
  globalAdmin,
}: {
  mirrors: MirrorItem[]
  choices: MirrorChoices
  globalAdmin: boolean
}) {
  const { change, busy, problem, forget } = useChange()
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<MirrorItem | null>(null)
  const allowed = choices.projects.filter(({ root }) => root !== null)
  const add = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string): string => String(form.get(name) ?? '').trim()
    const body = {
      repository: text('repository') || null,
      path: text('path'),
      ...(text('branch') && { branch: text('branch') }),
      ...(text('project') && { project: text('project') }),
    }
    if (await change('POST', links.api.mirrors(), body)) setAdding(false)
  }
  return (
    <section aria-labelledby="mirrors" className="space-y-2">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="mirrors" className="font-semibold">
          Repository mirrors
        </h2>
        {allowed.length > 0 && (
          <Button
            why={globalAdmin ? null : 'Only an instance admin can add one.'}
            onClick={() => {
              forget()
              setAdding(true)
            }}
          >
            <FolderGit2 size={14} aria-hidden /> Add mirror
          </Button>
        )}
      </div>
      <p className="max-w-2xl text-ink-2">
        Clones on this server that Inquest uses to check whether a proposed patch still applies. They are only
        read. Nothing is ever applied there.
      </p>
      {allowed.length === 0 && (
        <p className="rounded border border-line bg-surface px-4 py-3 text-ink-2">
          This server has no folder for mirrors. Its operator sets one at start:{' '}
          <code className="font-mono text-sm">INQUEST_MIRRORS=/srv/mirrors npm start</code>. Repositories in
          it can then be added here.
        </p>
      )}
      {problem && !adding && <ProblemNotice compact problem={problem} />}
      {mirrors.length > 0 && (
        <ul className="divide-y divide-line rounded border border-line bg-surface" aria-busy={busy}>
          {mirrors.map((mirror) => (
            <li key={mirror.id} className="space-y-1 px-4 py-3">
              <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
                <div className="min-w-0 flex-1 basis-56">
                  <p className="font-medium wrap-anywhere">
                    {mirror.repository === null ? NAMELESS : <VisibleText text={mirror.repository} />}
                  </p>
                  <p className="text-sm wrap-anywhere text-ink-3">
                    <VisibleText text={mirror.path} />
                    {choices.projects.length > 1 && ` · ${mirror.project}`} · branch{' '}
                    <VisibleText text={mirror.branch} />
                    {mirror.head !== null && (
                      <>
                        {' '}
                        at{' '}
                        <code className="font-mono" title={mirror.head}>
                          {shortDigest(mirror.head)}
                        </code>
                      </>
                    )}
                  </p>
                </div>
                {mirror.trouble === null ? (
                  <p className="flex items-center gap-1.5 font-medium text-good">
                    <Check size={14} aria-hidden /> Ready
                  </p>
                ) : (
                  <p className="flex items-center gap-1.5 font-medium text-bad">
                    <TriangleAlert size={14} aria-hidden /> Not usable
                  </p>
                )}
                <Button kind="danger" onClick={() => setRemoving(mirror)}>
                  Remove
                </Button>
              </div>
              {mirror.trouble !== null && (
                <p className="text-bad">
                  <VisibleText text={mirror.trouble} />
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      <MirrorDialog
        open={adding}
        choices={choices}
        problem={problem}
        busy={busy}
        onAdd={(event) => void add(event)}
        onClose={() => setAdding(false)}
      />
      <ConfirmDialog
        open={removing !== null}
        title="Remove this mirror?"
        keep="Cancel"
        does="Remove"
        onClose={() => setRemoving(null)}
        onConfirm={() => removing && void change('DELETE', links.api.mirror(removing.id))}
      >
        <p>
          Patches of this repository will no longer be checked. The repository and the earlier results stay.
        </p>
      </ConfirmDialog>
    </section>
  )
}
