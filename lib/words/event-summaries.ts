import type { EventSummaries, EventSummary } from '../model/messages/event-summaries'
import type { ReceiptEvent } from '../model/receipt-facts'
import type { CountedAttempt } from '../model/workflow-facts'
import { listLine } from '../text/list-line'
import { textOf, type Catalogue } from './catalogue'
import { limitWords } from './duration'
import { ODD_DETAIL_WORDS } from './odd-details'

const RECEIPT_EVENTS: Record<ReceiptEvent, string> = {
  events_dropped: 'Events were lost before this receipt',
  chain_interrupted: 'The daemon was stopped, so the chain ends here',
  key_rotation: 'The key was changed',
  self_test: 'Receipt self-test',
}

const attemptOf = ({ number, max }: CountedAttempt): string =>
  `attempt ${number}${max === null ? '' : ` of ${max}`}`

/** `: text`, or nothing. */
const after = (text: string | null): string => (text === null ? '' : `: ${text}`)

/** The line of a record in lists, where it is not the producer's own text. */
export const EVENT_SUMMARY_WORDS: Catalogue<EventSummaries> = {
  binary: ODD_DETAIL_WORDS.binary,
  file_lines_not_json: ODD_DETAIL_WORDS.file_lines_not_json,
  file_not_json: ODD_DETAIL_WORDS.file_not_json,
  nul_bytes: ODD_DETAIL_WORDS.nul_bytes,
  records_lost: ODD_DETAIL_WORDS.records_lost,
  too_many_events: ODD_DETAIL_WORDS.too_many_events,
  unknown_record: ({ what, keys }) => `A ${what} with the keys ${keys.join(', ') || '(none)'}`,
  model_request_failed: () => 'The request to the model failed',
  request_failed: ({ why, attempt, maxRetries }) =>
    `Request failed${why === null ? '' : ` (${why})`}, attempt ${attempt ?? '?'} of ${maxRetries ?? '?'}`,
  stopped_on_error: ({ error, details }) => `Stopped on an error (${error}): ${details}`,
  hook_failed: ({ hook, exitCode, output }) =>
    `Hook ${hook} failed${exitCode === null ? '' : ` with exit code ${exitCode}`}${after(output)}`,
  context_summary: () => 'Summary of the context',
  call_failed: ({ tool, text }) => `${tool} failed: ${text ?? 'the receipt gives no reason'}`,
  receipt_event: ({ event }) => RECEIPT_EVENTS[event],
  command_ended: ({ exitCode, signal, limit, verdict }) => {
    const how =
      signal !== null ? `ended by ${signal}` : exitCode === null ? 'ended' : `exited with ${exitCode}`
    const why =
      limit === null
        ? ''
        : limit.seconds === null
          ? ' when the time was up'
          : ` when its limit of ${limitWords(limit.seconds)} was up`
    return `The command ${how}${why}${after(verdict)}`
  },
  crashed: ({ why }) => `The run crashed: ${why ?? 'no reason recorded'}`,
  failure_context: ({ task, error }) => `Failure context of task ${task}: ${error ?? 'no error'}`,
  agent_step: ({ task, profile, response }) =>
    `Agent step of ${task}: ${profile ?? 'profile not named'}, ${response === null ? 'no response' : `exit code ${response.code ?? 'not recorded'}`}`,
  tool_summary: () => 'Summary as the tool wrote it',
  task_outputs: () => 'Outputs of a task, by its manifest',
  worker_rows: () => 'Worker reply before it was stored as rows',
  worker_reply: ({ step, isMissing }) => {
    const to = step === null ? '' : ` to ${step}`
    return isMissing ? `Worker reply${to}, empty` : `Worker reply${to} before it was stored as a row`
  },
  event_log: ({ rows, status }) =>
    `The event log held ${rows ?? 'an unknown number of'} rows of the run${status === null ? '' : `; its row says ${status}`}`,
  row: ({ name, attempt, event }) => {
    const row = attempt === null ? name : `${name}, ${attemptOf(attempt)}`
    switch (event.id) {
      case 'agent_failed':
        return `${row}: the agent failed${event.code === null ? '' : ` (${event.code})`}${after(event.message)}`
      case 'agent_started':
        return `${row}: an agent was started; its result is not in the row`
      case 'failed':
        return `${row}${event.isTool ? ' failed' : ''}${after(event.text)}`
      case 'other':
        return `${row}${after(event.status)}${event.storedAt === null ? '' : `, its result is kept at ${event.storedAt}`}`
    }
  },
  command: ({ step, attempt, status, error }) =>
    `command of ${step ?? 'a step'}, ${attemptOf(attempt)}${after(status)}${after(error)}`,
}

export const summaryText = (summary: EventSummary | string): string =>
  typeof summary === 'string' ? summary : listLine(textOf(EVENT_SUMMARY_WORDS, summary))
