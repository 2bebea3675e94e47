import { adviseOnFailure, type FailureContext } from './advise-failure'
import type { CauseFound } from './cause-found'
import type { WorkedCall } from '../calls/merge-calls'
import { mayTryAgain, type Judgement } from '../outcomes/outcome'
import { callName, otherRecordsOf } from './phrases'
import { adviseOnAgent } from './run-cause'
import type { Advice } from '../../model/execution'
import type { AgentFailure } from '../calls/workflow-calls'
import type { RunResultFact } from '../../model/run-facts'

export interface AdviceInput {
  found: CauseFound
  judgement: Judgement
  result: RunResultFact | null
  /** A child execution's advice speaks of the parent's call, not of a session to resume. */
  isChild: boolean
  openCall: WorkedCall | null
  /** The agent inside whose failure the cause is about; unset: it is about none. */
  agent?: AgentFailure | undefined
  /** The agent's own reason for the failure that it declared; null: none. */
  signalReason: string | null
  context: FailureContext
}

const advice = (retry: Advice['retry'], retryBecause: string, next: string): Advice => ({
  retry,
  retryBecause,
  next,
})

/**
 * Whether a retry could have helped and what to do now: from the cause, the class of the failure and what happened later. Always an
 * inference of
 * ours, with its reason in words (docs/sources/cause.md#advice).
 */
export function adviseOn(input: AdviceInput): Advice {
  const { focus, cause } = input.found
  switch (cause.category) {
    case 'agent_signal':
      if (input.signalReason === null)
        return advice(
          'unknown',
          'The agent reported a failure without giving a reason.',
          'See what it found in Timeline. Ask it to give a reason in its failure block, then rerun.',
        )
      return advice(
        'unknown',
        'The agent reported a condition it was asked to report. It may or may not recur.',
        'Fix what the agent reported, then rerun the same prompt.',
      )
    case 'agent_failure':
      if (input.agent) return adviseOnAgent(input.agent)
      break
    case 'api_error':
      return onApiError(input)
    case 'limit':
      return advice(
        'cannot-help',
        'The same prompt would hit the same limit.',
        'Raise the limit or split the task, then resume the session.',
      )
    case 'startup':
      return input.judgement.rule === 'resume_unknown_session'
        ? advice(
            'cannot-help',
            'The session does not exist there, so every resume fails before the agent starts.',
            'Start a new session, or resume on the machine and in the folder where it was created.',
          )
        : advice(
            'cannot-help',
            'The run failed before the agent started.',
            'Fix the settings named in the error, then rerun.',
          )
    case 'cli_error':
      return advice(
        'unknown',
        'The CLI error does not say if it would recur.',
        'Read the result record in Raw. Failed calls are listed in Calls.',
      )
    case 'result_unreadable':
      if (input.judgement.rule === 'agent_result_missing')
        return advice(
          'unknown',
          'How the agent ended is not known, so neither is whether there is anything to repeat.',
          'Look for the run that the step started, by its path and time; its own rows say how it ended.',
        )
      if (input.openCall?.endUntold)
        return advice(
          'unknown',
          `${callName(input.openCall)} may have completed: its receipt has no outcome. Retrying blindly could repeat it.`,
          `Check the effects of ${callName(input.openCall)}. Its outcome may be in ${otherRecordsOf(input.openCall)}.`,
        )
      return advice(
        'unknown',
        'The result record cannot be read.',
        'Open the record in Raw and check if the program that wrote it truncated or changed it.',
      )
    case 'hook_stop':
      return advice(
        'cannot-help',
        'The hook blocks again until its condition or the hook changes.',
        'Do what the hook asks, or fix the hook command, then resume the session.',
      )
    case 'permission_denied':
      if (focus) break
      return advice(
        'cannot-help',
        'The same call is denied under the same permission mode.',
        'Allow the tool (permission mode or allow list) or remove the need for it from the prompt, then rerun.',
      )
    case 'interruption':
      if (focus) break
      return advice(
        'unknown',
        'A person or a signal stopped the run. No reason was recorded.',
        'Ask who stopped it, or check Timeline for what happened just before. Resume if it was stopped by mistake.',
      )
    case 'cut_off':
      return onCutOff(input)
    default:
      break
  }
  return focus
    ? adviseOnFailure(focus, input.context)
    : advice(
        'unknown',
        "There isn't enough information to predict a retry.",
        'Check the last events in Timeline.',
      )
}

function onApiError({ found, result, judgement }: AdviceInput): Advice {
  const text = found.cause.text
  const status = result?.apiErrorStatus ?? null
  if (judgement.outcome === 'succeeded')
    return advice(
      'helped',
      'The run continued after the failed request and ended normally.',
      'No action needed. If this happens often, check the status of the model service.',
    )
  if (judgement.outcome === 'retriable' || mayTryAgain({ class: null, status, text })) {
    return /limit|429/i.test(text)
      ? advice(
          'could-help',
          'A rate or usage limit was reached. It resets with time.',
          'Wait for the limit to reset, then resume the session with the same prompt.',
        )
      : advice(
          'could-help',
          'The model service was busy or down. The request itself was fine.',
          'Resume the session with the same prompt in a few minutes. If it fails again, check the status of the model service.',
        )
  }
  return advice(
    'cannot-help',
    'The service rejected the request itself (credentials, account, model or size).',
    'Fix what the error names (key, account, model or conversation length), then resume.',
  )
}

function onCutOff({ judgement, openCall: lastOpen, isChild }: AdviceInput): Advice {
  const openCall = judgement.rule === 'call_without_result' ? lastOpen : null
  const resume = isChild
    ? 'Check in the parent execution if the call that started this agent returned.'
    : 'If the session is still running, import the file again later. Otherwise resume the session.'
  if (!openCall) return advice('unknown', 'The record ends before the agent answered.', resume)
  return advice(
    'unknown',
    `${callName(openCall)} may have completed without a recorded result. Retrying blindly could repeat it.`,
    `${isChild ? resume : `Check the effects of ${callName(openCall)}. ${resume}`}`,
  )
}
