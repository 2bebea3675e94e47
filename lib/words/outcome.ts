import type { RunProgress } from '../model/workflow-facts'
import { durationWords } from './duration'
import type {
  LeftOpen,
  OutcomeMessages,
  ResultRecordParams,
  RowParams,
  RowsHeldParams,
  SessionChannel,
} from '../model/messages/outcome'
import { cutAtWord, oneLine } from '../text/visible'
import type { Catalogue } from './catalogue'
import { CI_STEP_FAILED } from './ci'
import { count as grouped, quoted, some } from './phrases'

const shown = (text: string | null): string => (text === null || text === '' ? '<none>' : oneLine(text))

/** Subtype, terminal reason, API status and the first error of a result record. */
const beside = (r: ResultRecordParams): string =>
  [
    `subtype ${shown(r.subtype)}`,
    `is_error ${r.isError === null ? '<none>' : r.isError}`,
    ...(r.stopReason ? [`stop reason ${shown(r.stopReason)}`] : []),
    ...(r.terminalReason ? [`terminal reason ${shown(r.terminalReason)}`] : []),
    ...(r.apiErrorStatus === null ? [] : [`API status ${r.apiErrorStatus}`]),
    ...(r.error ? [`error “${cutAtWord(oneLine(r.error), 160)}”`] : []),
  ].join(', ')

const notSuccess = (r: ResultRecordParams): string =>
  `The result record does not report success: ${beside(r)}.`

const SOURCE: Record<SessionChannel, string> = {
  transcript: 'transcript',
  stream: 'output (which has no result record)',
  record: 'record of the process',
  log: 'session log',
}

const NO_ACTIVITY: Record<OutcomeMessages['no_activity']['received'], string> = {
  transcript: 'The transcript contains no activity of the agent or a person.',
  stream: 'The output (which has no result record) contains no activity of the agent or a person.',
  record: 'The record of the process contains no activity of the agent or a person.',
  log: 'The session log contains no activity of the agent or a person.',
  nothing: 'No activity of the agent or a person was received.',
  files: 'The files contain no messages from an agent or a person.',
  rows: 'The events contain no messages from an agent or a person.',
  results: 'Only tool results were received, without the agent’s messages or calls.',
  receipts:
    'Only receipts were received. They cover calls, not how the run ended; calls without a receipt are invisible.',
  open_process: 'The process record has no end.',
}

const eventId = (id: string | null): string => (id === null ? '' : ` (event ${id})`)
const row = (named: RowParams | null): string =>
  named === null ? 'not recorded' : `${oneLine(named.type)}${eventId(named.eventId)}`

/** How many events are missing, as far as that is known. */
function rowsMissing({ held, total, said, progress }: RowsHeldParams): string {
  const count =
    total === null
      ? `${some(held, 'event')} of the run received; the total is unknown`
      : `${grouped(held)} of ${some(total, 'event')} of the run received`
  const reported = [
    ...(said === null ? [] : [cutAtWord(oneLine(said), 40)]),
    ...(progress ? progressWords(progress) : []),
  ]
  return `${count}${reported.length === 0 ? '' : `; its server reports ${reported.join(', ')}`}.`
}

const progressWords = ({ step, startedAt, durationS }: RunProgress): string[] => [
  ...(step === null ? [] : [`step “${cutAtWord(oneLine(step), 60)}”`]),
  ...(startedAt === null ? [] : [`started ${startedAt.slice(0, 19).replace('T', ' ')} UTC`]),
  ...(durationS === null ? [] : [`duration ${durationWords(durationS)}`]),
]

const missingToo = (rows: RowsHeldParams | null): string => (rows === null ? '' : ` ${rowsMissing(rows)}`)

const recordSays = (status: string): string => `The run’s record says ${cutAtWord(oneLine(status), 40)}`

const LEFT_OPEN: Record<LeftOpen, string> = {
  question: 'The session ends with a question to the person.',
  push: 'The last push was rejected and not retried.',
  edit: 'The last edit of a file did not apply and was not retried.',
}

/** Why an outcome is what it is, in a sentence or two. */
export const OUTCOME_WORDS: Catalogue<OutcomeMessages> = {
  result_unreadable: () => 'The run ended, but its result record has fields of the wrong type.',
  agent_signal: () => 'The agent declared the run failed in its final text, which overrides every status.',
  startup_failure: ({ reason }) => `The run never started: ${shown(reason)}.`,
  resume_unknown_session: (r) => `The run tried to resume an unknown session: ${beside(r)}.`,
  killed: (r) =>
    `The run was killed or interrupted: ${beside(r)}. A stopped CLI writes this; the work itself did not fail.`,
  aborted: notSuccess,
  api_failure: (r) =>
    r.shownBy === 'status'
      ? `The model request failed: ${beside(r)}.`
      : `The result is the error of a failed model request: ${beside(r)}.`,
  limit_reached: (r) => `The run hit a limit: ${beside(r)}.`,
  hook_stopped: notSuccess,
  result_status_missing: () => 'The run ended, but its result record has no status.',
  cli_status: notSuccess,
  permission_denied: ({ tools }) =>
    `The run reported success, but tools were denied: ${tools.map((tool) => shown(tool).replace('<none>', '<unknown>')).join(', ')}.`,
  result_success: () => 'The result record reports success, with no failure signal and no denied tools.',
  api_error_last: () => 'The last answer is a model request error.',
  interrupted_last: ({ by }) =>
    by === 'message'
      ? 'The last user message is an interruption notice.'
      : 'The last call with a receipt was interrupted. No receipts follow it.',
  unanswered_prompt: ({ source }) =>
    `The ${SOURCE[source]} ends with an unanswered prompt: still running, or stopped before the agent answered.`,
  call_without_result: ({ source }) =>
    source === 'unreadable_receipt'
      ? 'The last receipt has no readable outcome.'
      : source === 'receipt'
        ? 'The receipts end with a call without a result: cut off or still running.'
        : `The ${SOURCE[source]} ends with a call without a result: cut off or still running.`,
  failed_call_last: ({ by }) =>
    by === 'session'
      ? 'The last call failed and the agent wrote nothing after it.'
      : 'The last call with a receipt failed. No receipts follow it.',
  stopped_by_hook: ({ prevented }) =>
    prevented ? 'A stop hook blocked the run.' : 'A stop hook reported an error when the run stopped.',
  signal_in_last_text: () => 'The agent’s last message contains the failure signal.',
  left_open: ({ what }) => LEFT_OPEN[what],
  completed: ({ source, endShown }) =>
    `The ${SOURCE[source]} ends without an error, interruption or open call.` +
    (endShown ? '' : ' No text follows the last call, so the end may be missing.'),
  ci_step_failed: ({ inside }) => `${CI_STEP_FAILED[inside]}.`,
  ci_step_cancelled: () => 'The CI step was cancelled before the agent reported a result.',
  stop_failure: ({ error }) => `The run stopped on a model request error (${shown(error)}).`,
  stop_seen: ({ how }) => `The hook events end with ${oneLine(how)}, without a failure.`,
  no_end_seen: () => 'No hook event ended the run: it is in progress or stopped silently.',
  no_activity: ({ received }) => NO_ACTIVITY[received],
  cancelled_row: ({ eventId: id }) =>
    `The run was cancelled${eventId(id)}. Its server may still report it as completed.`,
  agent_failed_inside: ({ failures, steps, moreSteps, status, row: by, serverRule, incomplete }) =>
    `${some(failures, 'agent')} failed inside the run (${steps.map((step) => quoted(oneLine(step), 60)).join(', ')}${moreSteps ? ', …' : ''}). ` +
    `The engine reports the run as ${status} (${by === null ? '' : `${row(by)}, `}rule ${serverRule})` +
    `${status === 'COMPLETED' ? ': it treats a failed agent as data' : ''}.${missingToo(incomplete)}`,
  agent_result_missing: ({ serverRule, step, reference }) =>
    `The engine reports the run as COMPLETED (${serverRule}), but the events of step ${quoted(oneLine(step), 60)} ` +
    `do not show how its agent ended: ${
      reference === null
        ? 'the step did not wait for it, or its result was dropped'
        : `its result is stored elsewhere (${cutAtWord(oneLine(reference), 120)}) and was not fetched`
    }.`,
  run_incomplete: (rows) => `${rowsMissing(rows)} The missing events may change the outcome.`,
  terminal_row: (params) =>
    params.ended === 'failed'
      ? `The last event that ends the run is ${row(params.row)}.${missingToo(params.incomplete)}`
      : `The last event that ends the run is ${row(params.row)}, and no agent failed inside the run.`,
  end_step_completed: () => 'No event ends the run, but its last event completed the step “end”.',
  batch_completed: () =>
    'No event ends the run, but its last event completed a batch and no command is open.',
  nothing_terminal: () => 'No event ends the run: it is in progress or stopped silently.',
  run_record: ({ status, noFailedTask }) =>
    `${recordSays(status)}${noFailedTask ? ' but lists no failed task' : ''}.`,
  run_record_open: (params) =>
    params.hasEnd === null
      ? params.status === null
        ? 'The run’s record has no status.'
        : `${recordSays(params.status)}, an unknown status.`
      : `${recordSays(params.status)}${params.hasEnd ? '' : ' and has no end'}: the run is in progress or it crashed. Unknown if its process${params.pid === null ? '' : ` (${params.pid})`} is alive.`,
  run_record_missing: () => 'The run’s record is missing, so its outcome is unknown.',
  analysis_failed: () => 'The analysis failed, so nothing was read from the records.',
}
