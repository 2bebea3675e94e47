'use client'

import { Plus } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { links } from '@/lib/links'
import { CopyButton } from '../shared/copy-button'
import { shortDigest } from '../shared/format'
import { ProblemNotice } from '../shared/problem-notice'
import { Time } from '../shared/time'
import { Button } from '../shared/ui/button'
import { Chip } from '../shared/ui/chip'
import { Dialog } from '../shared/ui/dialog'
import { Field, inputClass } from '../shared/ui/field'
import { VisibleText } from '../shared/visible-text'
import { ConfirmDialog } from './confirm-dialog'
import { ProjectField } from './project-field'
import { useChange } from './use-change'
import type { ReceiptKey } from '@/lib/model/receipt-chain'

/** The public keys that chains of receipts are verified against. */
export function ReceiptKeys({ keys, projects }: { keys: ReceiptKey[]; projects: string[] }) {
  const { change, busy, problem, forget } = useChange()
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<ReceiptKey | null>(null)
  const id = useId()
  const add = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const [chainId, project] = [form.get('chain'), form.get('project')]
    const added = await change<ReceiptKey>('POST', links.api.receiptKeys(), {
      key: form.get('key'),
      label: form.get('label'),
      isCurrent: form.get('current') !== null,
      ...(chainId ? { chainId } : {}),
      ...(project ? { project } : {}),
    })
    if (added) setAdding(false)
  }
  return (
    <section aria-labelledby={id} className="space-y-3 pt-3">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="max-w-2xl space-y-1">
          <h2 id={id} className="text-md font-semibold">
            Receipt public keys
          </h2>
          <p className="text-ink-2">
            Receipt chains are verified against these keys, on the server and again in the browser. A chain
            starts with the first key that matches. If a key is marked as current, the last key rotation must
            end at it.
          </p>
        </div>
        <Button
          onClick={() => {
            forget()
            setAdding(true)
          }}
        >
          <Plus size={14} aria-hidden /> Add public key
        </Button>
      </div>
      {problem && !adding && <ProblemNotice compact problem={problem} />}
      {keys.length === 0 ? (
        <p className="rounded border border-line bg-surface px-4 py-6 text-ink-2">
          No public keys yet. Only the links and numbers of receipts are checked.
        </p>
      ) : (
        <ul className="divide-y divide-line rounded border border-line bg-surface" aria-busy={busy}>
          {keys.map((key) => (
            <li key={key.id} className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3">
              <div className="min-w-0 flex-1 basis-56">
                <p className="font-medium wrap-anywhere">
                  <VisibleText text={key.label} />
                </p>
                <p className="flex flex-wrap items-center text-sm text-ink-3">
                  <code className="font-mono" title={key.fingerprint}>
                    {shortDigest(key.fingerprint, 19)}
                  </code>
                  <CopyButton text={key.fingerprint} label={`Copy the fingerprint of ${key.label}`} />
                  <span>
                    · added <Time at={key.addedAt} />
                  </span>
                </p>
              </div>
              {key.isCurrent && <Chip title="The last key rotation must end at it">current</Chip>}
              <span className="min-w-0 text-sm wrap-anywhere text-ink-2">
                {key.chainId === null ? (
                  'any chain'
                ) : (
                  <>
                    chain <VisibleText text={key.chainId} />
                  </>
                )}
              </span>
              <Button kind="danger" onClick={() => setRemoving(key)}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={removing !== null}
        title="Remove this public key?"
        keep="Cancel"
        does="Remove"
        onClose={() => setRemoving(null)}
        onConfirm={() => void change('DELETE', links.api.receiptKey(removing!.id))}
      >
        <p>
          Chains signed by “{removing?.label}” can no longer be verified here. Receipts do not change, and you
          can add the key again.
        </p>
      </ConfirmDialog>
      <Dialog open={adding} onClose={() => setAdding(false)} title="Add public key">
        <form onSubmit={add} className="space-y-4 p-4">
          {problem && <ProblemNotice compact problem={problem} />}
          <label className="block space-y-1">
            <span className="block font-medium">Public key</span>
            <textarea
              name="key"
              required
              maxLength={10_000}
              rows={4}
              spellCheck={false}
              aria-describedby={`${id}-key`}
              className={`${inputClass} h-auto py-1.5 font-mono text-sm`}
            />
            <span id={`${id}-key`} className="block text-sm text-ink-3">
              Ed25519: PEM (“PUBLIC KEY”), u… or did:key:z6Mk…
            </span>
          </label>
          <Field label="Label" name="label" required maxLength={200} hint="Owner of the key." />
          <Field label="Chain" name="chain" maxLength={256} hint="Leave empty to allow any chain." />
          <label className="flex items-center gap-2">
            <input type="checkbox" name="current" className="accent-accent" /> Current key: the last key
            rotation must end at it
          </label>
          <ProjectField projects={projects} />
          <div className="flex justify-end">
            <Button kind="main" type="submit" why={busy ? 'Adding' : null}>
              Add key
            </Button>
          </div>
        </form>
      </Dialog>
    </section>
  )
}
