import type { InputChannel, EventKind } from '../model/normal-form'
import type { AnalysedEvent } from '../model/summary'
import type { CallFact, EventFacts, ResultFact } from '../model/event-facts'
import type { RunResultFact } from '../model/run-facts'

/** Builds the events of a small made-up run, one after the other; for tests only. */
export function storyOf(streamId: string, channel: InputChannel = 'transcript') {
  const events: AnalysedEvent[] = []
  const add = (kind: EventKind, facts: EventFacts, identity?: string) => {
    const offset = events.length * 100
    events.push({
      streamId,
      channel,
      offset,
      identity: identity ?? `${streamId}-${offset}`,
      kind,
      at: new Date(Date.UTC(2026, 0, 1, 0, 0, events.length)).toISOString(),
      received: 'f'.repeat(64),
      keptStart: offset,
      keptEnd: offset + 99,
      facts,
    })
    return story
  }
  const story = {
    events,
    add,
    prompt: (prompt: string) => add('prompt', { prompt }),
    say: (tail: string, signal?: { reason: string | null }) =>
      add('text', { said: { tail, span: { start: 1, end: 5 }, ...(signal ? { signal } : {}) } }),
    call: (callId: string, tool: string, target: string | null, more: Partial<CallFact> = {}) =>
      add('call', {
        calls: [{ callId, tool, target, inputDigest: `in-${callId}`, span: { start: 2, end: 9 }, ...more }],
      }),
    ok: (callId: string) =>
      add('result', { results: [{ callId, failed: false, span: { start: 0, end: 9 } }] }),
    fail: (callId: string, text: string, more: Partial<ResultFact> = {}) =>
      add('result', {
        results: [
          { callId, failed: true, failureClass: 'other', text, span: { start: 10, end: 40 }, ...more },
        ],
      }),
    interrupt: () => add('interruption', { interruption: { span: { start: 3, end: 30 } } }),
    apiError: (text: string, status: number | null = null, errorClass: string | null = 'unknown') =>
      add('api_error', { apiError: { class: errorClass, status, text, span: { start: 4, end: 40 } } }),
    result: (more: Partial<RunResultFact>) => add('run_result', { runResult: { ...PLAIN_RESULT, ...more } }),
  }
  return story
}

/** The result record of a run that went well. */
export const PLAIN_RESULT: RunResultFact = {
  subtype: 'success',
  isError: false,
  result: 'done',
  errors: [],
  stopReason: null,
  terminalReason: null,
  apiErrorStatus: null,
  startupFailureReason: null,
  permissionDenials: [],
  numTurns: 3,
  durationMs: 1000,
  costUsd: 0.25,
  span: { start: 0, end: 50 },
}
