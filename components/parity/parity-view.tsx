'use client'

import { useQuery } from '@tanstack/react-query'
import { ArrowRight, RotateCw } from 'lucide-react'
import type { ParityDocument } from '@/lib/api/parity-schemas'
import type { ExecutionDetail } from '@/lib/api/schemas'
import { SEVERITIES } from '@/lib/parity/differences'
import { LAYER_STATE_WORDS } from '@/lib/parity/layers'
import type { CheckVerdict } from '@/lib/parity/stored-check'
import { executionQueries } from '../executions/queries'
import { VerdictGlyph } from '../receipts/receipt-glyphs'
import { formatCount, plural } from '../shared/format'
import { asProblem } from '../shared/get-json'
import { useKeys } from '../shared/keys'
import { ProblemNotice } from '../shared/problem-notice'
import { Time } from '../shared/time'
import { Button } from '../shared/ui/button'
import { VisibleText } from '../shared/visible-text'
import { KIND_WORDS, LAYER_WORDS, SEVERITY_TONES, VERDICT_WORDS } from './words'

const LISTED_MAX = 500

/** Whether what is shown of an execution is what its kept bytes say: made anew when the view opens, difference by difference. */
export function ParityView({ execution: { id, version, parity } }: { execution: ExecutionDetail }) {
  const found = useQuery(executionQueries.parity(id, version))
  const again = (): void => void found.refetch()
  useKeys({ v: again })
  if (found.isError) return <div className="p-4 md:px-6"><ProblemNotice problem={asProblem(found.error)} onRetry={again} /></div>
  if (!found.data || found.isFetching) return <Comparing last={parity} />
  return (
    <div className="mx-auto max-w-[88rem] space-y-4 p-4 md:px-6 md:py-5">
      <section aria-label="Parity" className="rounded border border-line bg-surface p-4">
        <div className="flex items-start justify-between gap-3">
          <h2 className="flex min-w-0 items-start gap-2 text-md font-semibold">
            <span className="mt-[3px]"><VerdictGlyph look={found.data.failedControls.length > 0 ? 'unchecked' : LOOKS[found.data.verdict]} /></span> {verdictSentence(found.data)}
          </h2>
          <Button onClick={again} title="Compare again (v)"><RotateCw size={14} aria-hidden /> Compare again</Button>
        </div>
        {found.data.failedControls.length > 0 && (
          <div role="alert" className="mt-3 rounded border-2 border-bad bg-tint-bad px-4 py-3 text-sm">
            <p className="font-semibold">The comparison does not find what is known to be there</p>
            <p>Pairs whose differences are known go through the same code. These came out otherwise, so that nothing below means anything: {found.data.failedControls.join('; ')}.</p>
          </div>
        )}
        <Layers layers={found.data.layers} />
        {found.data.changedParts.length > 0 && (
          <ul aria-label="Changed parts" className="mt-3 text-sm">
            {found.data.changedParts.map((digest) => <li key={digest} className="wrap-anywhere text-bad">The bytes of the kept part <code className="font-mono">{digest}</code> are not those that were kept.</li>)}
          </ul>
        )}
        <p className="mt-3 max-w-[80ch] text-sm text-ink-2">
          The execution, its records, calls, decision and receipts are derived anew from the bytes that were kept, and held against the rows that every page shows. Nothing is changed by that. A difference after an
          update of Inquest goes with <code className="font-mono">inquest reingest --execution {id}</code>.
        </p>
      </section>
      {found.data.transitions.map((transition) => <Differences key={`${transition.from} ${transition.to}`} transition={transition} />)}
    </div>
  )
}

const LOOKS = { equal: 'complete', different: 'broken', unknown: 'unchecked' } as const

function verdictSentence({ verdict, worst, transitions, layers, failedControls }: ParityDocument): string {
  if (failedControls.length > 0) return 'Not trustworthy'
  if (verdict === 'equal') return 'What is stored is what the kept bytes say'
  if (verdict === 'different') return `${plural(transitions.reduce((sum, { differences }) => sum + differences.length, 0), 'difference')}, ${worst} at worst`
  const silent = layers.filter(({ state }) => state !== 'read').map(({ layer, state }) => `${LAYER_WORDS[layer] ?? layer}: ${LAYER_STATE_WORDS[state]}`)
  return `Not known. ${silent.join('; ')}`
}

const Comparing = ({ last }: { last: ExecutionDetail['parity'] }) => (
  <div aria-busy="true" className="space-y-3 p-4 md:p-6">
    <p className="text-ink-2">
      Deriving the execution anew from its kept bytes, and comparing
      {last && (
        <>
          . The last check, made <Time at={last.checkedAt} />, found it {VERDICT_WORDS[last.verdict as CheckVerdict] ?? last.verdict}
          {last.worst !== null && `, ${last.worst} at worst`}
        </>
      )}
    </p>
    <div className="skeleton h-24" />
    <div className="skeleton h-40" />
  </div>
)

const Layers = ({ layers }: { layers: ParityDocument['layers'] }) => (
  <ol aria-label="Layers" className="mt-3 flex flex-wrap items-center gap-2 text-sm">
    {layers.map(({ layer, state }, index) => (
      <li key={layer} className="flex items-center gap-2">
        {index > 0 && <ArrowRight size={14} aria-hidden className="text-ink-3" />}
        <span className={state === 'read' ? 'rounded border border-line px-2.5 py-1' : 'rounded border border-dashed border-line-strong px-2.5 py-1'}>
          <span className="font-medium">{LAYER_WORDS[layer] ?? layer}</span> <span className={state === 'read' ? 'text-ink-3' : 'text-warn'}>{LAYER_STATE_WORDS[state]}</span>
        </span>
      </li>
    ))}
  </ol>
)

/** Side by side, the worst first. What an agent wrote is shown as text only. */
function Differences({ transition: { from, to, differences, isWhole } }: { transition: ParityDocument['transitions'][number] }) {
  if (differences.length === 0) return null
  const sorted = SEVERITIES.flatMap((severity) => differences.filter((one) => one.severity === severity))
  const left = sorted.length - LISTED_MAX
  return (
    <section aria-label={`Differences between ${LAYER_WORDS[from] ?? from} and ${LAYER_WORDS[to] ?? to}`} className="rounded border border-line bg-surface">
      <div tabIndex={0} role="group" aria-label="Table of differences" className="overflow-x-auto">
        <table className="w-full min-w-[44rem] text-left text-sm">
          <thead>
            <tr className="border-b border-line text-ink-2">
              {['Severity', 'Kind', 'Place', LAYER_WORDS[from] ?? from, LAYER_WORDS[to] ?? to].map((head) => <th key={head} scope="col" className="px-3 py-2 font-normal whitespace-nowrap">{head}</th>)}
            </tr>
          </thead>
          <tbody>
            {sorted.slice(0, LISTED_MAX).map((one) => (
              <tr key={`${one.kind} ${one.path}`} className="border-b border-line align-top last:border-0">
                <td className={`px-3 py-1.5 font-medium ${SEVERITY_TONES[one.severity]}`}>{one.severity}</td>
                <td className="px-3 py-1.5 whitespace-nowrap" title={one.kind}>{KIND_WORDS[one.kind]}</td>
                <td className="px-3 py-1.5 font-mono wrap-anywhere"><VisibleText text={one.path === '' ? 'the whole document' : one.path} /></td>
                <td className="w-[28%] px-3 py-1.5"><Value text={one.values?.[from]} /></td>
                <td className="w-[28%] px-3 py-1.5"><Value text={one.values?.[to]} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {(left > 0 || !isWhole) && <p className="px-3 py-2 text-sm text-ink-3">{left > 0 ? `${formatCount(left)} more are in the answer of the API.` : 'There are more than are listed.'}</p>}
    </section>
  )
}

const Value = ({ text }: { text: string | null | undefined }) =>
  text == null ? <span className="text-ink-3">{text === null ? 'not there' : '–'}</span> : <code className="font-mono wrap-anywhere"><VisibleText text={text} /></code>
