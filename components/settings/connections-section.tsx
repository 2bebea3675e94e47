'use client'

import { Plug } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import type { ConnectionItem } from '@/lib/api/connection-schemas'
import { links } from '@/lib/links'
import { ProblemNotice } from '../shared/problem-notice'
import { Button } from '../shared/ui/button'
import { ConnectDialog } from './connect-dialog'
import { ConnectionRow } from './connection-row'
import { useChange } from './use-change'

/** While something is on its way, the page is read again each so many milliseconds. */
const READ_AGAIN_MS = 5_000

interface ConnectionsSectionProps {
  connections: ConnectionItem[]
  /** Projects in which the reader may connect one. */
  projects: string[]
  globalAdmin: boolean
}

/** Servers that are asked for their executions. */
export function ConnectionsSection({ connections, projects, globalAdmin }: ConnectionsSectionProps) {
  const router = useRouter()
  const { change, busy, problem, forget } = useChange()
  const [connecting, setConnecting] = useState(false)
  const [edited, setEdited] = useState<ConnectionItem | null>(null)
  const moves = connections.some(({ state }) => state === 'new' || state === 'fetching')
  useEffect(() => {
    if (!moves) return
    const timer = setInterval(() => router.refresh(), READ_AGAIN_MS)
    return () => clearInterval(timer)
  }, [moves, router])
  const connect = async (body: object): Promise<void> => {
    if (await change('POST', links.api.connections(), body)) setConnecting(false)
  }
  const edit = async (body: object): Promise<void> => {
    if (edited && (await change('PATCH', links.api.connection(edited.id), body))) setEdited(null)
  }
  return (
    <section aria-labelledby="connections" className="space-y-2">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="connections" className="font-semibold">
          Connected servers
        </h2>
        <Button
          onClick={() => {
            forget()
            setConnecting(true)
          }}
        >
          <Plug size={14} aria-hidden /> Connect a NoETL server
        </Button>
      </div>
      <p className="max-w-2xl text-ink-2">
        Inquest polls each server for its executions and stores them like imported ones.
      </p>
      {problem && !connecting && edited === null && <ProblemNotice compact problem={problem} />}
      {connections.length > 0 && (
        <ul className="divide-y divide-line rounded border border-line bg-surface" aria-busy={busy}>
          {connections.map((connection) => (
            <ConnectionRow
              key={connection.id}
              connection={connection}
              showProject={projects.length > 1}
              change={change}
              busy={busy}
              onEdit={() => {
                forget()
                setEdited(connection)
              }}
            />
          ))}
        </ul>
      )}
      <ConnectDialog
        open={connecting}
        projects={projects}
        globalAdmin={globalAdmin}
        problem={problem}
        busy={busy}
        onConnect={connect}
        onClose={() => setConnecting(false)}
      />
      {edited && (
        <ConnectDialog
          open
          connection={edited}
          projects={projects}
          globalAdmin={globalAdmin}
          problem={problem}
          busy={busy}
          onConnect={edit}
          onClose={() => setEdited(null)}
        />
      )}
    </section>
  )
}
