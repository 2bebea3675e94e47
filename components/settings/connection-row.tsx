'use client'

import { useState } from 'react'
import type { ConnectionCheck, ConnectionItem } from '@/lib/api/connection-schemas'
import { links } from '@/lib/links'
import { cn } from '../shared/ui/cn'
import { Time } from '../shared/time'
import { Button } from '../shared/ui/button'
import { VisibleText } from '../shared/visible-text'
import { checkWords, executionsWords, intervalWords, STATES } from './connection-words'
import { ConfirmDialog } from './confirm-dialog'
import type { useChange } from './use-change'

interface ConnectionRowProps {
  connection: ConnectionItem
  /** Named where there are several. */
  showProject: boolean
  change: ReturnType<typeof useChange>['change']
  busy: boolean
  onEdit: () => void
}

/** One server that is asked: how it goes, in plain words, and what can be done about it. */
export function ConnectionRow({ connection, showProject, change, busy, onEdit }: ConnectionRowProps) {
  const {
    id,
    name,
    project,
    baseUrl,
    headerName,
    allowPrivate,
    enabled,
    intervalSeconds,
    state,
    executions,
    lastOkAt,
    lastError,
    tables,
    failures,
    nextAt,
  } = connection
  const [check, setCheck] = useState<ConnectionCheck | null>(null)
  const [checking, setChecking] = useState(false)
  const [removing, setRemoving] = useState(false)
  const { word, icon: Icon, className } = STATES[state]
  const ask = async (): Promise<void> => {
    setCheck(null)
    setChecking(true)
    setCheck(await change<ConnectionCheck>('POST', links.api.connectionCheck(id), {}))
    setChecking(false)
  }
  return (
    <li className="space-y-2 px-4 py-3">
      <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <p className="font-medium">
            <VisibleText text={name} />
          </p>
          <p className="text-sm wrap-anywhere text-ink-3">
            <VisibleText text={baseUrl} />
            {showProject && ` · ${project}`}
          </p>
        </div>
        <p className={cn('flex items-center gap-1.5 font-medium', className)}>
          <Icon size={14} aria-hidden /> {word}
        </p>
        <span className="flex flex-wrap gap-2">
          <Button onClick={() => void ask()} why={checking ? 'Checking' : null}>
            {checking ? 'Checking…' : 'Check'}
          </Button>
          <Button
            onClick={() => void change('PATCH', links.api.connection(id), { enabled: !enabled })}
            why={busy ? 'Sending' : null}
          >
            {enabled ? 'Pause' : 'Resume'}
          </Button>
          <Button onClick={onEdit}>Edit…</Button>
          <Button kind="danger" onClick={() => setRemoving(true)}>
            Remove
          </Button>
        </span>
      </div>
      {lastError !== null && (
        <p className={state === 'failing' ? 'text-bad' : 'text-warn'}>
          <VisibleText text={lastError.text} />
          {failures > 1 && ` Failed ${failures} times in a row.`}
        </p>
      )}
      {tables?.text != null && <p className="text-warn">{tables.text}</p>}
      <div className="text-sm text-ink-3">
        <p>
          {executionsWords(executions)}
          {' · '}
          {lastOkAt === null ? (
            'never fetched'
          ) : (
            <>
              fetched <Time at={lastOkAt} />
            </>
          )}
          {nextAt !== null && (
            <>
              {' '}
              · {state === 'failing' ? 'next attempt' : 'next'} <Time at={nextAt} />,{' '}
              {intervalWords(intervalSeconds)}
            </>
          )}
          {' · '}
          {headerName === null ? (
            'no credential'
          ) : (
            <>
              credential in <VisibleText text={headerName} />
            </>
          )}
          {tables !== null &&
            tables.problem === null &&
            (tables.readAt === null ? (
              ' · database not read yet'
            ) : (
              <>
                {' '}
                · database read <Time at={tables.readAt} />
              </>
            ))}
          {allowPrivate && ' · private network allowed'}
        </p>
        <p role="status" className={check?.ok === false ? 'text-bad' : 'text-ink'}>
          {check !== null && <VisibleText text={checkWords(check)} />}
        </p>
      </div>
      <ConfirmDialog
        open={removing}
        title="Remove this connection?"
        keep="Cancel"
        does="Remove"
        onConfirm={() => void change('DELETE', links.api.connection(id))}
        onClose={() => setRemoving(false)}
      >
        <p>Inquest stops polling the server and deletes its credential.</p>
        <p className="text-ink-2">The source and its executions stay.</p>
      </ConfirmDialog>
    </li>
  )
}
