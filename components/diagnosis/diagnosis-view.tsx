'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import type { RunDiagnosisDocument } from '@/lib/api/diagnosis-schemas'
import type { ExecutionDetail } from '@/lib/api/schemas'
import { links } from '@/lib/links'
import { executionQueries } from '../execution-data/queries'
import { useLiveRefetch } from '../live/use-live-refetch'
import { useFragment } from '../raw/use-fragment'
import { plural } from '../shared/format'
import { asProblem } from '../shared/get-json'
import { ProblemNotice } from '../shared/problem-notice'
import { VisibleText } from '../shared/visible-text'
import { AgentDiagnosis, Elsewhere, SLOT } from './agent-diagnosis'
import { EnvelopeTree } from './envelope-tree'
import { FailingRows } from './failing-rows'
import { ShownAsStored } from './shown-as-stored'

const SETTLE_MS = 2_000

/** What became of the diagnosis of each agent that failed. `row` and the fragment of the address say what is opened. */
export function DiagnosisView({ execution, row }: { execution: ExecutionDetail; row: string | null }) {
  const found = useQuery(executionQueries.diagnosis(execution.id, execution.version))
  const focus = useFragment()
  // A run that makes a diagnosis is another execution: what changes there changes no version of this one.
  useLiveRefetch(found.refetch, SETTLE_MS)
  if (found.isError && !found.data)
    return (
      <div className="p-4 md:px-6">
        <ProblemNotice problem={asProblem(found.error)} onRetry={() => void found.refetch()} />
      </div>
    )
  if (!found.data)
    return (
      <div role="group" aria-busy="true" aria-label="Loading diagnosis" className="space-y-3 p-4 md:p-6">
        <div className="skeleton h-24" />
        <div className="skeleton h-40" />
      </div>
    )
  return <DiagnosisRead document={found.data} row={row} focus={focus} version={execution.version} />
}

interface ReadProps {
  document: RunDiagnosisDocument
  row: string | null
  focus: string | null
  version: number
}

export function DiagnosisRead({
  document: { executionId, holderId, diagnoses, unclaimed, firstFailure, lastFailure },
  row,
  focus,
  version,
}: ReadProps) {
  const holder = holderId ?? executionId
  const meant = Math.max(
    0,
    diagnoses.findIndex((one) => row !== null && one.row.eventId === row),
  )
  return (
    <div className="mx-auto max-w-[88rem] space-y-4 p-4 md:px-6 md:py-5">
      {diagnoses.length === 0 && (
        <section aria-label="Diagnosis" className="rounded border border-line bg-surface px-4 py-8">
          {unclaimed === null ? (
            <>
              <p className="font-medium">No agent failed in this run.</p>
              <p className="mt-1 text-ink-2">
                A diagnosis explains a failed agent. It is stored with the run that called the agent.
              </p>
            </>
          ) : (
            <>
              <p className="font-medium">An agent run was diagnosed, but its result is not recorded here.</p>
              <p className="mt-1 text-ink-2">
                The server may have dropped the agent’s result because it was too large.
              </p>
              <Elsewhere elsewhere={unclaimed} shows="/diagnosis/unclaimed" holder={executionId} />
            </>
          )}
        </section>
      )}
      {diagnoses.length > 0 && holderId !== executionId && (
        <p className="text-ink-2">
          This is an agent’s run. Its diagnosis is stored with{' '}
          <Link href={links.execution(holder, 'diagnosis')} className="link">
            the run that called it
          </Link>
          .
        </p>
      )}
      {diagnoses.length > 1 && (
        <p className="text-ink-2">
          {plural(diagnoses.length, 'agent')} failed. Diagnoses in chronological order:
        </p>
      )}
      {diagnoses.map((one, index) => (
        <section
          key={one.row.eventId ?? index}
          aria-label={diagnoses.length === 1 ? 'Diagnosis' : `Diagnosis ${index + 1}`}
          className="space-y-4"
        >
          <h2 className="text-sm font-medium text-ink-3">
            Diagnosis: agent of{' '}
            {one.step === null ? (
              'an unnamed step'
            ) : (
              <>
                step{' '}
                <span className="text-ink wrap-anywhere">
                  <VisibleText text={one.step} />
                </span>
              </>
            )}
          </h2>
          <AgentDiagnosis
            read={one}
            holder={holder}
            isOwnRun={holder !== executionId}
            shows={`/diagnosis/diagnoses/${index}`}
          />
          {one.agentRun !== null && (
            <FailingRows
              executionId={one.agentRun.id}
              first={one.agentRun.firstFailure}
              last={one.agentRun.lastFailure}
              whose="the agent’s run"
            />
          )}
          {index === 0 && (
            <FailingRows executionId={executionId} first={firstFailure} last={lastFailure} whose="this run" />
          )}
          {index === meant ? (
            <EnvelopeTree
              executionId={holder}
              place={one.row.pointer}
              focus={focus}
              opened={one.value === null ? '/result/context/error' : SLOT}
              below={(text, tree) => (
                <ShownAsStored
                  executionId={executionId}
                  version={version}
                  place={one.row.pointer}
                  text={text}
                  tree={tree}
                />
              )}
            />
          ) : (
            <p>
              <a
                href={links.diagnosis(
                  holder,
                  one.value === null ? '/result/context/error' : SLOT,
                  one.row.eventId,
                )}
                className="link"
              >
                View full row
              </a>
            </p>
          )}
        </section>
      ))}
      {diagnoses.length === 0 && (
        <FailingRows executionId={executionId} first={firstFailure} last={lastFailure} whose="this run" />
      )}
    </div>
  )
}
