import type { NextStep } from '../model/messages/next-steps'
import type { StepEndMessage, StepEndMessages, StepReason } from '../model/messages/step-end'
import type { StepConclusion } from '../model/step-conclusion'
import type { Catalogue } from './catalogue'
import { nextStepWords } from './next-steps'
import { some } from './phrases'

/** What the end of a step says beside the cause of the execution; empty where it only has reasons. */
export const STEP_END_WORDS: Catalogue<StepEndMessages> = {
  file_missing: ({ conclusion }) =>
    conclusion === 'success' || conclusion === 'skipped'
      ? 'There is no file: the agent did not run'
      : 'There is no file, so nothing is known of the agent’s run',
  no_messages: () => 'The agent failed before it sent a message: its file is an empty list',
  no_result: () => 'The agent’s run broke off: its file has no result record',
  step_failed: ({ turns }) => (turns === null ? '' : `The agent took ${some(turns, 'turn')}.`),
  cancelled_after_success: () => 'The step was cancelled, although the agent reported success',
  passed_after_failure: () => 'The step passed, although the agent’s run failed.',
}

const NEXT: Readonly<Record<StepConclusion | 'untold', NextStep | null>> = {
  failure: { id: 'read_step_log', params: {} },
  cancelled: { id: 'rerun_cancelled', params: {} },
  success: { id: 'no_action', params: {} },
  skipped: { id: 'no_action', params: {} },
  untold: null,
}

/** What to do about it; null: what the execution itself asks for. */
export function stepNextWords({ id, params }: StepEndMessage): string | null {
  if (id === 'no_messages' || id === 'no_result') return nextStepWords({ id: 'read_step_log', params: {} })
  if (id === 'cancelled_after_success') return nextStepWords({ id: 'rerun_cancelled', params: {} })
  const step = id === 'file_missing' ? NEXT[params.conclusion ?? 'untold'] : null
  return step && nextStepWords(step)
}

export const STEP_RETRY_BECAUSE = 'The file does not say why the run broke off.'

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
  earlier_file: 'The file is from an earlier step of the job, and this step wrote none.',
}

export const stepReasonWords = (reason: StepReason): string => REASONS[reason]
