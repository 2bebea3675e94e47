'use client'

import type { FormEvent } from 'react'
import type { ConnectionItem } from '@/lib/api/connection-schemas'
import type { Problem } from '@/lib/problem'
import { limits } from '@/lib/limits'
import { oneLine } from '@/lib/text/visible'
import { ProblemNotice } from '../shared/problem-notice'
import { Button } from '../shared/ui/button'
import { Dialog } from '../shared/ui/dialog'
import { Field } from '../shared/ui/field'
import { ProjectField } from './project-field'

interface ConnectDialogProps {
  open: boolean
  /** The one that is changed; a new one is made when left out. */
  connection?: ConnectionItem
  projects: string[]
  /** Others may not let the server ask places in its own network. */
  globalAdmin: boolean
  problem: Problem | null
  busy: boolean
  onConnect: (body: object) => Promise<void>
  onClose: () => void
}

const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim()

/** Where a NoETL server is, and with what it is asked. The credential goes to our server and never comes back. */
export function ConnectDialog({
  open,
  connection,
  projects,
  globalAdmin,
  problem,
  busy,
  onConnect,
  onClose,
}: ConnectDialogProps) {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const value = textOf(form, 'value')
    const project = textOf(form, 'project')
    void onConnect({
      ...(connection === undefined && { name: textOf(form, 'name') }),
      baseUrl: textOf(form, 'baseUrl'),
      ...(value === '' ? {} : { header: { name: textOf(form, 'header') || 'Authorization', value } }),
      ...(textOf(form, 'database') === '' ? {} : { databaseUrl: textOf(form, 'database') }),
      ...(globalAdmin && { allowPrivate: form.get('allowPrivate') === 'on' }),
      intervalSeconds: Number(form.get('interval')),
      ...(project === '' ? {} : { project }),
    })
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={connection === undefined ? 'Connect a NoETL server' : `Edit ${oneLine(connection.name)}`}
    >
      <form onSubmit={submit} className="space-y-4 p-4">
        {problem && <ProblemNotice compact problem={problem} />}
        {connection === undefined && (
          <Field
            label="Name"
            name="name"
            required
            maxLength={120}
            hint="Name of the source, such as staging."
          />
        )}
        <Field
          label="URL"
          name="baseUrl"
          type="url"
          defaultValue={connection?.baseUrl}
          required
          maxLength={2000}
          placeholder="https://noetl.example"
          hint="Of the server, without /api. Inquest only sends requests below it."
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label="Header"
            name="header"
            defaultValue={connection?.headerName ?? 'Authorization'}
            maxLength={100}
          />
          <Field
            label="Header value"
            name="value"
            type="password"
            autoComplete="off"
            maxLength={8000}
            hint={
              connection?.hasCredential
                ? 'Leave empty to keep the current value. A new host needs it again.'
                : 'Such as Bearer …. Optional. Stored encrypted and never shown again.'
            }
          />
        </div>
        <Field
          label="Database URL"
          name="database"
          type="password"
          autoComplete="off"
          maxLength={2000}
          placeholder="postgres://reader:…@db.example/noetl"
          hint={
            connection?.hasDatabase
              ? 'Leave empty to keep the current value.'
              : 'Optional, read only. Only its tables say which attempt a command is. Stored encrypted and never shown again.'
          }
        />
        <Field
          label="Poll interval in seconds"
          name="interval"
          type="number"
          required
          defaultValue={connection?.intervalSeconds ?? 60}
          min={limits.pollSecondsMin}
          max={limits.pollSecondsMax}
        />
        <div>
          <label className="flex items-start gap-2">
            <input
              type="checkbox"
              name="allowPrivate"
              defaultChecked={connection?.allowPrivate}
              disabled={!globalAdmin}
              className="mt-1 accent-accent"
              aria-describedby="private-hint"
            />
            The server is in a private network or on this machine
          </label>
          <p id="private-hint" className="pl-5 text-sm text-ink-3">
            {globalAdmin
              ? 'Otherwise private addresses are refused, whatever the name resolves to.'
              : 'Only an instance admin can allow this.'}
          </p>
        </div>
        {connection === undefined && <ProjectField projects={projects} />}
        <div className="flex justify-end">
          <Button kind="main" type="submit" why={busy ? 'Sending' : null}>
            {connection === undefined ? 'Connect' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
