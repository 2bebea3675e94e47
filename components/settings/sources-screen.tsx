'use client'

import { Plus } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { SourceItem } from '@/lib/api/admin-schemas'
import { links } from '@/lib/links'
import { plural } from '../shared/format'
import { ProblemNotice } from '../shared/problem-notice'
import { Time } from '../shared/time'
import { Button } from '../shared/ui/button'
import { Dialog } from '../shared/ui/dialog'
import { Field, inputClass } from '../shared/ui/field'
import { Switch } from '../shared/ui/switch'
import { VisibleText } from '../shared/visible-text'
import { ConfirmDialog } from './confirm-dialog'
import { ProjectField } from './project-field'
import { SettingsFrame } from './settings-frame'
import { useChange } from './use-change'
import { INGEST_KINDS, producerOf } from '@/lib/model/ingest-kinds'

/** Kinds a source can have now; the kind is the producer, never the channel. */
/** What it sends is signed, and would prove nothing with anything taken out. */
const SIGNED_KIND = producerOf('receipts')
const KINDS = [...new Set(INGEST_KINDS.map(producerOf))]

interface SourcesProps {
  sources: SourceItem[]
  /** By id: how many executions each source has that received anything. */
  received: Record<string, number>
  whyNot: string | null
  projects: string[]
  /** Sources whose server is connected. */
  connected: string[]
  /** What is below the list. */
  children?: ReactNode
}

/** Why a source stays: what it holds. */
const keptWords = (executions: number | undefined): string =>
  executions === undefined
    ? 'No data'
    : executions === 0
      ? 'Only unreadable records'
      : plural(executions, 'execution')

export function SourcesScreen({ sources, received, whyNot, projects, connected, children }: SourcesProps) {
  const { change, busy, problem, forget } = useChange()
  const [adding, setAdding] = useState(false)
  const [warned, setWarned] = useState<SourceItem | null>(null)
  const whyStays = (id: string): string | null => {
    if (connected.includes(id)) return 'Its server is connected. Remove that connection first.'
    return received[id] === undefined ? null : 'A source with received data cannot be removed.'
  }
  const setRedact = (source: SourceItem, redact: boolean): void => {
    if (redact) void change('PATCH', links.api.source(source.id), { redact })
    else setWarned(source)
  }
  const add = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const project = form.get('project')
    if (
      await change('POST', links.api.sources(), {
        kind: form.get('kind'),
        name: form.get('name'),
        ...(project ? { project } : {}),
      })
    )
      setAdding(false)
  }
  return (
    <SettingsFrame
      page="sources"
      lead="A source produces records, such as an agent on a machine. It is created when its first record arrives."
      action={
        <Button
          onClick={() => {
            forget()
            setAdding(true)
          }}
          why={whyNot}
        >
          <Plus size={14} aria-hidden /> Add source
        </Button>
      }
    >
      {problem && !adding && <ProblemNotice compact problem={problem} />}
      {sources.length === 0 ? (
        <p className="rounded border border-line bg-surface px-4 py-6 text-ink-2">
          No sources yet. The first import creates one.
        </p>
      ) : (
        <ul className="divide-y divide-line rounded border border-line bg-surface" aria-busy={busy}>
          {sources.map((source) => (
            <li key={source.id} className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3">
              <div className="min-w-0 flex-1 basis-56">
                <p className="font-medium">
                  <VisibleText text={source.name} />
                </p>
                <p className="text-sm text-ink-3">
                  <VisibleText text={source.kind} />
                  {projects.length > 1 && ` · ${source.project}`} · since <Time at={source.createdAt} />
                </p>
              </div>
              {source.kind === SIGNED_KIND ? (
                <p className="text-warn">
                  Receipts are never redacted, since that would break their signatures
                </p>
              ) : (
                <div className="flex items-center gap-2.5" title={whyNot ?? undefined}>
                  <Switch
                    checked={source.redact}
                    onChange={(on) => setRedact(source, on)}
                    label={`Redact secrets of ${source.name}`}
                    why={whyNot}
                  />
                  <span className={source.redact ? '' : 'text-warn'}>
                    {source.redact ? 'Secrets are redacted' : 'Secrets are not redacted'}
                  </span>
                </div>
              )}
              <span className="flex items-center gap-2.5">
                <span className="text-sm text-ink-3">{keptWords(received[source.id])}</span>
                <Button
                  kind="danger"
                  why={whyNot ?? whyStays(source.id)}
                  onClick={() => void change('DELETE', links.api.source(source.id))}
                >
                  Remove
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
      {whyNot && <p className="text-sm text-ink-3">{whyNot}</p>}
      {children}
      <ConfirmDialog
        open={warned !== null}
        title="Turn off redaction?"
        keep="Cancel"
        does="Turn off"
        onConfirm={() => void change('PATCH', links.api.source(warned!.id), { redact: false })}
        onClose={() => setWarned(null)}
      >
        <p>
          From now on, everything this source sends is stored unredacted, including keys, tokens, passwords
          and email addresses. Everyone with access to the project can read it, and stored data is never
          redacted later.
        </p>
        <p className="text-ink-2">Earlier data stays redacted.</p>
      </ConfirmDialog>
      <Dialog open={adding} onClose={() => setAdding(false)} title="Add source">
        <form onSubmit={add} className="space-y-4 p-4">
          {problem && <ProblemNotice compact problem={problem} />}
          <label className="block space-y-1">
            <span className="font-medium">Kind</span>
            <select name="kind" className={inputClass}>
              {KINDS.map((kind) => (
                <option key={kind}>{kind}</option>
              ))}
            </select>
          </label>
          <Field label="Name" name="name" required maxLength={120} hint="Usually the machine it runs on." />
          <ProjectField projects={projects} />
          <div className="flex justify-end">
            <Button kind="main" type="submit" why={busy ? 'Sending' : null}>
              Add
            </Button>
          </div>
        </form>
      </Dialog>
    </SettingsFrame>
  )
}
