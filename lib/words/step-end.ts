import type { StepEndMessages, StepReason } from '../model/messages/step-end'
import type { Catalogue } from './catalogue'
import { some } from './phrases'

/** What the end of a step says beside the file that it left. */
export const STEP_END_WORDS: Catalogue<StepEndMessages> = {
  file_missing: ({ conclusion }) =>
    conclusion === 'success' || conclusion === 'skipped'
      ? 'There is no file: the agent did not run'
      : 'There is no file, so nothing is known of the agent’s run',
  no_messages: () => 'The agent failed before its first message: its file is an empty list',
  no_result: () => 'The agent’s run broke off: its file has no result record',
  failed_after_success: ({ turns }) =>
    `The agent reported success${turns === null ? '' : ` after ${some(turns, 'turn')}`}, but its step failed`,
  step_cancelled: () => 'The step was cancelled',
  passed_after_failure: () => 'The step passed, although the agent’s run failed',
}

/** What to do about it. */
export const STEP_END_NEXT: Catalogue<StepEndMessages> = {
  file_missing: ({ conclusion }) =>
    conclusion === 'failure'
      ? 'Read the log of the step: the error is above its last line.'
      : conclusion === 'success' || conclusion === 'skipped'
        ? 'Nothing to do.'
        : 'Check how the step ended in its log.',
  no_messages: () => 'Read the log of the step. Check the API key, the model and the arguments of the agent.',
  no_result: () => 'Read the log of the step: it has the error that ended the agent.',
  failed_after_success: () => 'Check these in the inputs and the log of the step.',
  step_cancelled: () => 'Check who or what stopped the job: a person, its time limit, or a newer run.',
  passed_after_failure: () => 'Let the step fail when the run fails: update the action.',
}

export const STEP_RETRY_BECAUSE = 'The file does not say why the step ended this way.'

/** Each reason as one sentence. */
const REASONS: Readonly<Record<StepReason, string>> = {
  not_started: 'The step failed before the agent started: token, permissions or installation.',
  died_without_file:
    'The agent’s process died. Versions of claude-code-action from before 14 May 2026 then leave no file.',
  stopped_early:
    'The job was cancelled, timed out or lost its runner: the file is written only at the end of the run.',
  nothing_to_do: 'The action found nothing to do: no trigger, or its checks skipped the event.',
  died_at_start: 'The agent’s process could not be started, or died at once.',
  died: 'The agent’s process died.',
  stream_ended: 'The stream ended without a result.',
  turn_limit: 'The run took more turns than --max-turns in claude_args allows.',
  structured_output: '--json-schema is set, and the run returned no structured output.',
  hung_after_result:
    'Versions of claude-code-action from before 11 June 2026 can hang after the result until the job is stopped.',
  error_ignored:
    'Versions of claude-code-action from before 13 July 2026 let a step pass whose model request failed.',
  later_part: 'A later part of the step failed, after the agent had ended.',
}

export const stepReasonWords = (reason: StepReason): string => REASONS[reason]
