'use client'

import { Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { KeyItem } from '@/lib/api/admin-schemas'
import { links } from '@/lib/links'
import { ProblemNotice } from '../shared/problem-notice'
import { ExactTime, Time } from '../shared/time'
import { Button } from '../shared/ui/button'
import { Chip } from '../shared/ui/chip'
import { Dialog } from '../shared/ui/dialog'
import { Field } from '../shared/ui/field'
import { VisibleText } from '../shared/visible-text'
import { ConfirmDialog } from './confirm-dialog'
import { ProjectField } from './project-field'
import { ReceiptKeys } from './receipt-keys'
import { SecretShown } from './secret-shown'
import { SettingsFrame } from './settings-frame'
import { useChange } from './use-change'
import type { ReceiptKey } from '@/lib/model/receipt-chain'

/** What keys are mostly made for. Those of CI are in reach of the agents that run there, so they open as little as possible. */
const USES = [
  { use: 'ci', words: 'CI and hooks: can only send records', scopes: ['ingest'] },
  { use: 'read', words: 'Dashboards and scripts: can only read', scopes: ['read'] },
  { use: 'own', words: 'Choose scopes', scopes: [] },
] as const
type Use = (typeof USES)[number]['use']

const SCOPE_WORDS: Record<string, string> = {
  ingest: 'Send records',
  read: 'Read everything in the project',
  write: 'Edit what people can edit',
}

export function KeysScreen({
  keys,
  receiptKeys,
  projects,
}: {
  keys: KeyItem[]
  receiptKeys: ReceiptKey[]
  projects: string[]
}) {
  const { change, busy, problem, forget } = useChange()
  const [adding, setAdding] = useState(false)
  const [made, setMade] = useState<{ name: string; key: string } | null>(null)
  const [revoking, setRevoking] = useState<KeyItem | null>(null)
  const [noScope, setNoScope] = useState(false)
  const [use, setUse] = useState<Use>('ci')
  const make = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const scopes = use === 'own' ? form.getAll('scopes') : USES.find((one) => one.use === use)!.scopes
    if (scopes.length === 0) return setNoScope(true)
    const project = form.get('project')
    const days = Number(form.get('days'))
    const answer = await change<KeyItem & { key: string }>('POST', links.api.keys(), {
      name: form.get('name'),
      scopes,
      ...(days > 0 ? { expiresInDays: days } : {}),
      ...(project ? { project } : {}),
    })
    if (!answer) return
    setMade(answer)
    setAdding(false)
  }
  const open = (): void => {
    forget()
    setNoScope(false)
    setUse('ci')
    setAdding(true)
  }
  return (
    <SettingsFrame
      page="keys"
      lead="Programs sign in with a key: CI jobs, hooks on other machines, dashboards. Only a digest of the key is stored."
      action={
        <Button onClick={open}>
          <Plus size={14} aria-hidden /> Create key
        </Button>
      }
    >
      {made && (
        <SecretShown what={`Copy the key “${made.name}” now. It won’t be shown again.`} text={made.key} />
      )}
      {problem && !adding && <ProblemNotice compact problem={problem} />}
      {keys.length === 0 ? (
        <p className="rounded border border-line bg-surface px-4 py-6 text-ink-2">
          No keys yet. The command line on this machine needs none.
        </p>
      ) : (
        <ul className="divide-y divide-line rounded border border-line bg-surface" aria-busy={busy}>
          {keys.map((key) => (
            <li key={key.id} className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3">
              <div className="min-w-0 flex-1 basis-56">
                <p className="font-medium [overflow-wrap:anywhere]">
                  <VisibleText text={key.name} />{' '}
                  <code className="ml-1 font-mono text-sm font-normal text-ink-3">{key.start}…</code>
                </p>
                <p className="text-sm text-ink-3">
                  created <Time at={key.createdAt} />
                  {key.createdBy && ` by ${key.createdBy}`} ·{' '}
                  {key.lastUsedAt ? (
                    <>
                      last used <Time at={key.lastUsedAt} />
                    </>
                  ) : (
                    'never used'
                  )}
                  {key.expiresAt && (
                    <>
                      {' '}
                      · expires <ExactTime at={key.expiresAt} />
                    </>
                  )}
                </p>
              </div>
              <span className="flex gap-1">
                {key.scopes.map((scope) => (
                  <Chip key={scope} title={SCOPE_WORDS[scope]}>
                    {scope}
                  </Chip>
                ))}
              </span>
              {projects.length > 1 && <span className="text-sm text-ink-2">{key.project}</span>}
              <Button kind="danger" onClick={() => setRevoking(key)}>
                Revoke
              </Button>
            </li>
          ))}
        </ul>
      )}
      <ReceiptKeys keys={receiptKeys} projects={projects} />
      <ConfirmDialog
        open={revoking !== null}
        title="Revoke this key?"
        keep="Cancel"
        does="Revoke"
        onConfirm={() => void change('DELETE', links.api.key(revoking!.id))}
        onClose={() => setRevoking(null)}
      >
        <p>Everything that uses “{revoking?.name}” will be refused. This cannot be undone.</p>
      </ConfirmDialog>
      <Dialog open={adding} onClose={() => setAdding(false)} title="Create key">
        <form onSubmit={make} className="space-y-4 p-4">
          {problem && <ProblemNotice compact problem={problem} />}
          <Field label="Name" name="name" required maxLength={120} hint="Where it is used." />
          <fieldset className="space-y-1.5">
            <legend className="mb-1 font-medium">Use</legend>
            {USES.map((one) => (
              <label key={one.use} className="flex items-center gap-2">
                <input
                  type="radio"
                  name="use"
                  checked={use === one.use}
                  onChange={() => setUse(one.use)}
                  className="accent-accent"
                />{' '}
                {one.words}
              </label>
            ))}
            {use === 'own' &&
              Object.entries(SCOPE_WORDS).map(([scope, words]) => (
                <label key={scope} className="ml-6 flex items-center gap-2">
                  <input type="checkbox" name="scopes" value={scope} className="accent-accent" />{' '}
                  <code className="w-14 font-mono text-sm">{scope}</code>{' '}
                  <span className="text-ink-2">{words}</span>
                </label>
              ))}
            {noScope && (
              <p role="alert" className="text-sm text-bad">
                Choose at least one scope.
              </p>
            )}
          </fieldset>
          <Field
            label="Days until it expires"
            name="days"
            type="number"
            min={1}
            max={3650}
            hint="Leave empty for a key that never expires."
          />
          <ProjectField projects={projects} />
          <div className="flex justify-end">
            <Button kind="main" type="submit" why={busy ? 'Creating' : null}>
              Create
            </Button>
          </div>
        </form>
      </Dialog>
    </SettingsFrame>
  )
}
