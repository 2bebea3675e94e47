import type { StepEndMessage, StepEndMessages } from '../../model/messages/step-end'
import type { Call, ExecutionSummary } from '../../model/summary'
import type { Advice, RetryAnswer } from '../../model/execution'
import type { Verdict } from '../../judge/rule-table'
import { cutAtWord, oneLine } from '../../text/visible'
import { storedAttention } from '../../words/attention'
import { basisWords } from '../../words/basis'
import { textOf } from '../../words/catalogue'
import { categoryWords } from '../../words/categories'
import { causeHeadline } from '../../words/cause-headline'
import { failureWords } from '../../words/failures'
import { callRetryWords } from '../../words/call-retry'
import { attentionLabel, callVerdict } from '../../words/first-screen'
import { noCauseWords } from '../../words/no-cause'
import { OUTCOME_NAMES } from '../../words/outcome-names'
import { storedAdvice } from '../../words/retry'
import { STEP_END_WORDS, STEP_RETRY_BECAUSE, stepNextWords, stepReasonWords } from '../../words/step-end'
import { identicalRetryWords, verdictWords } from '../../words/verdicts'
import { capital } from '../../words/phrases'
import type { CallRetryReason } from '../../model/messages/call-retry'
import { firstAndLast } from '../calls/ends'
import { linesBelow } from './cause-lines'
import { placeFailures, type ReadOfCall } from './failing-calls'
import type { RunOutput } from '../../model/run-output'
import { outputLines, type OutputLines } from './output-lines'
import { readRunOutput } from './run-output'

/** What the end of a step adds, in words. */
export interface StepEnd {
  rule: string
  params: unknown
  needed: boolean
  /** Empty where the execution says it itself. */
  text: string
  reasons: string[]
  next: string | null
}

export interface ExplainedCall {
  heading: string
  /** From 1, in the order of the execution. */
  number: number
  tool: string
  target: string | null
  failure: string
  exitCode: number | null
  output: OutputLines | null
  /** The output is not whole: its middle is left out. */
  outputCut: boolean
  read: ReadOfCall | undefined
  /** Whether the identical call would succeed, and why. */
  identicalRetry: { verdict: string; because: string } | null
}

interface OtherFailure {
  what: string
  ended: string
  verdict: string
  next: string
}

/** The first look at an execution as text: what failed, what became of it, whether a retry would help, what to do. */
export interface Explanation {
  key: string
  parent: string | null
  title: string | null
  outcome: string
  outcomeName: string
  outcomeRule: string
  outcomeBasis: string
  outcomeBecause: string
  /** What the end of its step says, or else the execution itself. */
  needsAttention: boolean
  attention: { needed: boolean; label: string; rule: string; text: string }
  /** What leads: the end of the step where it says more than the file, else the cause, else that there is none. */
  headline: string
  /** Lines below it. */
  below: string[]
  cause: { headline: string; text: string; rule: string; category: string; categoryName: string } | null
  step: StepEnd | null
  retry: { answer: RetryAnswer; verdict: string; because: string } | null
  next: string | null
  /** The end of what its recorded process wrote, where it did not succeed. */
  output: RunOutput | null
  calls: ExplainedCall[]
  others: OtherFailure[]
  othersLeftOut: number
  counts: ExecutionSummary['counts']
  startedAt: string | null
  endedAt: string | null
  costUsd: number | null
}

/** What the end of a step says before all else: the verdict on the execution does not hold it. */
const LEADS: ReadonlySet<string> = new Set(['no_result', 'cancelled_after_success'])

/** Lines of output that are shown of a failed call. */
const OUTPUT_LINES_MAX = 8
/** Lines of each stream of a recorded process. */
const PROCESS_LINES_MAX = 10
const TARGET_CHARS_MAX = 240

/** @returns the end of a step in words */
export function stepEndWords(found: Verdict<boolean, StepEndMessages>): StepEnd {
  const message = { id: found.rule, params: found.params } as StepEndMessage
  return {
    rule: found.rule,
    params: found.params,
    needed: found.verdict,
    text: textOf(STEP_END_WORDS, message),
    reasons: found.params.reasons.map(stepReasonWords),
    next: stepNextWords(message),
  }
}

/**
 * Explains an execution in the words of its page.
 *
 * @param onlyReceipts nothing else tells of it
 */
export function explainExecution(
  { key, summary }: { key: string; summary: ExecutionSummary },
  stepEnd: Verdict<boolean, StepEndMessages> | null,
  onlyReceipts = false,
): Explanation {
  const { cause, counts, outcome } = summary
  const step = stepEnd && stepEndWords(stepEnd)
  const advice = summary.advice && storedAdvice(summary.advice)
  const attention = storedAttention(summary.attention)
  const main = mainCallOf(summary)
  const failing = firstAndLast(
    summary.calls
      .filter(({ state }) => state === 'failed')
      .map((call) => ({ ...call, isMain: call.ordinal + 1 === main })),
  )
  const leads = step !== null && LEADS.has(step.rule)
  const retry = retryOf(advice, step)
  const next = (leads ? step.next : null) ?? advice?.next ?? null
  // What the lead is about is not said again below a call.
  const lead = advice && retry && next !== null ? { ...advice, retry: retry.answer, next } : advice
  const { shown, others } = placeFailures(lead, failing, counts.failedCalls)
  const own = cause && { headline: causeHeadline(cause.message), text: cause.text }
  const nothing = noCauseWords({ outcome, counts, receipts: onlyReceipts ? counts.records : 0 })
  const ofRun = own ? [own.headline, ...linesBelow(own)] : [nothing]
  const [headline, ...below] = leads
    ? [step.text, ...(own ? ofRun : [])]
    : [...ofRun, ...(step && step.text !== '' ? [step.text] : [])]
  return {
    key,
    parent: summary.parent?.key ?? null,
    title: summary.title,
    outcome,
    outcomeName: OUTCOME_NAMES[outcome],
    outcomeRule: summary.outcomeRule,
    outcomeBasis: summary.outcomeBasis,
    outcomeBecause: outcomeWords(summary),
    needsAttention: attention.needed || (step?.needed ?? false),
    attention: { ...attention, label: attentionLabel(attention.needed, outcome, summary.advice?.next.id) },
    headline: headline!,
    below,
    cause: own &&
      cause && {
        ...own,
        rule: cause.message.id,
        category: cause.category,
        categoryName: categoryWords(cause.category),
      },
    step,
    retry,
    next,
    output: outcome === 'succeeded' ? null : outputOf(summary),
    calls: shown.map(({ call, heading, read }) => explainCall(call, heading, read)),
    others: others.map((one) => ({
      what: one.what,
      ended: one.ended,
      verdict: callVerdict(one),
      next: one.next,
    })),
    othersLeftOut: advice?.failuresLeftOut ?? 0,
    counts,
    startedAt: summary.startedAt,
    endedAt: summary.endedAt,
    costUsd: summary.usage.costUsd,
  }
}

/** A process that died for a reason that its file does not hold may die again, whatever had failed in it before. */
function retryOf(advice: Advice | null, step: StepEnd | null): Explanation['retry'] {
  if (step?.rule === 'no_result')
    return { answer: 'unknown', verdict: verdictWords({ retry: 'unknown' }), because: STEP_RETRY_BECAUSE }
  return advice && { answer: advice.retry, verdict: verdictWords(advice), because: advice.retryBecause }
}

function outputOf({ evidence: { runs } }: ExecutionSummary): RunOutput | null {
  const run = runs.at(-1)?.fact
  return run === undefined ? null : readRunOutput(run, null, null, PROCESS_LINES_MAX)
}

/** Number of the call that the cause is about. */
function mainCallOf({ cause }: ExecutionSummary): number | null {
  const params = cause?.message.params as { call?: { number?: number } | null } | undefined
  return params?.call?.number ?? null
}

/** What the verdict on the end rests on; where the cause says it already it is not said twice. */
function outcomeWords({ outcomeBasis, outcomeBecause, cause }: ExecutionSummary): string {
  const basis = basisWords(outcomeBasis)
  return cause?.text.includes(outcomeBecause.replace(/\.$/, '')) ? basis : `${basis}: ${outcomeBecause}`
}

function explainCall(call: Call, heading: string, read: ReadOfCall | undefined): ExplainedCall {
  const text = call.errorText ?? ''
  return {
    heading,
    number: call.ordinal + 1,
    tool: call.tool,
    target: call.target === null ? null : cutAtWord(oneLine(call.target), TARGET_CHARS_MAX),
    failure: failureWords(call),
    exitCode: call.exitCode,
    output: text.trim() === '' ? null : outputLines(text, OUTPUT_LINES_MAX),
    outputCut: call.errorTextCut,
    read,
    identicalRetry: call.retry && {
      verdict: identicalRetryWords(call.retry.verdict),
      because: `${capital(callRetryWords({ id: call.retry.rule, params: call.retry.params } as CallRetryReason))}.`,
    },
  }
}
