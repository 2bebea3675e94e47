import { ArrowLeft, Info } from 'lucide-react'
import Link from 'next/link'
import { type CiView, isRetriedByJob } from '@/lib/views/ci/ci-view'
import { ciRunWords, ciSentence, providerWords } from '@/lib/words/ci'
import { httpAddress } from '@/lib/formats/ci/http-address'
import { links } from '@/lib/links'
import type { Problem } from '@/lib/problem'
import { cn } from '../shared/ui/cn'
import { formatCount } from '../shared/format'
import { OutcomeGlyph } from '../shared/glyphs'
import { LeavingLink } from '../shared/leaving-link'
import { VisibleText } from '../shared/visible-text'
import type { CiExecution } from '@/lib/views/attempts/chain'
import type { CiAddress } from '@/lib/model/ci-run'

/** Which run this is, what became of it, and its attempts. */
export function CiRunHeader({
  address,
  view,
  opened,
  stale,
}: {
  address: CiAddress
  view: CiView
  opened: CiExecution | null
  stale: Problem | null
}) {
  const { provider } = address
  const first = opened ?? view.succeeded[0]
  const page = httpAddress(first?.runUrl ?? null)
  const name = ciRunWords({ ...address, attempt: view.attempt })
  return (
    <header className="border-b border-line px-4 pt-3 pb-2.5 md:px-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-2">
        <Link
          href={links.executions()}
          className="inline-flex items-center gap-1 rounded py-0.5 hover:text-ink"
        >
          <ArrowLeft size={14} aria-hidden /> Executions
        </Link>
        <span>
          CI run at <VisibleText text={providerWords(provider)} />
        </span>
        {first?.commit && (
          <span>
            commit{' '}
            <code className="font-mono" title={first.commit}>
              <VisibleText text={first.commit.slice(0, 10)} />
            </code>
          </span>
        )}
        {page !== null && (
          <LeavingLink href={page} className="ml-auto">
            Open at <VisibleText text={providerWords(provider)} />
          </LeavingLink>
        )}
      </div>
      <h1 id="title" className="mt-1 text-md font-semibold wrap-anywhere">
        <VisibleText text={name} />
      </h1>
      <p className="flex items-center gap-1.5">
        <OutcomeGlyph outcome={outcomeOf(view)} /> {ciSentence(view)}.
      </p>
      {address.unread !== null && (
        <Note>
          No attempt “<VisibleText text={address.unread} />
          ”. Showing {view.attempt === null ? 'the latest of the run' : `attempt ${view.attempt}, the latest`}
          .
        </Note>
      )}
      {stale && <Note>Could not refresh ({stale.title}). Data may be stale.</Note>}
      <Attempts address={address} view={view} />
    </header>
  )
}

const Note = ({ children }: { children: React.ReactNode }) => (
  <p className="mt-1 flex items-start gap-1.5 text-sm text-ink-2">
    <Info size={14} aria-hidden className="mt-0.5 shrink-0" /> <span className="min-w-0">{children}</span>
  </p>
)

function outcomeOf({ failed, open }: CiView): string {
  if (failed.length > 0) return 'failed'
  if (open.length === 0) return 'succeeded'
  return open.some(({ outcome }) => outcome === 'running') ? 'running' : 'unknown'
}

function Attempts({
  address: { provider, path, run },
  view: { attempt, attempts },
}: {
  address: CiAddress
  view: CiView
}) {
  if (attempts.length < 2) return null
  const address = (n: number | null): string => links.ciRun(provider, path, run, n, { view: 'list' })
  return (
    <nav aria-label="Attempts of this run" className="mt-2 flex flex-wrap gap-1.5">
      {isRetriedByJob(provider) && (
        <Attempt href={address(null)} shown={attempt === null}>
          Latest attempt of each job
        </Attempt>
      )}
      {attempts.map((one) => (
        <Attempt key={one.attempt} href={address(one.attempt)} shown={one.attempt === attempt}>
          Attempt {one.attempt}
          <span className="font-normal text-ink-2">
            {one.failed === 0 ? 'none failed' : `${formatCount(one.failed)} failed`} of{' '}
            {formatCount(one.executions)}
          </span>
        </Attempt>
      ))}
    </nav>
  )
}

const Attempt = ({ href, shown, children }: { href: string; shown: boolean; children: React.ReactNode }) => (
  <Link
    href={href}
    prefetch={false}
    aria-current={shown ? 'page' : undefined}
    className={cn(
      'inline-flex h-7 items-center gap-1.5 rounded border px-2.5 text-sm whitespace-nowrap',
      shown
        ? 'border-accent bg-selected font-medium text-ink'
        : 'border-line-strong bg-raised text-ink-2 hover:bg-hover hover:text-ink',
    )}
  >
    {children}
  </Link>
)
