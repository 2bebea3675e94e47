import { readFile } from 'node:fs/promises'
import { readExecutions } from '@/lib/analysis/read-executions'
import type { Call, ExecutionSummary } from '@/lib/model/summary'
import type { Pointer } from '@/lib/model/execution'
import { detectFormat } from '@/lib/formats/detect'
import { labelOutcome } from '@/lib/views/corrections/label-line'
import type { Outcome } from '@/lib/model/cause-labels'
import type { Kind, Recovered, Retry } from './labels'
import { kindOf, recoveredOf, unchangedRetryOf } from './mapping'

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
 * Reads a session's file as a server does, from the received bytes to the summary that is stored. Pointers count
 * the bytes that are kept, which redaction may have moved.
 *
 * @returns null when the file is in no format that is taken in
 */
export async function answerOf(path: string, fileName: string): Promise<SessionAnswer | null> {
  const bytes = new Uint8Array(await readFile(path))
  const detected = detectFormat({ head: bytes.subarray(0, HEAD_BYTES), fileName })
  if (detected.status !== 'supported') return null
  const kept = new Map<string, Uint8Array>()
  const { executions } = await readExecutions({
    kind: detected.kind,
    bytes,
    fileName,
    onPart: (received, part) => void kept.set(received, part),
  })
  return answerOfSummaries(
    executions.map(({ summary }) => summary),
    kept,
  )
}

type Kept = ReadonlyMap<string, Uint8Array>

/**
 * The answer of a file from the summaries of its executions. Outcome and cause are those of its first
 * execution that has no parent: other sessions that a file holds, and sub-agents, have first screens of
 * their own.
 */
function answerOfSummaries(summaries: readonly ExecutionSummary[], kept: Kept): SessionAnswer {
  const own = summaries.find(({ parent }) => parent === null) ?? summaries[0]
  if (!own) return { outcome: 'open', raises: false, causeCallId: null, causeCategory: null, failed: [] }
  const failed = summaries.flatMap((summary) =>
    summary.calls
      .filter(({ state }) => state === 'failed')
      .map((call) => ({
        part: Number(call.callPointer?.received ?? 0),
        at: call.callPointer?.byteStart ?? 0,
        answer: answerOfCall(call, kept),
      })),
  )
  return {
    outcome: labelOutcome(own.outcome),
    raises: isRaised(own),
    causeCallId: own.attention.needed && own.cause?.pointer ? callAt(own.cause.pointer, own.calls) : null,
    causeCategory: own.cause?.category ?? null,
    failed: failed.sort((a, b) => a.part - b.part || a.at - b.at).map(({ answer }) => answer),
  }
}

const isRaised = ({ attention }: ExecutionSummary): boolean => attention.needed

function answerOfCall(call: Call, kept: Kept): CallAnswer {
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
function errorCharsOf({ errorText, errorTextCut, resultPointer }: Call, kept: Kept): number {
  if (!errorTextCut || resultPointer === null) return errorText?.length ?? 0
  const part = kept.get(resultPointer.received)!
  const written = new TextDecoder().decode(part.subarray(resultPointer.byteStart, resultPointer.byteEnd))
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
