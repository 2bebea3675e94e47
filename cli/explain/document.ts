import type { StepConclusion } from '@/lib/model/step-conclusion'
import type { ExplainedCall, Explanation } from '@/lib/views/executions/explanation'
import type { ExplainedFile } from './explained'

/** What programs get (`--json`). Members are only added; docs/explain.md describes them. */
export const explainDocument = (
  files: readonly ExplainedFile[],
  { conclusion, status }: { conclusion: StepConclusion | null; status: number },
): object => ({
  version: 1,
  conclusion,
  needsAttention: files.some(({ needsAttention }) => needsAttention),
  exit: status,
  files: files.map(fileDocument),
})

const fileDocument = (file: ExplainedFile): object => ({
  file: file.file,
  status: file.status,
  kind: file.kind,
  because: file.because,
  step: file.step,
  needsAttention: file.needsAttention,
  records: file.records,
  oddRecords: file.odd.total,
  torn: file.torn,
  executions: file.executions.map(executionDocument),
})

const executionDocument = (one: Explanation): object => ({
  id: one.key,
  parent: one.parent,
  title: one.title,
  outcome: one.outcome,
  outcomeRule: one.outcomeRule,
  outcomeBasis: one.outcomeBasis,
  outcomeBecause: one.outcomeBecause,
  needsAttention: one.needsAttention,
  attention: { needed: one.attention.needed, rule: one.attention.rule, text: one.attention.text },
  headline: one.headline,
  cause: one.cause && {
    headline: one.cause.headline,
    text: one.cause.text,
    rule: one.cause.rule,
    category: one.cause.category,
  },
  step: one.step,
  retry: one.retry,
  next: one.next,
  output: one.output?.streams ?? null,
  failingCalls: one.calls.map(callDocument),
  otherFailures: one.others,
  otherFailuresLeftOut: one.othersLeftOut,
  counts: {
    records: one.counts.records,
    calls: one.counts.calls,
    failedCalls: one.counts.failedCalls,
    callsWithoutResult: one.counts.callsWithoutResult,
  },
  startedAt: one.startedAt,
  endedAt: one.endedAt,
  costUsd: one.costUsd,
})

const callDocument = (call: ExplainedCall): object => ({
  number: call.number,
  tool: call.tool,
  target: call.target,
  failure: call.failure,
  exitCode: call.exitCode,
  output: call.output,
  outputCut: call.outputCut,
  afterwards: call.read?.ended ?? null,
  verdict: call.read?.verdict ?? call.identicalRetry?.verdict ?? null,
  verdictBecause: call.identicalRetry?.because ?? null,
  next: call.read?.next ?? null,
})
