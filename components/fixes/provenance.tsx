'use client'

import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import Link from 'next/link'
import { useState } from 'react'
import type { FixProvenance } from '@/lib/api/fix-schemas'
import type {
  ProvenanceFact,
  ProvenanceLink,
  ProvenanceLinkName,
  ProvenanceValue,
} from '@/lib/model/provenance-facts'
import { links } from '@/lib/links'
import { cutAtWord } from '@/lib/text/visible'
import { formatCount } from '../shared/format'
import { asProblem } from '../shared/get-json'
import { ProblemNotice } from '../shared/problem-notice'
import { VisibleText } from '../shared/visible-text'
import { fixQueries } from './queries'
import type { FixDetail } from '@/lib/model/fix'

const TITLES: Record<ProvenanceLinkName, string> = {
  execution: 'Execution',
  failure: 'Failure',
  'context-pack': 'Context pack',
  base: 'Base',
  hook: 'Hook',
  agent: 'Agent',
  policy: 'Policy',
  budget: 'Budget',
  workspace: 'Workspace',
  transcript: 'Transcript',
  patch: 'Patch',
  verification: 'Verification',
  findings: 'Findings',
  reviews: 'Decisions',
  application: 'Application',
  'follow-ups': 'Later executions',
}
/** These are elsewhere on the page, and at full length in the export. */
const ELSEWHERE = new Set(['explanation', 'outputTail'])
const TEXT_CHARS = 400

/** Every link from the failure to what became of the fix, in order; what nobody said is unknown. The same as one file. */
export function Provenance({ fix }: { fix: FixDetail }) {
  const [chosen, setChosen] = useState<boolean | null>(null)
  // The first decision opens it.
  const open = chosen ?? fix.reviews.length > 0
  const provenance = useQuery({ ...fixQueries.provenance(fix), enabled: open })
  return (
    <section aria-labelledby="provenance" className="min-w-0 rounded border border-line bg-surface p-3">
      <details
        open={open}
        onToggle={(event) => setChosen(event.currentTarget.open === open ? chosen : event.currentTarget.open)}
      >
        <summary>
          <h2 id="provenance" className="inline font-semibold">
            Provenance
          </h2>
        </summary>
        <p className="mt-2 text-sm text-ink-2">
          Each step with its source.{' '}
          <a href={links.fixProvenance(fix.id)} download className="link inline-flex items-center gap-1">
            <Download size={14} aria-hidden /> Download as one file
          </a>
          , with raw records and digests.
        </p>
        {provenance.isError && (
          <ProblemNotice
            compact
            problem={asProblem(provenance.error)}
            onRetry={() => void provenance.refetch()}
          />
        )}
        {provenance.isPending && open && <p className="text-ink-2">Loading…</p>}
        {/* It is long, and the diff is below it. */}
        {provenance.data && (
          <div
            tabIndex={0}
            role="group"
            aria-label="Steps from the failure to the fix and its outcome"
            className="max-h-96 overflow-y-auto"
          >
            <ProvenanceLinks steps={provenance.data.links} />
          </div>
        )}
      </details>
    </section>
  )
}

export const ProvenanceLinks = ({ steps }: { steps: FixProvenance['links'] }) => (
  <dl className="mt-2 grid grid-cols-[8.5rem_minmax(0,1fr)] gap-x-3 gap-y-1.5">
    {steps.map(({ link, facts }) => (
      <div key={link} className="contents">
        <dt className="text-ink-2">{TITLES[link]}</dt>
        <dd className="min-w-0 wrap-anywhere">
          <ul className="space-y-0.5">
            {(link === 'findings' ? counted(facts) : facts)
              .filter(({ name }) => !ELSEWHERE.has(name))
              .map((fact, index) => (
                <Fact key={index} link={link} fact={fact} />
              ))}
          </ul>
        </dd>
      </div>
    ))}
  </dl>
)

function Fact({
  link,
  fact: { name, value, sha256, origin },
}: {
  link: ProvenanceLink['link']
  fact: ProvenanceFact
}) {
  return (
    <li>
      <span className="text-ink-2">
        <VisibleText text={name} />
      </span>{' '}
      {origin === 'unknown' ? (
        <span className="text-ink-2 italic">unknown</span>
      ) : (
        <>
          {value !== null && <Value link={link} name={name} value={value} />}{' '}
          {sha256 !== null && (
            <code className="font-mono text-sm" title="SHA-256">
              {sha256}
            </code>
          )}{' '}
          <span className="text-sm text-ink-2">({origin})</span>
        </>
      )}
    </li>
  )
}

function Value({
  link,
  name,
  value,
}: {
  link: ProvenanceLink['link']
  name: string
  value: ProvenanceValue
}) {
  if (link === 'execution' && name === 'id' && typeof value === 'string')
    return (
      <Link href={links.execution(value)} className="link">
        {value}
      </Link>
    )
  if (link === 'follow-ups' && isNamed(value) && typeof value.execution === 'string')
    return (
      <>
        <Link href={links.execution(value.execution)} className="link">
          <VisibleText text={wordsOf(value.outcome ?? null)} />
        </Link>{' '}
        <VisibleText
          text={wordsOf({ startedAt: value.startedAt ?? null, linkedBy: value.linkedBy ?? null })}
        />
      </>
    )
  return (
    <span className="whitespace-pre-wrap">
      <VisibleText text={cutAtWord(wordsOf(value), TEXT_CHARS)} />
    </span>
  )
}

const isNamed = (value: ProvenanceValue): value is { readonly [name: string]: ProvenanceValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value as a line of words; what is null in it is unknown. */
function wordsOf(value: ProvenanceValue): string {
  if (value === null) return 'unknown'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (isNamed(value))
    return Object.entries(value)
      .filter(
        ([name, one]) => !ELSEWHERE.has(name) && one !== '' && !(Array.isArray(one) && one.length === 0),
      )
      .map(([name, one]) => `${name} ${wordsOf(one)}`)
      .join(', ')
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(wordsOf).join(' ')
  return String(value)
}

/** Findings of one code as one line. */
function counted(facts: readonly ProvenanceFact[]): ProvenanceFact[] {
  const byName = new Map<string, { first: ProvenanceFact; count: number }>()
  for (const fact of facts) {
    const known = byName.get(fact.name)
    if (known) known.count++
    else byName.set(fact.name, { first: fact, count: 1 })
  }
  return [...byName.values()].map(({ first, count }) => {
    const weight = isNamed(first.value) ? first.value.weight : undefined
    return weight === undefined
      ? first
      : { ...first, value: `${wordsOf(weight)}${count === 1 ? '' : `, ${formatCount(count)} times`}` }
  })
}
