import type {
  Recovered,
  RunRetryReason,
  RunRetryReasons,
  Unresolved,
  UnresolvedCall,
} from '../model/messages/run-retry'
import { oneLine } from '../text/visible'
import { callRetryWords } from './call-retry'
import { textOf, type Catalogue } from './catalogue'
import { callName, callWithNumber, capital, count, quoted, some, times } from './phrases'
import { retryReasonWords } from './decision-values'
import { workBetweenWords } from './work-between'

const NOTHING_KNOWN = "There isn't enough information to predict a retry."
const TIMEOUT = 'It may have hung or needed more time. The same limit may stop it again.'

/** Why starting the job again would help or not. */
export const RUN_RETRY_WORDS: Catalogue<RunRetryReasons> = {
  recorder_stopped: () => 'The command may have finished after the recording stopped.',

  output_unparseable: () => 'The agent may have done its work, but its output cannot be parsed.',
  attempts_used_up: () => 'All allowed attempts failed.',
  judged_failure: () =>
    'The agent finished and its result was rejected. There is nothing to recover by retrying.',
  contract_not_met: () =>
    'The agent finished, but delivered something other than what was asked for. There is nothing to recover by retrying.',
  cut_off_resumable: () => 'The work was cut off, not rejected, and can resume where it stopped.',
  stopped_early: () => 'The agent stopped before it was done and may finish if asked again.',
  answer_lost: () => 'The agent finished, but its answer did not arrive complete.',
  empty_output: () => 'The process exited cleanly without output, so the same run may work.',
  lines_missing: () => 'The files were written. Only the lines naming them are missing.',
  wrong_folder: () => 'The work may be fine, but it was done in the wrong place.',
  wrote_nothing: () => 'The agent considered its work done without writing anything.',
  went_silent: () => 'It was stopped because it went silent, not because of its output.',
  retry_requested: ({ reason }) => `A retry was requested (${retryReasonWords(reason)}).`,
  recorded_timeout: () => TIMEOUT,
  recorded_crash: () => 'The agent did not fail. The program around it crashed.',
  process_timeout: () => TIMEOUT,
  process_killed: ({ lastOutput }) =>
    lastOutput
      ? 'It was killed from outside. Its last output is the only clue.'
      : 'It was killed from outside. No reason was recorded.',
  command_not_run: ({ exitCode }) =>
    `Exit code ${exitCode} means the command ${exitCode === 127 ? 'was not found' : 'is not executable'}.`,
  exit_without_stderr: () => 'Nothing was written to stderr.',
  exit_with_stderr: () => 'The exit code alone does not predict a retry. Check the last output.',
  decision_unclear: () => NOTHING_KNOWN,

  pipeline_open: () => 'The run’s outcome is not recorded.',
  failed_task_unknown: () => 'The record does not say which task failed.',
  task_requirement_missing: () => 'The task cannot start until what it needs is there.',
  agent_profile_unknown: () => 'The task cannot start until the pipeline declares the profile.',
  source_not_prepared: () => 'Preparing the source failed before any task ran. Unclear if that is temporary.',
  task_timeout: () => 'It timed out. It may have hung or just been slow.',
  task_failed_alike: ({ attempts, sameInput }) =>
    `${some(attempts, 'attempt')} failed the same way${sameInput ? ' with the same inputs' : ''}.`,
  task_failed_differently: ({ attempts, recorded }) =>
    `${some(attempts, 'attempt')} failed${recorded ? ' with different errors' : '; earlier errors were not recorded'}.`,
  task_ran_once: () => 'It ran once, and the error does not say if a retry would help.',

  requests_recovered: () => 'The agent answered again after the last one.',
  requests_ended_run: () => 'A busy service may recover.',

  signal_without_reason: () => 'The agent reported a failure without giving a reason.',
  signal: () => 'The agent reported a condition it was asked to report. It may or may not recur.',
  agent_not_started: () => 'The agent never started: the step is misconfigured or a dependency is missing.',
  agent_failed: () =>
    'The agent reported a failure without a reason, so a retry cannot be predicted from here.',
  request_recovered: () => 'The run continued after the failed request and ended normally.',
  request_limited: () => 'A rate or usage limit was reached. It resets with time.',
  service_busy: () => 'The model service was busy or down. The request itself was fine.',
  request_rejected: () => 'The service rejected the request itself (credentials, account, model or size).',
  limit_reached: () => 'The same prompt would hit the same limit.',
  session_unknown: () =>
    'The session does not exist on that machine, so every resume fails before the agent starts.',
  startup_failed: () => 'The run failed before the agent started.',
  ci_step_failed: () => 'The agent’s records do not say why the step failed.',
  ci_step_cancelled: () => 'The work was stopped from outside, not rejected.',
  cli_error: () => 'The CLI error does not say if it would recur.',
  agent_end_unknown: () =>
    'How the agent ended was not recorded, so it is unclear if there is anything to retry.',
  receipt_without_outcome: ({ call }) =>
    `${callName(call)} may have completed: its receipt has no outcome. Retrying blindly could repeat it.`,
  did_not_help: ({ attempts }) => `${capital(count(attempts))} attempts in a row failed the same way.`,
  result_unreadable: () => 'The result record cannot be read.',
  result_status_missing: () => 'The result record does not say how the run ended.',
  hook_blocked: () => 'The hook blocks again until its condition or the hook changes.',
  permission_denied: () => 'The same call is denied under the same permission mode.',
  interrupted: () => 'A person or a signal stopped the run. No reason was recorded.',
  call_open: ({ call }) =>
    `${callName(call)} may have completed without a recorded result. Retrying blindly could repeat it.`,
  record_cut_off: () => 'The record ends before the agent answered.',

  same_call_worked: ({ number, because: _because, ...of }) =>
    `${failedWords(of)}; the same call succeeded as call ${count(number)}.${meanwhile(of)}`,
  changed_input_worked: ({ number, approved, because: _because, ...of }) =>
    `${failedWords(of)}; call ${count(number)} on the same target succeeded with a different input${approved ? ', which the person approved' : ''}.${meanwhile(of)}`,
  later_call_worked: ({ number, because: _because, ...of }) =>
    `${failedWords(of)}; call ${count(number)} on the same target succeeded; its input was not recorded.${meanwhile(of)}`,
  another_way_worked: ({ other, because: _because, ...of }) =>
    `${failedWords(of)}; later ${callWithNumber(other)} succeeded; it looks like the same work (inferred).${meanwhile(of)}`,
  agent_may_differ: (call) => `A new run may go differently. This time: ${unresolvedWords(call)}`,
  call_unresolved: (call) => capital(unresolvedWords(call)),

  nothing_known: () => NOTHING_KNOWN,
}

export const runRetryWords = (reason: RunRetryReason): string => textOf(RUN_RETRY_WORDS, reason)

const failedWords = ({ call, times: n }: Pick<Recovered, 'call' | 'times'>): string =>
  `${callName(call)} failed ${times(n)}`

const meanwhile = ({ between }: Pick<Recovered, 'between'>): string =>
  between === null ? '' : ` Between them: ${workBetweenWords(between)}.`

/** What is known of work that stayed as it failed, and what is not. */
function becameWords({ times: n, alike, outcome, writer, ended }: Unresolved): string {
  const repeats = n > 1 ? `It ran ${times(n)}${alike ? ' with the same result' : ''}` : ''
  const again = {
    no_result: repeats === '' ? 'Its retry has no result' : `${repeats}; the retry after that has no result`,
    no_success: `${repeats} and never succeeded`,
    not_comparable: 'Receipts do not show if it was retried',
    not_retried: 'It was not retried',
  }[outcome]
  return writer === null
    ? `${again}; unclear if ${ended ? 'the work was done another way' : 'another way would have worked'}.`
    : `${again}; later ${callName(writer, 40)} (call ${count(writer.number)}) names the same file and may have made the change (inferred).`
}

const unresolvedWords = ({ because, became, agentSaid }: UnresolvedCall): string =>
  `${callRetryWords(because)}. ${becameWords(became)}${agentSaid === null ? '' : ` Agent’s next message: ${quoted(oneLine(agentSaid), 150)}`}`
