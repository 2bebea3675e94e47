import type { RunResultFact } from '../ingest/normal-form'
import { adviseOnFailure, type FailureContext } from './advise-failure'
import type { CauseFound } from './cause-found'
import type { WorkedCall } from './merge-calls'
import { mayTryAgain, type Judgement } from './outcome'
import { callName, otherRecordsOf } from './phrases'
import { adviseOnAgent } from './run-cause'
import type { Advice } from './types'
import type { AgentFailure } from './workflow-calls'

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
 * ours, with its reason in words (docs/sources.md#advice).
 */
export function adviseOn(input: AdviceInput): Advice {
  const { focus, cause } = input.found
  switch (cause.category) {
    case 'agent_signal':
      if (input.signalReason === null)
        return advice(
          'unknown',
          'The agent declared a failure that it had been asked to report, and not which.',
          'Read in Timeline what it found; have it give its reason in the block, then run it again.',
        )
      return advice(
        'unknown',
        'The agent reported a condition it had been asked to report; the record cannot say whether that condition would be gone on another run.',
        'Look into what the agent reported, mend that, and run the same prompt again to see whether it still reports it.',
      )
    case 'agent_failure':
      if (input.agent) return adviseOnAgent(input.agent)
      break
    case 'api_error':
      return onApiError(input)
    case 'limit':
      return advice(
        'cannot-help',
        'The same prompt under the same limit would be cut at the same place.',
        'Raise the limit that the message names, or split the task, then resume the session instead of starting over.',
      )
    case 'startup':
      return input.judgement.rule === 'resume_unknown_session'
        ? advice(
            'cannot-help',
            'The session id is not known there: every further resume of it fails at once, before the agent does anything.',
            'Start a new session, or resume on the machine and in the folder where the session was made.',
          )
        : advice(
            'cannot-help',
            'The run failed before the agent started; nothing in the work was tried.',
            'Mend the settings that the message names, then run again.',
          )
    case 'cli_error':
      return advice(
        'unknown',
        'The CLI reports an error without saying whether it would come again.',
        'Read the result record in Raw; failed calls, where there are any, stand in Calls.',
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
          `${callName(input.openCall)} may have done its work or not: its receipt does not tell, and a blind retry could do it twice.`,
          `Check what ${callName(input.openCall)} left behind; how it ended may stand in ${otherRecordsOf(input.openCall)}.`,
        )
      return advice(
        'unknown',
        'The record of how the run ended cannot be read.',
        'Open the record in Raw, and look whether the program that wrote it cut or changed it.',
      )
    case 'hook_stop':
      return advice(
        'cannot-help',
        'The hook answers the same condition in the same way until the condition or the hook changes.',
        'Do what the hook asks for, or mend the hook command, then go on with the session.',
      )
    case 'permission_denied':
      if (focus) break
      return advice(
        'cannot-help',
        'Under the same permission mode the same call is refused again.',
        'Allow the tool that is named (permission mode or allow list), or take the need for it out of the prompt, then run again.',
      )
    case 'interruption':
      if (focus) break
      return advice(
        'unknown',
        'A person or a signal stopped the run; the record does not hold the reason.',
        'Ask who stopped it, or read in Timeline what was happening just before; resume the session if the stop was not meant.',
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
        'Nothing in the record says whether another attempt would end differently.',
        'Read the last events in Timeline.',
      )
}

function onApiError({ found, result, judgement }: AdviceInput): Advice {
  const text = found.cause.text
  const status = result?.apiErrorStatus ?? null
  if (judgement.outcome === 'succeeded')
    return advice(
      'helped',
      'The run went on after the failed request and ended normally.',
      'Nothing to do for this run; if such failures grow frequent, look at the status of the model service.',
    )
  if (judgement.outcome === 'retriable' || mayTryAgain({ class: null, status, text })) {
    return /limit|429/i.test(text)
      ? advice(
          'could-help',
          'A limit on requests or usage was reached; it lifts by itself with time.',
          'Wait until the limit resets, then resume the session with the same prompt.',
        )
      : advice(
          'could-help',
          'The model service was busy or broken; the request itself was not at fault.',
          'Resume the session with the same prompt after a few minutes; if it fails again, check the status of the model service.',
        )
  }
  return advice(
    'cannot-help',
    'The service refused the request itself (credentials, account, model or size); the same request is refused again.',
    'Mend what the message names (key, account, model name, or length of the conversation), then resume.',
  )
}

function onCutOff({ judgement, openCall: lastOpen, isChild }: AdviceInput): Advice {
  const openCall = judgement.rule === 'call_without_result' ? lastOpen : null
  const resume = isChild
    ? 'Look in the parent execution whether the call that started this agent came back.'
    : 'See whether the session is still running and import the file again; otherwise resume the session.'
  if (!openCall) return advice('unknown', 'The record ends before the agent answered.', resume)
  return advice(
    'unknown',
    `${callName(openCall)} may have done its work without the record showing it: a blind retry could do it twice.`,
    `${isChild ? resume : `Check what ${callName(openCall)} left behind. ${resume}`}`,
  )
}
