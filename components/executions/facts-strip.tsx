import Link from 'next/link'
import type { ExecutionDetail } from '@/lib/api/schemas'
import { classWords } from '@/lib/words/failures'
import { links } from '@/lib/links'
import { formatCost, formatCount, plural } from '../shared/format'
import { OutcomeGlyph } from '../shared/glyphs'
import { Elapsed, ExactTime } from '../shared/time'
import { VisibleText } from '../shared/visible-text'
import { CiMemberships } from './ci-membership'
import { countsSentence } from '../execution-data/words'

const SHOWN_LABELS = ['repository', 'branch', 'model', 'version', 'cwd']
const LABEL_WORDS: Record<string, string> = {
  cwd: 'Folder',
  version: 'Agent version',
  serversNotConnected: 'MCP servers not connected',
}
const labelWord = (name: string, source: string): string =>
  name === 'version' && source === 'noetl'
    ? 'Playbook version'
    : (LABEL_WORDS[name] ?? name[0]!.toUpperCase() + name.slice(1))

/** The run in numbers and names; counts as a sentence first. */
export function FactsStrip({ execution }: { execution: ExecutionDetail }) {
  const { counts, labels, usage, children } = execution
  const named = [
    ...SHOWN_LABELS.filter((name) => labels[name]),
    ...Object.keys(labels)
      .filter((name) => !SHOWN_LABELS.includes(name))
      .sort(),
  ]
  const cancelled = children.filter((child) => child.outcome === 'cancelled').length
  const tokens = usage.inputTokens + usage.cacheReadInputTokens + usage.cacheCreationInputTokens
  return (
    <section data-late aria-label="Facts" className="rounded border border-line bg-surface px-4 py-3">
      <p className="font-medium">{countsSentence(counts)}</p>
      {Object.keys(counts.failedByClass).length > 0 && (
        <p className="mt-0.5 text-ink-2">
          {Object.entries(counts.failedByClass)
            .sort(([, a = 0], [, b = 0]) => b - a)
            .map(([name, n]) => `${classWords(name)} ${formatCount(n ?? 0)}`)
            .join(' · ')}
        </p>
      )}
      <dl className="mt-3 grid grid-cols-2 gap-x-6 gap-y-2.5 sm:grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] [&_dt]:text-sm [&_dt]:text-ink-3">
        <Fact term="Started">
          <ExactTime at={execution.startedAt} />
        </Fact>
        {execution.outcome === 'running' && (
          <Fact term="Last event">
            <ExactTime at={execution.endedAt} />
          </Fact>
        )}
        <Fact term={execution.outcome === 'running' ? 'Elapsed' : 'Duration'}>
          <Elapsed from={execution.startedAt} to={execution.endedAt} />
        </Fact>
        {named.map((name) => (
          <Fact key={name} term={labelWord(name, execution.source.kind)} title={labels[name]}>
            <VisibleText text={labels[name]!} />
          </Fact>
        ))}
        <Fact term="Source">
          <VisibleText text={`${execution.source.kind} · ${execution.source.name}`} />
        </Fact>
        <Fact term="Records">{formatCount(counts.records)}</Fact>
        {(usage.messages > 0 || tokens > 0) && (
          <Fact term="Tokens" title={tokenWords(usage)}>
            {formatCount(tokens)} in, {formatCount(usage.outputTokens)} out
          </Fact>
        )}
        {usage.costUsd !== null && <Fact term="Cost">{formatCost(usage.costUsd)}</Fact>}
      </dl>
      <CiMemberships runs={execution.ciRuns} />
      {children.length > 0 && (
        <details className="mt-3 border-t border-line pt-2" open={children.length <= 6}>
          <summary className="text-sm text-ink-2">
            {plural(children.length, 'sub-agent')},{' '}
            {formatCount(children.filter((child) => child.outcome === 'failed').length)} failed
            {cancelled > 0 && `, ${formatCount(cancelled)} cancelled`}
          </summary>
          <ul className="mt-1 grid gap-x-6 md:grid-cols-2">
            {children.map((child) => (
              <li key={child.id} className="flex h-7 min-w-0 items-center gap-2">
                <OutcomeGlyph outcome={child.outcome} label size={14} />
                <Link href={links.execution(child.id)} prefetch={false} className="link truncate">
                  <VisibleText text={child.title ?? child.externalId} />
                </Link>
                {child.failedCalls > 0 && (
                  <span className="ml-auto shrink-0 text-sm text-ink-3">
                    {plural(child.failedCalls, 'failed call')}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

const Fact = ({ term, title, children }: { term: string; title?: string; children: React.ReactNode }) => (
  <div className="min-w-0">
    <dt>{term}</dt>
    <dd className="wrap-anywhere" title={title}>
      {children}
    </dd>
  </div>
)

const tokenWords = (usage: ExecutionDetail['usage']): string =>
  [
    `${formatCount(usage.inputTokens)} input`,
    `${formatCount(usage.cacheReadInputTokens)} read from cache`,
    `${formatCount(usage.cacheCreationInputTokens)} written to cache`,
    `${formatCount(usage.outputTokens)} output${usage.messages > 0 ? `, in ${plural(usage.messages, 'message')}` : ''}`,
  ].join(', ')
