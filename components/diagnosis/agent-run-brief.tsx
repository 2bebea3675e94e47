import Link from 'next/link'
import type { RunDiagnosisDocument } from '@/lib/api/diagnosis-schemas'
import { verdictWords } from '@/lib/executions/verdict-words'
import { links } from '@/lib/links'
import { VisibleText } from '../shared/visible-text'

/** What the own run of the first agent that failed says: what broke there, whether a retry could have helped, what to do. Nothing where that run is not here. */
export function AgentRunBrief({ document: { diagnoses } }: { document: RunDiagnosisDocument }) {
  const run = diagnoses[0]?.agentRun ?? null
  if (run === null) return null
  return (
    <div className="mb-2 space-y-1 border-b border-line pb-2">
      <h2 className="text-sm font-medium text-ink-3">
        In the agent’s own run <Link href={links.execution(run.id)} prefetch={false} className="link wrap-anywhere"><VisibleText text={run.externalId} /></Link>
      </h2>
      <p className="text-md whitespace-pre-wrap">
        {run.cause === null ? `Nothing in it tells of a failure; it is stored as ${run.outcome}.` : <VisibleText text={run.cause} />}
      </p>
      {run.advice !== null && (
        <>
          <p><strong className="font-medium">{verdictWords(run.advice)}.</strong> <VisibleText text={run.advice.retryBecause} /></p>
          <p><span className="text-sm text-ink-3">What to do next:</span> <VisibleText text={run.advice.next} /></p>
        </>
      )}
    </div>
  )
}
