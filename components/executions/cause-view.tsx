import { ArrowRight, FileSearch } from 'lucide-react'
import dynamic from 'next/dynamic'
import Link from 'next/link'
import type { CallItem, ExecutionDetail } from '@/lib/api/schemas'
import { categoryWords } from '@/lib/words/categories'
import type { FailureRead } from '@/lib/model/execution'
import { verdictWords } from '@/lib/words/verdicts'
import { attentionLabel, callVerdict, FIRST_SCREEN, leftOutWords } from '@/lib/words/first-screen'
import { placeFailures } from '@/lib/views/executions/failing-calls'
import { links } from '@/lib/links'
import { DecisionLine } from '../decision/decision-line'
import { SignalHints } from '../decision/signal-hints'
import { NO_TRACE, SilenceLine } from '../receipts/silence-list'
import { cn } from '../shared/ui/cn'
import { outcomeTint, outcomeWord } from '../shared/glyphs'
import { Chip } from '../shared/ui/chip'
import { VisibleText } from '../shared/visible-text'
import { CorrectionLine, NotTheCause } from './cause-correction'
import { CauseText } from './cause-text'
import { FactsStrip } from './facts-strip'
import { FailingCall } from './failing-call'
import { OutputBlock } from './output-block'
import { noCauseWords } from '@/lib/words/no-cause'
import { basisWords } from '@/lib/words/basis'
import type { FixItem } from '@/lib/model/fix'

// What it reads with is no part of the first paint.
const FixLine = dynamic(() => import('../fixes/fix-line').then((m) => m.FixLine))
const DiagnosisLine = dynamic(() => import('../diagnosis/diagnosis-line').then((m) => m.DiagnosisLine), {
  loading: () => (
    <div role="group" aria-busy="true" aria-label="Reading the diagnosis" className="skeleton h-11" />
  ),
})

const PipelineView = dynamic(() => import('./pipeline-view').then((m) => m.PipelineView), {
  loading: () => (
    <div role="group" aria-busy="true" aria-label="Reading the tasks" className="skeleton h-40" />
  ),
})

interface Props {
  execution: ExecutionDetail
  fixes: readonly FixItem[] | null
  failing: CallItem[]
  /** The reader may say that the cause is another one. */
  mayCorrect?: boolean
  decisionOpen: boolean
  onDecision: (open: boolean) => void
}

/**
 * The first screen: what broke, whether a retry would help, what to do; below, where it began and where it ended.
 * What is `data-late` comes one frame after the sentence (server/first-paint.ts).
 */
export function CauseView({
  execution,
  fixes,
  failing,
  mayCorrect = false,
  decisionOpen,
  onDecision,
}: Props) {
  const { cause, correction } = execution
  const agentRun =
    execution.outcomeRule === 'agent_failed_inside'
      ? execution.agentRuns.find(({ callState }) => callState === 'failed')
      : undefined
  const contradicted = execution.agentRuns.filter(({ callState }) => callState === 'succeeded')
  // The rows of this run say that its agent failed; why, and what helps, the agent's own run says.
  const advice = agentRun?.advice ?? execution.advice
  const { shown, others } = placeFailures(execution.advice, failing, execution.counts.failedCalls)
  return (
    <div className="mx-auto max-w-[88rem] space-y-4 p-4 md:px-6 md:py-5">
      <section
        aria-label="Cause"
        className={cn(
          'rounded border border-line p-4 md:p-5',
          cause ? outcomeTint(execution.outcome) : 'bg-surface',
        )}
      >
        <h2 className="sr-only">Cause</h2>
        {cause ? (
          <CauseText headline={cause.headline} text={cause.text} />
        ) : (
          <p className="text-lg">{noCauseWords(execution)}</p>
        )}
        {agentRun && (
          <p className="mt-2 max-w-[100ch] whitespace-pre-wrap">
            In <AgentRunLink run={agentRun} />, the agent’s own run:{' '}
            <VisibleText
              text={
                agentRun.cause ??
                `no failure recorded; its outcome is ${outcomeWord(agentRun.outcome).toLowerCase()}.`
              }
            />
          </p>
        )}
        {contradicted.map((run) => (
          <p key={run.callId} className="mt-2">
            Step <VisibleText text={run.step} /> reports ok, but <AgentRunLink run={run} />, its agent’s own
            run, was <strong className="font-medium">{outcomeWord(run.outcome).toLowerCase()}</strong>
            {run.cause !== null && (
              <>
                : <VisibleText text={run.cause} />
              </>
            )}
          </p>
        ))}
        <p className="mt-2.5 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-ink-2">
          {cause && execution.attention && (
            <span title={`Rule: ${execution.attention.rule} (inferred)`}>
              <strong className="font-medium text-ink">
                {attentionLabel(execution.attention.needed, execution.outcome, execution.advice?.step?.id)}
              </strong>
              : <VisibleText text={execution.attention.text} />
            </span>
          )}
          {cause && <Chip>{categoryWords(cause.category)}</Chip>}
          <span title={`Rule: ${execution.outcomeRule}`}>
            {basisWords(execution.outcomeBasis)}
            {/* What the sentence above says already is not said twice. */}
            {!cause?.text.includes(execution.outcomeBecause.replace(/\.$/, '')) && (
              // On a telephone the answers come first: what was decided is in the decision below.
              <span className={cn(cause && execution.decision.basis !== 'inferred' && 'max-md:hidden')}>
                : <VisibleText text={execution.outcomeBecause} />
              </span>
            )}{' '}
            <code className="font-mono text-ink-3">{execution.outcomeRule}</code>
          </span>
          {cause?.pointer && (
            <Link
              href={links.bytes(execution.id, cause.pointer)}
              prefetch={false}
              className="link inline-flex items-center gap-1 font-medium"
            >
              <FileSearch size={14} aria-hidden /> View evidence
            </Link>
          )}
          {cause && mayCorrect && <NotTheCause execution={execution} />}
        </p>
        {correction !== null && (
          <CorrectionLine executionId={execution.id} correction={correction} mayUndo={mayCorrect} />
        )}
        <SignalHints executionId={execution.id} hints={otherHints(execution)} className="mt-2" />
        <SilenceLine executionId={execution.id} silence={execution.silence} className="mt-2" />
        {execution.receipts > 0 &&
          !cause &&
          execution.counts.failedCalls === 0 &&
          execution.outcome !== 'running' && <p className="mt-2 text-sm text-ink-2">{NO_TRACE}</p>}
      </section>

      {advice && (
        <div className="grid gap-4 md:grid-cols-2">
          <section aria-labelledby="retry" className="rounded border border-line bg-surface p-4">
            <h2 id="retry" className="text-sm font-medium text-ink-3">
              {FIRST_SCREEN.retry}
              {agentRun?.advice && ' From the agent’s own run'}
            </h2>
            <p className="mt-1 text-md font-medium">{verdictWords(advice)}</p>
            <p className="mt-0.5 text-ink-2">
              <VisibleText text={advice.retryBecause} />
            </p>
          </section>
          <section aria-labelledby="next" className="rounded border border-line bg-surface p-4">
            <h2 id="next" className="text-sm font-medium text-ink-3">
              {FIRST_SCREEN.next}
            </h2>
            <p className="mt-1 text-md">
              <VisibleText text={advice.next} />
            </p>
          </section>
        </div>
      )}

      {execution.output && <OutputBlock executionId={execution.id} output={execution.output} />}
      {execution.pipeline && (
        <PipelineView executionId={execution.id} pipeline={execution.pipeline} fixes={fixes} />
      )}
      {fixes !== null && fixes.length > 0 && <FixLine executionId={execution.id} fixes={fixes} />}
      {mayHaveDiagnosis(execution) && <DiagnosisLine execution={execution} />}
      {/* Behind the answers, which stay on the first screen when it is opened. */}
      <DecisionLine
        executionId={execution.id}
        decision={execution.decision}
        open={decisionOpen}
        onOpen={onDecision}
      />

      {shown.length > 0 && (
        <div data-late className={cn('grid gap-4', shown.length > 1 && 'lg:grid-cols-2')}>
          {shown.map(({ call, heading, read }) => (
            <FailingCall
              key={call.callId}
              executionId={execution.id}
              call={call}
              heading={heading}
              read={read}
              low={others.length > 0}
            />
          ))}
        </div>
      )}
      {others.length > 0 && (
        <OtherFailures failures={others} leftOut={execution.advice?.failuresLeftOut ?? 0} />
      )}
      <FactsStrip execution={execution} />
      {execution.counts.failedCalls > 2 && (
        <p>
          <Link href={links.execution(execution.id, 'calls')} className="link inline-flex items-center gap-1">
            View all {execution.counts.failedCalls} failed calls and retries{' '}
            <ArrowRight size={14} aria-hidden />
          </Link>
        </p>
      )}
    </div>
  )
}

const AgentRunLink = ({ run: { id, externalId } }: { run: ExecutionDetail['agentRuns'][number] }) => (
  <Link href={links.execution(id)} prefetch={false} className="link font-mono wrap-anywhere">
    <VisibleText text={externalId} />
  </Link>
)

/** There may be one of an agent that failed in this run, or of this run where it is that of an agent. */
const mayHaveDiagnosis = ({ failedAt, parentId, source, outcome }: ExecutionDetail): boolean =>
  failedAt === 'agent' || (source.kind === 'noetl' && parentId !== null && outcome === 'failed')

/** That the agent gave no reason is said by a cause that is its signal. */
const otherHints = ({ cause, signalHints }: ExecutionDetail) =>
  signalHints.filter(({ breach }) => breach !== 'no_reason' || cause?.category !== 'agent_signal')

/** What else failed, a line for each kind: what, what became of it, and its own answer to both questions. */
function OtherFailures({ failures, leftOut }: { failures: FailureRead[]; leftOut: number }) {
  return (
    <section aria-labelledby="others" className="rounded border border-line bg-surface px-4 py-3">
      <h2 id="others" className="text-sm font-medium text-ink-3">
        {FIRST_SCREEN.others}
      </h2>
      <ul className={cn('mt-1 grid gap-x-6 gap-y-2', failures.length > 1 && 'lg:grid-cols-2')}>
        {failures.map((failure, index) => (
          <li key={index}>
            <p>
              <VisibleText text={failure.what} />{' '}
              <span className="text-ink-2">
                · <VisibleText text={failure.ended} />
              </span>
            </p>
            <p className="text-sm text-ink-2" title={failure.retryBecause}>
              <span className="font-medium">{callVerdict(failure)}.</span> <VisibleText text={failure.next} />
            </p>
          </li>
        ))}
      </ul>
      {leftOut > 0 && <p className="mt-1.5 text-sm text-ink-3">{leftOutWords(leftOut)} in Calls.</p>}
    </section>
  )
}
