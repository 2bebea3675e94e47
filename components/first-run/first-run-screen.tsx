'use client'

import { Database, FolderInput, Plug } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { SCOPES } from '@/lib/auth/permissions'
import { links } from '@/lib/links'
import { PROGRAM_PLACEHOLDER } from '@/lib/program-command'
import { onLive } from '../live/live-store'
import { Command } from '../shared/command'
import { ProgramCommand } from '../shared/program'
import { asProblem, sendJson } from '../shared/get-json'
import { ProblemNotice } from '../shared/problem-notice'
import { Button } from '../shared/ui/button'
import type { Problem } from '@/lib/problem'
import { LoadSample } from './load-sample'

const NEEDS_ADMIN = 'Only admins can create keys. Ask one for a key with the scope "ingest".'

/** Nothing has been received yet: three ways in. Nothing is imported without being asked for. */
export function FirstRunScreen({
  importCommand,
  address,
  mayLoad,
  mayMakeKeys,
}: {
  importCommand: string
  address: string
  mayLoad: boolean
  mayMakeKeys: boolean
}) {
  const router = useRouter()
  const [arrived, setArrived] = useState(false)
  useEffect(
    () => onLive((events) => events.some((event) => event.type === 'execution') && setArrived(true)),
    [],
  )
  return (
    <div className="mx-auto max-w-5xl space-y-6 px-4 py-8 md:py-12">
      <div className="space-y-1">
        <h1 className="text-lg font-semibold">No data yet</h1>
        <p className="max-w-2xl text-ink-2">
          Inquest reads transcripts and records of coding agents. It shows why a run failed and whether a
          retry would help, with the raw evidence. Choose how to send data.
        </p>
      </div>
      {arrived && (
        <div
          role="status"
          className="fade-in flex flex-wrap items-center gap-3 rounded border border-line bg-tint-good px-4 py-3"
        >
          <p className="font-medium">First records received.</p>
          <Button kind="main" onClick={() => router.push(links.executions())}>
            View executions
          </Button>
        </div>
      )}
      <div className="grid gap-4 lg:grid-cols-3">
        <Way icon={FolderInput} title="Import from this machine">
          <p className="text-ink-2">
            Run this in a terminal. It finds and sends your transcripts. You can run it again at any time.
          </p>
          <ProgramCommand text={importCommand} />
          <p className="text-ink-2">
            To follow sessions while they run, add <code className="font-mono text-sm">--watch</code>.
          </p>
        </Way>
        <Way icon={Plug} title="Connect a source">
          <p className="text-ink-2">
            For CI or another machine: create a key that can only send data, then send files or install the
            hook.
          </p>
          <ConnectSource address={address} mayMakeKeys={mayMakeKeys} />
        </Way>
        <Way icon={Database} title="Load sample data">
          <p className="text-ink-2">
            Explore a few made-up sessions with common failures. They are stored in a separate source.
          </p>
          <LoadSample mayLoad={mayLoad} />
        </Way>
      </div>
    </div>
  )
}

const Way = ({
  icon: Icon,
  title,
  children,
}: {
  icon: typeof Plug
  title: string
  children: React.ReactNode
}) => (
  <section className="flex min-w-0 flex-col gap-3 rounded border border-line bg-surface p-4">
    <h2 className="flex items-center gap-2 text-md font-semibold">
      <Icon size={16} aria-hidden className="text-ink-3" /> {title}
    </h2>
    {children}
  </section>
)

function ConnectSource({ address, mayMakeKeys }: { address: string; mayMakeKeys: boolean }) {
  const [key, setKey] = useState<string | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const make = async (): Promise<void> => {
    try {
      setProblem(null)
      setKey(
        (
          await sendJson<{ key: string }>('POST', links.api.keys(), {
            name: 'First source',
            scopes: SCOPES.filter((scope) => scope === 'ingest'),
          })
        ).key,
      )
    } catch (error) {
      setProblem(asProblem(error))
    }
  }
  const shown = key ?? '<key>'
  const endpoint = address + links.api.ingest('claude-transcript')
  return (
    <>
      {key === null ? (
        <Button onClick={make} why={mayMakeKeys ? null : NEEDS_ADMIN}>
          Create key
        </Button>
      ) : (
        <p className="rounded border border-line bg-mark px-3 py-2">
          Copy these commands now. They contain your key, which won't be shown again.
        </p>
      )}
      {!mayMakeKeys && <p className="text-sm text-ink-3">{NEEDS_ADMIN}</p>}
      {problem && <ProblemNotice compact problem={problem} onRetry={() => void make()} />}
      <p className="text-ink-2">Send one transcript:</p>
      <Command
        text={`curl --fail-with-body -H 'Authorization: Bearer ${shown}' --data-binary @session.jsonl ${endpoint}`}
      />
      <p className="text-ink-2">
        Or install the agent's hooks. They need both variables wherever the agent runs:
      </p>
      <Command
        text={`export INQUEST_URL=${address} INQUEST_TOKEN=${shown}\n${PROGRAM_PLACEHOLDER} hook --install`}
      />
    </>
  )
}
