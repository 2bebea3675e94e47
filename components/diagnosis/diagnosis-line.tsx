'use client'

import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import Link from 'next/link'
import type { RunDiagnosisDocument } from '@/lib/api/diagnosis-schemas'
import type { ExecutionDetail } from '@/lib/api/schemas'
import { links } from '@/lib/links'
import { plainText } from '@/lib/text/plain-json'
import { executionQueries } from '../execution-data/queries'
import { Chip } from '../shared/ui/chip'
import { VisibleText } from '../shared/visible-text'
import { Confidence } from './confidence'
import { StateMark } from './state-mark'
import { STATE_WORDS } from '@/lib/words/diagnosis'

/** The diagnosis in one line. It comes after the first paint and keeps its place until then. */
export function DiagnosisLine({ execution }: { execution: ExecutionDetail }) {
  const found = useQuery(executionQueries.diagnosis(execution.id, execution.version))
  return (
    <section aria-label="Diagnosis" className="rounded border border-line bg-surface px-3 py-2 md:px-4">
      {found.data ? (
        <DiagnosisBrief document={found.data} />
      ) : (
        <p aria-busy={!found.isError} className="text-sm text-ink-3">
          {found.isError ? (
            <>
              Couldn’t load the diagnosis.{' '}
              <Link href={links.execution(execution.id, 'diagnosis')} className="link">
                Open the Diagnosis view
              </Link>
            </>
          ) : (
            'Diagnosis'
          )}
        </p>
      )}
    </section>
  )
}

const LINE_CHARS_MAX = 300

/** A value as one line of text, cut with a mark. */
function lineOf(json: string): string {
  const text = plainText(json).replace(/\s+/g, ' ')
  return text.length > LINE_CHARS_MAX ? `${text.slice(0, LINE_CHARS_MAX)}…` : text
}

export function DiagnosisBrief({
  document: { executionId, holderId, diagnoses },
}: {
  document: RunDiagnosisDocument
}) {
  const [first] = diagnoses
  const href = links.execution(executionId, 'diagnosis')
  if (!first)
    return (
      <p className="text-sm text-ink-3">
        Diagnosis:{' '}
        <Link href={href} className="link">
          the calling run is not stored
        </Link>
      </p>
    )
  const value = first.value ?? first.elsewhere?.value ?? null
  const {
    category = null,
    confidence = null,
    root_cause: cause = null,
    suggested_action: action = null,
  } = value?.keys ?? {}
  const text = cause === null ? null : lineOf(cause)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="inline-flex items-center gap-1.5 text-sm font-medium text-ink-3">
        <StateMark state={first.state} /> Diagnosis
      </span>
      {first.state !== 'attached' && (
        <span className="text-ink-2">
          {first.elsewhere === null
            ? STATE_WORDS[first.state].name.replace(/^[A-Z]/, (letter) => letter.toLowerCase())
            : `produced by run ${first.elsewhere.externalId}, but never saved`}
        </span>
      )}
      {category !== null && (
        <Chip>
          <span className="min-w-0">
            <VisibleText text={plainText(category).slice(0, 60)} />
          </span>
        </Chip>
      )}
      {confidence !== null && <Confidence json={confidence} />}
      {value?.lowConfidence === true && <span className="text-sm text-warn">low</span>}
      {text !== null && (
        <span className="min-w-0 flex-1 basis-64">
          <VisibleText text={text} />
        </span>
      )}
      {diagnoses.length > 1 && <span className="text-sm text-ink-3">and {diagnoses.length - 1} more</span>}
      <span className="ml-auto flex flex-wrap gap-x-4">
        {first.childId !== null && holderId === executionId && (
          <Link href={links.anyId(first.childId)} prefetch={false} className="link whitespace-nowrap">
            Agent run{' '}
          </Link>
        )}
        <Link href={href} className="link inline-flex items-center gap-1 whitespace-nowrap">
          View diagnosis <ArrowRight size={14} aria-hidden />
        </Link>
      </span>
      {action !== null && action !== '""' && (
        <p className="w-full">
          <span className="text-sm text-ink-3">
            {first.value === null ? 'Suggested action (unsaved diagnosis):' : 'Suggested action:'}
          </span>{' '}
          <VisibleText text={lineOf(action)} />
        </p>
      )}
    </div>
  )
}
