import Link from 'next/link'
import type { FixDetail } from '@/lib/api/fix-schemas'
import { links } from '@/lib/links'
import { formatBytes, formatDuration } from '../shared/format'
import { ExactTime } from '../shared/time'
import { VisibleText } from '../shared/visible-text'
import { fixStateWord, originWord, verdictWord } from './words'

const Unknown = () => <span className="text-ink-2 italic">unknown</span>
const Said = ({ value }: { value: string | null }) => (value === null ? <Unknown /> : <VisibleText text={value} />)
const Digest = ({ value }: { value: string | null }) => (value === null ? <Unknown /> : <code className="font-mono text-sm wrap-anywhere">{value}</code>)
const known = (parts: (string | null | false)[]): string | null => parts.filter((part) => typeof part === 'string').join(', ') || null

/** Every link from the failure to the decision, in order; what nobody said is unknown. */
export function Provenance({ fix }: { fix: FixDetail }) {
  const { base, agentDetail: agent, facts } = fix
  const steps: [string, React.ReactNode][] = [
    ['Execution', <Link key="e" href={links.execution(fix.executionId)} className="link wrap-anywhere"><VisibleText text={fix.executionTitle ?? fix.executionId} /></Link>],
    ['Task', <Said key="t" value={fix.task || null} />],
    ['Context pack', <Digest key="c" value={fix.contextPackSha256} />],
    ['Repository', <Said key="r" value={known([base.repository, base.branch, base.subDir && `in ${base.subDir}`])} />],
    ['Base commit', <Digest key="b" value={base.commit} />],
    ['Base tree', <><Digest key="bt" value={base.tree} />{', '}{base.dirty === null ? <>dirty: <Unknown /></> : base.dirty ? <>with changes of its own {base.dirtyDigest !== null && <Digest value={base.dirtyDigest} />}</> : 'clean'}</>],
    ['Mode', <>{<Said value={fix.mode} />}{fix.mode !== null && <>, enabled by <Said value={fix.enabledBy} /></>}</>],
    ['Agent', <Said key="a" value={known([agent.name, agent.version, agent.profile && `profile ${agent.profile}`, agent.model && `model ${agent.model}`])} />],
    ['Prompt', <Digest key="p" value={agent.promptSha256} />],
    ['Policy', <Digest key="po" value={agent.policySha256} />],
    ['Commands granted', <Said key="g" value={agent.grantedCommands === null ? null : agent.grantedCommands.length === 0 ? 'none' : agent.grantedCommands.join('; ')} />],
    ['Workspace', <Said key="w" value={agent.workspace} />],
    ['Transcript', fix.transcript === null ? <Unknown key="tr" /> : <><Digest key="tr" value={fix.transcript.sha256} />, {formatBytes(fix.transcript.size)}</>],
    ['Patch', <><Digest key="pa" value={fix.sha256} />, {formatBytes(fix.size)}, from {originWord(fix.origin)}{fix.fileName !== null && <> <code className="font-mono wrap-anywhere"><VisibleText text={fix.fileName} /></code></>}; line endings {facts.lineEndings}{!facts.validUtf8 && ', not UTF-8'}{!facts.endsWithNewline && ', no line feed at its end'}{facts.byteOrderMark && ', begins with a byte order mark'}</>],
    ['Verification', `${verdictWord(fix.verdict)}, by the proposer`],
    ['Findings', `${fix.reading.blocking.length} blocking, ${fix.reading.warnings.length} warnings, ${fix.reading.signals.length} signals; rules ${fix.reading.rules}`],
    ...fix.reviews.map((review): [string, React.ReactNode] => [
      fixStateWord(review.to),
      <span key={review.id}>
        {review.to === 'applied' ? 'reported by ' : 'by '}<VisibleText text={review.by} />, <ExactTime at={review.at} />
        {review.applied !== null && <>; {review.applied.how}{review.applied.commit !== null && <> in <code className="font-mono">{review.applied.commit}</code></>}{review.applied.exact !== null && (review.applied.exact ? ', exactly these bytes' : ', with edits')}</>}
        {review.acknowledged.length > 0 && <>; looked at {review.acknowledged.join(', ')}</>}
        {review.comment !== '' && <span className="block whitespace-pre-wrap wrap-anywhere"><VisibleText text={review.comment} /></span>}
      </span>,
    ]),
  ]
  return (
    <section aria-labelledby="provenance" className="min-w-0 rounded border border-line bg-surface p-3">
      <details open={fix.reviews.length > 0}>
        <summary><h2 id="provenance" className="inline font-semibold">Where it comes from</h2></summary>
        <dl className="mt-2 grid grid-cols-[8.5rem_minmax(0,1fr)] gap-x-3 gap-y-1">
          {steps.map(([name, value], index) => (
            <div key={index} className="contents">
              <dt className="text-ink-2">{name}</dt>
              <dd className="min-w-0 wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  )
}

/** What the proposer was allowed, and what it took; a budget that nobody stated is missing, not unlimited. */
export function Budget({ fix: { budget } }: { fix: FixDetail }) {
  const { attempts, wallClockMs, endedBy } = budget
  const part = (name: string, { limit, used }: typeof attempts, write: (n: number) => string) => {
    const over = limit !== null && used !== null && used > limit
    return (
      <li className="flex flex-wrap gap-x-2">
        <span className="text-ink-2">{name}</span>{' '}
        <span className={over ? 'font-medium text-bad' : undefined}>{used === null ? 'use unknown' : write(used)}</span>{' '}
        <span>{limit === null ? <span className="text-warn">limit missing</span> : `of ${write(limit)}`}</span>{' '}
        {over && <span className="font-medium text-bad">above its limit</span>}
      </li>
    )
  }
  return (
    <section aria-labelledby="budget" className="rounded border border-line bg-surface p-3">
      <h2 id="budget" className="font-semibold">Budget</h2>
      <ul className="mt-1 space-y-0.5">
        {part('Attempts', attempts, String)}
        {part('Wall clock', wallClockMs, formatDuration)}
        <li className="flex gap-x-2"><span className="text-ink-2">Ended by</span> <Said value={endedBy} /></li>
      </ul>
    </section>
  )
}
