import { CircleCheck, CircleHelp, OctagonX, TriangleAlert } from 'lucide-react'
import { shellWord } from '@/lib/views/fixes/apply-commands'
import { formatDuration, shortDigest } from '../shared/format'
import { CopyButton } from '../shared/copy-button'
import { VisibleText } from '../shared/visible-text'
import { verdictSentence, verdictWord } from './words'
import type { FixDetail, FixVerification } from '@/lib/model/fix'

const LOOKS: Record<string, { icon: typeof CircleCheck; tone: string }> = {
  'reproduced-and-fixed': { icon: CircleCheck, tone: 'text-good' },
  'fixed-not-reproduced': { icon: TriangleAlert, tone: 'text-warn' },
  'still-failing': { icon: OctagonX, tone: 'text-bad' },
}

/** What the evidence comes to: shape, word and colour. */
export function VerdictMark({ verdict }: { verdict: string }) {
  const { icon: Icon, tone } = (Object.hasOwn(LOOKS, verdict) ? LOOKS[verdict] : undefined) ?? {
    icon: CircleHelp,
    tone: 'text-none',
  }
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <Icon size={16} aria-hidden className={`shrink-0 ${tone}`} /> {verdictWord(verdict)}
    </span>
  )
}

/** What the proposer ran and saw. It is never more than its own word. */
export function Evidence({ fix }: { fix: FixDetail }) {
  return (
    <section
      aria-labelledby="evidence"
      className="min-w-0 space-y-2 rounded border border-line bg-surface p-3"
    >
      <h2 id="evidence" className="flex flex-wrap items-center gap-x-3 font-semibold">
        Evidence{' '}
        <span className="inline-flex font-medium">
          <VerdictMark verdict={fix.verdict} />
        </span>{' '}
        <span className="font-normal text-ink-2">
          {fix.verdict === 'not-run' ? 'not verified by the proposer' : 'verified by the proposer only'}
        </span>
      </h2>
      <p>{verdictSentence(fix.verdict)}</p>
      {fix.verification.length > 0 && (
        <ol className="divide-y divide-line">
          {fix.verification.map((run, index) => (
            <Run key={index} run={run} />
          ))}
        </ol>
      )}
    </section>
  )
}

const PHASES: Record<string, string> = {
  'reproduce-before': 'without the patch',
  'after-patch': 'with the patch',
}

function Run({ run }: { run: FixVerification }) {
  const command = run.argv.map(shellWord).join(' ')
  return (
    <li className="py-1.5">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="text-ink-2">
          <VisibleText text={PHASES[run.phase] ?? run.phase} />
        </span>{' '}
        <code className="min-w-0 font-mono text-sm wrap-anywhere">
          <VisibleText text={command} />
        </code>
        <CopyButton text={command} label="Copy the command" />{' '}
        <span className="font-medium">
          {run.exitCode === null ? 'exit status unknown' : `exit ${run.exitCode}`}
        </span>{' '}
        {run.durationMs !== null && <span className="text-ink-2">{formatDuration(run.durationMs)}</span>}
        {run.workspaceId != null && (
          <span className="min-w-0 text-sm text-ink-2 wrap-anywhere">
            in <VisibleText text={run.workspaceId} />
          </span>
        )}
        {run.outputSha256 !== null && (
          <span className="text-sm text-ink-2" title={run.outputSha256}>
            output {shortDigest(run.outputSha256)}
          </span>
        )}
      </p>
      {run.outputTail !== null && run.outputTail !== '' && (
        <details>
          <summary className="text-sm text-ink-2">End of the output</summary>
          <pre
            role="group"
            tabIndex={0}
            aria-label="End of the output"
            className="mt-1 max-h-72 overflow-auto rounded-sm bg-sunken p-2 font-mono text-sm whitespace-pre-wrap wrap-anywhere"
          >
            <VisibleText text={run.outputTail} />
          </pre>
        </details>
      )}
    </li>
  )
}
