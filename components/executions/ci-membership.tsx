import { Workflow } from 'lucide-react'
import Link from 'next/link'
import type { CiMembership } from '@/lib/api/schemas'
import { ciRunWords, providerWords } from '@/lib/words/ci'
import { httpAddress } from '@/lib/formats/ci/http-address'
import { links } from '@/lib/links'
import { LeavingLink } from '../shared/leaving-link'
import { VisibleText } from '../shared/visible-text'

/** The page of the run, as a list also where this execution is its only failure: from there one came. */
const runAddress = ({ provider, path, run, attempt }: CiMembership): string =>
  links.ciRun(provider, path, run, attempt, { view: 'list' })

/** The way back to the CI run, beside the way back to the list. */
export const CiRunLink = ({ run }: { run: CiMembership }) => (
  <Link
    href={runAddress(run)}
    prefetch={false}
    title={`The CI run ${ciRunWords(run)}`}
    className="inline-flex min-w-0 items-start gap-1 rounded py-0.5 hover:text-ink"
  >
    <Workflow size={14} aria-hidden className="mt-0.5 shrink-0" />
    <span className="max-md:wrap-anywhere md:truncate">
      <span className="sr-only">CI run </span>
      <VisibleText text={ciRunWords(run)} />
    </span>
  </Link>
)

/** Which CI run this execution was part of, a line for each; at the provider and here. */
export function CiMemberships({ runs }: { runs: CiMembership[] }) {
  if (runs.length === 0) return null
  return (
    <ul className="mt-3 space-y-1 border-t border-line pt-2">
      {runs.map((run) => {
        const page = httpAddress(run.url)
        return (
          <li
            key={`${run.provider} ${run.path} ${run.run}`}
            className="flex flex-wrap items-center gap-x-4 gap-y-1"
          >
            <span className="min-w-0 wrap-anywhere">
              <span className="text-ink-3">
                <VisibleText text={providerWords(run.provider)} />:
              </span>{' '}
              <VisibleText text={`${ciRunWords(run)}${run.job === null ? '' : `, job ${run.job}`}`} />
            </span>
            <Link href={runAddress(run)} prefetch={false} className="link">
              All failures of this run
            </Link>
            {page !== null && (
              <LeavingLink href={page}>
                Open at <VisibleText text={providerWords(run.provider)} />
              </LeavingLink>
            )}
          </li>
        )
      })}
    </ul>
  )
}
