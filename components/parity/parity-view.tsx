'use client'

import type { CheckVerdict } from '@/lib/model/parity'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import Link from 'next/link'
import type { ParityDocument } from '@/lib/api/parity-schemas'
import type { ExecutionDetail } from '@/lib/api/schemas'
import { links } from '@/lib/links'
import {
  failedControlWords,
  FORM_WORDS,
  LAYER_STATE_WORDS,
  VERDICT_WORDS,
  layerWord,
} from '@/lib/words/parity'
import { executionQueries } from '../execution-data/queries'
import { VerdictGlyph } from '../receipts/receipt-glyphs'
import { plural } from '../shared/format'
import { asProblem, sendJson } from '../shared/get-json'
import { useKeys } from '../shared/keys'
import { ProblemNotice } from '../shared/problem-notice'
import { Time } from '../shared/time'
import { Button } from '../shared/ui/button'
import { FormSection } from './form-section'
import { PAGE_DOCUMENTS } from './page-documents'
import { formsOf, withPage, type FormRead } from './parity-rows'
import { usePageParity } from './use-page-parity'
import { RowVersionList } from './row-versions'
import { RowIssues } from './row-issues'

/** Whether every place where an execution can be read says the same: made anew when the view opens, this page included, difference by difference. */
export function ParityView({ execution: { id, version, parity } }: { execution: ExecutionDetail }) {
  const stored = useQuery(executionQueries.parity(id, version))
  const page = usePageParity(version, { executionId: id, documents: PAGE_DOCUMENTS })
  const queryClient = useQueryClient()
  // A check that somebody asks for is stored; whoever may only read sees the comparison and stores nothing.
  const check = useMutation({
    mutationFn: () => sendJson<ParityDocument>('POST', links.api.parity(id)),
    onSuccess: (found) => queryClient.setQueryData(executionQueries.parity(id, version).queryKey, found),
    onError: () => void stored.refetch(),
  })
  const again = (): void => {
    check.mutate()
    void page.refetch()
  }
  useKeys({ v: again })
  const broken = [stored, page].find(({ isError }) => isError)
  if (broken)
    return (
      <div className="p-4 md:px-6">
        <ProblemNotice problem={asProblem(broken.error)} onRetry={again} />
      </div>
    )
  if (!stored.data || !page.data || stored.isFetching || check.isPending || page.isFetching)
    return <Comparing last={parity} />
  const found = withPage(stored.data, page.data)
  const forms = formsOf(found)
  const hasMade = forms.some(({ form }) => form === 'made')
  return (
    <div className="mx-auto max-w-[88rem] space-y-4 p-4 md:px-6 md:py-5">
      <section aria-label="Parity" className="rounded border border-line bg-surface p-4">
        <div className="flex items-start justify-between gap-3 max-md:flex-col">
          <h2 className="flex min-w-0 items-start gap-2 text-md font-semibold">
            <span className="mt-[3px]">
              <VerdictGlyph look={found.failedControls.length > 0 ? 'unchecked' : LOOKS[found.verdict]} />
            </span>{' '}
            {verdictSentence(found)}
          </h2>
          <Button onClick={again} title="Compare again (v)">
            <RotateCw size={14} aria-hidden /> Compare again
          </Button>
        </div>
        {found.failedControls.length > 0 && (
          <div role="alert" className="mt-3 rounded border-2 border-bad bg-tint-bad px-4 py-3 text-sm">
            <p className="font-semibold">The comparison failed its self-test</p>
            <p>
              The results below can’t be trusted. Failed controls: {failedControlWords(found.failedControls)}.
            </p>
          </div>
        )}
        {found.changedParts.length > 0 && (
          <ul aria-label="Changed parts" className="mt-3 text-sm">
            {found.changedParts.map((digest) => (
              <li key={digest} className="wrap-anywhere text-bad">
                The bytes of raw record <code className="font-mono">{digest}</code> changed after import.
              </li>
            ))}
          </ul>
        )}
        <p className="mt-3 max-w-[90ch] text-sm text-ink-2">
          The execution is derived again from its raw records and compared with the stored rows; this page is
          compared with what is stored now. Nothing is changed.{' '}
          {forms.some(
            ({ form, transitions }) =>
              form === 'record' && transitions.some(({ differences }) => differences.length > 0),
          ) && (
            <>
              To fix differences in “{FORM_WORDS.record}” after an Inquest update, run{' '}
              <code className="font-mono">inquest reingest --execution {id}</code>.
            </>
          )}
        </p>
      </section>
      {forms.map((read) => (
        <FormSection key={read.form} read={read}>
          {read.form === 'made' && (
            <p className="mt-2 max-w-[90ch] text-sm text-ink-2">
              The diagnosis comes from the run that was started for this agent. Either NoETL could not fetch
              it in time, or NoETL up to 2.35.8 lost it when writing the row. The records don’t show which.{' '}
              <Link className="link" href={links.execution(id, 'diagnosis')}>
                View the diagnosis
              </Link>
            </p>
          )}
          {(read.form === 'made' ||
            (read.form === 'document' && !hasMade && (read.lost || isDoubted(read)))) &&
            found.sourceCheck?.verdict === 'pass' && (
              <p className="mt-2 max-w-[90ch] rounded border-2 border-dashed border-line-strong bg-tint-warn px-3 py-2 text-sm">
                NoETL’s own check passes on this run. It compares rows of the log with each other, so it can’t
                see what all of them lost.
              </p>
            )}
          {read.form === 'steps' && <RowIssues issues={found.sourceCheck?.issues ?? []} />}
          {read.form === 'versions' && <RowVersionList executionId={id} versions={found.versions} />}
          {read.form === 'page' && page.data.values > 0 && (
            <p className="mt-2 text-sm text-ink-2">
              Compared {plural(page.data.values, 'loaded value')} and{' '}
              {plural(page.data.nodes, 'displayed text')} with stored data.
            </p>
          )}
        </FormSection>
      ))}
    </div>
  )
}

/** A layer was read whole, and is known not to hold everything. */
const isDoubted = ({ layers }: FormRead): boolean =>
  layers.some(({ state, why }) => state === 'read' && why !== null)

const LOOKS = { equal: 'complete', different: 'broken', unknown: 'unchecked' } as const

function verdictSentence({ verdict, worst, transitions, layers, failedControls }: ParityDocument): string {
  if (failedControls.length > 0) return 'Unreliable result'
  if (verdict === 'equal') return 'Stored data matches its raw records'
  const isCheckFailed = transitions.some(
    ({ form, differences }) => form === 'steps' && differences.length > 0,
  )
  const made = transitions.some(({ form, differences }) => form === 'made' && differences.length > 0)
    ? 'A diagnosis was produced but never saved: '
    : ''
  if (verdict === 'different')
    return `${made}${isCheckFailed ? 'NoETL’s own check fails: ' : ''}${plural(
      transitions.reduce((sum, { differences }) => sum + differences.length, 0),
      'difference',
    )} (worst: ${worst})`
  const silent = layers
    .filter(({ state, counts }) => state !== 'read' && counts)
    .map(({ form, layer, state }) => `${layerWord(layer, form)}: ${LAYER_STATE_WORDS[state]}`)
  return silent.length > 0
    ? `Unknown. ${silent.join('; ')}`
    : 'Unknown. All layers agree, but data may have been lost before the first one'
}

const Comparing = ({ last }: { last: ExecutionDetail['parity'] }) => (
  <div aria-busy="true" className="space-y-3 p-4 md:p-6">
    <p className="text-ink-2">
      Comparing stored data with raw records
      {last && (
        <>
          . Last checked <Time at={last.checkedAt} />:{' '}
          {VERDICT_WORDS[last.verdict as CheckVerdict] ?? last.verdict}
          {last.worst !== null && ` (worst: ${last.worst})`}
        </>
      )}
    </p>
    <div className="skeleton h-24" />
    <div className="skeleton h-40" />
  </div>
)
