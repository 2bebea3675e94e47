import type { MessageOf, NoParams } from '../message'
import type { ReceiptEvent } from '../receipt-facts'
import type { CountedAttempt } from '../workflow-facts'
import type { OddDetails } from './odd-details'

/** The line of a record in lists, where it is not the producer's own text. */
export interface EventSummaries
  extends Pick<
    OddDetails,
    'binary' | 'file_lines_not_json' | 'file_not_json' | 'nul_bytes' | 'records_lost' | 'too_many_events'
  > {
  unknown_record: { what: 'document' | 'record'; keys: readonly string[] }
  model_request_failed: NoParams
  request_failed: { why: number | string | null; attempt: number | null; maxRetries: number | null }
  stopped_on_error: { error: string; details: string }
  hook_failed: { hook: string; exitCode: number | null; output: string | null }
  context_summary: NoParams
  call_failed: { tool: string; text: string | null }
  receipt_event: { event: ReceiptEvent }
  command_ended: {
    exitCode: number | null
    signal: string | null
    /** Null: it was not the limit that ended the command. */
    limit: { seconds: number | null } | null
    verdict: string | null
  }
  crashed: { why: string | null }
  failure_context: { task: string; error: string | null }
  agent_step: { task: string; profile: string | null; response: { code: number | null } | null }
  tool_summary: NoParams
  task_outputs: NoParams
  worker_rows: NoParams
  worker_reply: { step: string | null; isMissing: boolean }
  event_log: { rows: number | null; status: string | null }
  row: {
    name: string
    attempt: CountedAttempt | null
    event:
      | { id: 'agent_failed'; code: string | null; message: string | null }
      | { id: 'agent_started' }
      | { id: 'failed'; isTool: boolean; text: string | null }
      | { id: 'other'; status: string | null; storedAt: string | null }
  }
  command: { step: string | null; attempt: CountedAttempt; status: string | null; error: string | null }
}
export type EventSummary = MessageOf<EventSummaries>
