'use client'

import {
  CircleDashed,
  EyeOff,
  GitCompareArrows,
  Info,
  ShieldQuestion,
  Split,
  TriangleAlert,
} from 'lucide-react'
import Link from 'next/link'
import type { ExecutionDetail } from '@/lib/api/schemas'
import { links } from '@/lib/links'
import type { Problem } from '@/lib/problem'
import { plural } from '../shared/format'
import { cn } from '../shared/ui/cn'
import { Time } from '../shared/time'
import { VisibleText } from '../shared/visible-text'
import { inputChannelWords } from '../execution-data/words'

/** What a reader must know before believing the page; one line each, only when it is so. */
export function Banners({
  execution,
  unknownView,
  stale,
  readAt,
}: {
  execution: ExecutionDetail
  unknownView: string | null
  stale: Problem | null
  readAt: number
}) {
  const { odd, redactions, outcome, disagreements, parity, analysisFailure } = execution
  const lines = [
    analysisFailure && (
      <Line key="analysis" icon={TriangleAlert}>
        <strong className="font-medium">The analysis failed</strong> <Time at={analysisFailure.at} />:{' '}
        <code className="font-mono">
          <VisibleText text={`${analysisFailure.error}: ${analysisFailure.message}`} />
        </code>
        . All records are kept, and this page shows the earlier result. To retry, run{' '}
        <code className="font-mono">inquest reingest --execution {execution.id}</code>. New records or an
        Inquest update (now {analysisFailure.version}) also trigger a retry.
      </Line>
    ),
    unknownView !== null && (
      <Line key="view" icon={Info}>
        No view “<VisibleText text={unknownView} />
        ”. Showing Cause.
      </Line>
    ),
    stale && (
      <Line key="stale" icon={Info}>
        Could not refresh ({stale.title}). Data as of <Time at={new Date(readAt).toISOString()} />.
      </Line>
    ),
    parity?.verdict === 'different' && (
      <Line key="parity" icon={GitCompareArrows} bad>
        {parity.lostFrom === 'made'
          ? 'A diagnosis was produced but never saved'
          : parity.lostFrom === 'first_row'
            ? `NoETL’s own check fails: a later row lost data of its step (${parity.worst})`
            : `Stored copies differ (${parity.worst})`}
        . Checked <Time at={parity.checkedAt} />.{' '}
        <Link className="link" href={links.execution(execution.id, 'parity')}>
          View differences
        </Link>
      </Line>
    ),
    parity?.verdict === 'in_doubt' && (
      <Line key="parity" icon={GitCompareArrows}>
        Stored copies agree, but all may lack a diagnosis of the agent. Checked <Time at={parity.checkedAt} />
        .{' '}
        <Link className="link" href={links.execution(execution.id, 'parity')}>
          Show why
        </Link>
      </Line>
    ),
    outcome === 'running' && (
      <Line key="running" icon={CircleDashed}>
        Running. Last event <Time at={execution.endedAt} />. New events appear automatically.
      </Line>
    ),
    odd > 0 && (
      <Line key="odd" icon={ShieldQuestion}>
        {plural(odd, 'record')} could not be fully parsed. The originals are in Raw.{' '}
        <Link className="link" href={links.execution(execution.id, 'raw', { show: 'odd' })}>
          Show {odd === 1 ? 'it' : 'them'}
        </Link>
      </Line>
    ),
    redactions > 0 && (
      <Line key="redacted" icon={EyeOff}>
        {plural(redactions, 'secret')} redacted on import.{' '}
        <Link className="link" href={links.execution(execution.id, 'raw', { show: 'redacted' })}>
          Show where
        </Link>
      </Line>
    ),
    disagreements.length > 0 && (
      <Line key="channels" icon={Split}>
        <details open={disagreements.some(({ rule }) => rule === 'run_status')}>
          <summary>Sources disagree on {plural(disagreements.length, 'fact')}</summary>
          <ul className="mt-1 space-y-0.5">
            {disagreements.map((d) => (
              <li key={d.fact}>
                <strong className="font-medium">
                  <VisibleText text={d.fact} />
                </strong>
                :{' '}
                {d.values.map((v, index) => (
                  <span key={index}>
                    {index > 0 && ', '}
                    {inputChannelWords(v.channel)} says “<VisibleText text={v.said} />”
                  </span>
                ))}
                ; used: “<VisibleText text={d.used} />”
              </li>
            ))}
          </ul>
        </details>
      </Line>
    ),
  ].filter(Boolean)
  if (lines.length === 0) return null
  return <div className="divide-y divide-line border-b border-line bg-sunken text-sm text-ink-2">{lines}</div>
}

const Line = ({
  icon: Icon,
  bad = false,
  children,
}: {
  icon: typeof Info
  bad?: boolean
  children: React.ReactNode
}) => (
  <div className={cn('flex items-start gap-2 px-4 py-1.5 md:px-6', bad && 'bg-tint-bad text-ink')}>
    <Icon size={14} aria-hidden className={cn('mt-0.5 shrink-0', bad && 'text-bad')} />
    <div className="min-w-0">{children}</div>
  </div>
)
