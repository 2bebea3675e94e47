import { readFile } from 'node:fs/promises'
import { createAnalysis, type Analysis } from '@/lib/analysis/analyse'
import { applyDecision } from '@/lib/analysis/apply-decision'
import { decideExecution } from '@/lib/judge/decisions/decide-execution'
import { asEvent } from '@/lib/analysis/samples.support'
import type { Call, ExecutionSummary } from '@/lib/model/summary'
import type { Pointer } from '@/lib/model/execution'
import { adapterOf } from '@/lib/formats/adapters'
import { detectFormat } from '@/lib/formats/detect'
import { parsePart } from '@/lib/formats/parse-part'
import { peekPart } from '@/lib/formats/peek-part'
import type { Kind, Outcome, Recovered, Retry } from './labels'
import { kindOf, outcomeOf, recoveredOf, unchangedRetryOf } from './mapping'

/** A failed call as the product judges it. */
export interface CallAnswer {
  id: string
  failureClass: string | null
  kind: Kind
  recovered: Recovered
  /** Null: the product claims neither. */
  unchangedRetry: Retry | null
  /** The product's own words for the retry, to be read beside a disagreement. */
  retryWords: string
  isCommand: boolean
  /** Characters of the whole error text. */
  errorChars: number
}

/** What the product says of one session. */
export interface SessionAnswer {
  outcome: Outcome
  /** False: quiet, nothing needs attention. */
  raises: boolean
  /** The call that the cause points at; null when it points at something else, or at nothing. */
  causeCallId: string | null
  causeCategory: string | null
  /** Failed calls of all executions of the file, in the order in which they were made. */
  failed: readonly CallAnswer[]
}

const HEAD_BYTES = 65_536

/**
 * Reads a session's file as a server does, from the received bytes to the summary that is stored: format,
 * redaction, records, analysis, decision. The database is left out, which only keeps what this yields;
 * reading in parts gives the same (`lib/formats/samples.test.ts`). Pointers count the bytes that are kept,
 * which redaction may have moved.
 *
 * @returns null when the file is in no format that is taken in
 */
export async function answerOf(path: string, fileName: string): Promise<SessionAnswer | null> {
  const bytes = new Uint8Array(await readFile(path))
  const detected = detectFormat({ head: bytes.subarray(0, HEAD_BYTES), fileName })
  if (detected.status !== 'supported') return null
  const adapter = adapterOf(detected.kind)
  const { sessionId, agentId } = await peekPart(detected.kind, bytes, fileName)
  const context = adapter.start({ fileName, sessionId, agentId })
  const { records, kept } = await parsePart({ adapter, bytes, offset: 0, context, redact: true, final: true })
  const analyses = new Map<string, Analysis>()
  for (const record of records) {
    if (record.homeless) continue
    const analysis = analyses.get(record.executionKey) ?? createAnalysis(record.executionKey)
    analyses.set(record.executionKey, analysis)
    analysis.add(asEvent(record, fileName, adapter.door))
  }
  return answerOfSummaries([...analyses.values()].map(summaryOf), kept)
}

function summaryOf(analysis: Analysis): ExecutionSummary {
  const inferred = analysis.finish()
  return applyDecision(inferred, decideExecution(inferred, null))
}

/**
 * The answer of a file from the summaries of its executions. Outcome and cause are those of its first
 * execution that has no parent: other sessions that a file holds, and sub-agents, have first screens of
 * their own.
 */
function answerOfSummaries(summaries: readonly ExecutionSummary[], kept: Uint8Array): SessionAnswer {
  const own = summaries.find(({ parent }) => parent === null) ?? summaries[0]
  if (!own) return { outcome: 'open', raises: false, causeCallId: null, causeCategory: null, failed: [] }
  const failed = summaries.flatMap((summary) =>
    summary.calls
      .filter(({ state }) => state === 'failed')
      .map((call) => ({
        at: call.callPointer?.byteStart ?? 0,
        answer: answerOfCall(call, kept),
      })),
  )
  return {
    outcome: outcomeOf(own.outcome),
    raises: isRaised(own),
    causeCallId: own.attention.needed && own.cause?.pointer ? callAt(own.cause.pointer, own.calls) : null,
    causeCategory: own.cause?.category ?? null,
    failed: failed.sort((a, b) => a.at - b.at).map(({ answer }) => answer),
  }
}

const isRaised = ({ attention }: ExecutionSummary): boolean => attention.needed

function answerOfCall(call: Call, kept: Uint8Array): CallAnswer {
  return {
    id: call.callId,
    failureClass: call.failureClass,
    kind: kindOf(call.failureClass),
    recovered: recoveredOf(call.resolution),
    unchangedRetry: unchangedRetryOf(call.retry),
    retryWords: call.retry?.rule ?? 'none',
    isCommand: call.looseTarget !== null,
    errorChars: errorCharsOf(call, kept),
  }
}

/** Of a long text the summary holds head and tail only, so its length is that of the kept bytes. */
function errorCharsOf({ errorText, errorTextCut, resultPointer }: Call, kept: Uint8Array): number {
  if (!errorTextCut || resultPointer === null) return errorText?.length ?? 0
  const written = new TextDecoder().decode(kept.subarray(resultPointer.byteStart, resultPointer.byteEnd))
  const value: unknown = JSON.parse(written)
  return typeof value === 'string' ? value.length : written.length
}

/**
 * The call in whose result, or else in whose own record, a pointer lies; the narrowest where several hold
 * it.
 */
export function callAt(
  pointer: Pointer,
  calls: readonly Pick<Call, 'callId' | 'callPointer' | 'resultPointer'>[],
): string | null {
  const holding = (of: (call: (typeof calls)[number]) => Pointer | null): string | null => {
    let best: { id: string; bytes: number } | null = null
    for (const call of calls) {
      const range = of(call)
      if (range === null || range.received !== pointer.received) continue
      if (range.byteStart > pointer.byteStart || range.byteEnd < pointer.byteEnd) continue
      const bytes = range.byteEnd - range.byteStart
      if (best === null || bytes < best.bytes) best = { id: call.callId, bytes }
    }
    return best?.id ?? null
  }
  return holding((call) => call.resultPointer) ?? holding((call) => call.callPointer)
}
