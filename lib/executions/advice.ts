import type { CauseFound } from './cause'
import { isUnchanged, type Focus } from './focus'
import type { WorkedAttempt } from './merge-calls'
import { mayTryAgain, type Judgement } from './outcome'
import { callName, decisiveText, personSaid, quoted, some, targetName } from './phrases'
import type { RunResultFact } from '../ingest/normal-form'
import { oneLine } from '../text/visible'
import type { Advice } from './types'

export interface AdviceInput {
  found: CauseFound
  judgement: Judgement
  result: RunResultFact | null
  /** A child execution's advice speaks of the parent's call, not of a session to resume. */
  isChild: boolean
  openCall: WorkedAttempt | null
  /** What the person said next after the failure. */
  saidNext: string | null
}

const advice = (retry: Advice['retry'], retryBecause: string, next: string): Advice => ({ retry, retryBecause, next })

/**
 * Whether a retry could have helped and what to do now: from the cause, the class of the failure and what happened later. Always an inference of
 * ours, with its reason in words (docs/sources.md#advice).
 */
export function adviseOn(input: AdviceInput): Advice {
  const { focus, cause } = input.found
  switch (cause.category) {
    case 'agent_signal':
      return advice('unknown', 'The agent reported a condition it had been asked to report; the record cannot say whether that condition would be gone on another run.', 'Look into what the agent reported, mend that, and run the same prompt again to see whether it still reports it.')
    case 'api_error':
      return onApiError(input)
    case 'limit':
      return advice('cannot-help', 'The same prompt under the same limit would be cut at the same place.', 'Raise the limit that the message names, or split the task, then resume the session instead of starting over.')
    case 'startup':
      return input.judgement.rule === 'resume_unknown_session'
        ? advice('cannot-help', 'The session id is not known there: every further resume of it fails at once, before the agent does anything.', 'Start a new session, or resume on the machine and in the folder where the session was made.')
        : advice('cannot-help', 'The run failed before the agent started; nothing in the work was tried.', 'Mend the settings that the message names, then run again.')
    case 'cli_error':
      return advice('unknown', 'The CLI reports an error without saying whether it would come again.', 'Read the result record in Raw; failed calls, where there are any, stand in Attempts.')
    case 'result_unreadable':
      return advice('unknown', 'The record of how the run ended cannot be read.', 'Open the record in Raw, and look whether the program that wrote it cut or changed it.')
    case 'hook_stop':
      return advice('cannot-help', 'The hook answers the same condition in the same way until the condition or the hook changes.', 'Do what the hook asks for, or mend the hook command, then go on with the session.')
    case 'permission_denied':
      if (focus) break
      return advice('cannot-help', 'Under the same permission mode the same call is refused again.', 'Allow the tool that is named (permission mode or allow list), or take the need for it out of the prompt, then run again.')
    case 'interruption':
      if (focus) break
      return advice('unknown', 'A person or a signal stopped the run; the record does not hold the reason.', 'Ask who stopped it, or read in Timeline what was happening just before; resume the session if the stop was not meant.')
    case 'cut_off':
      return onCutOff(input)
    default:
      break
  }
  return focus ? onFocus(focus, input) : advice('unknown', 'Nothing in the record says whether another try would end differently.', 'Read the last events in Timeline.')
}

function onApiError({ found, result, judgement }: AdviceInput): Advice {
  const text = found.cause.text
  const status = result?.apiErrorStatus ?? null
  if (judgement.outcome === 'succeeded') return advice('helped', 'The run went on after the failed request and ended normally.', 'Nothing to do for this run; if such failures grow frequent, look at the status of the model service.')
  if (judgement.outcome === 'retriable' || mayTryAgain({ class: null, status, text })) {
    return /limit|429/i.test(text)
      ? advice('could-help', 'A limit on requests or usage was reached; it lifts by itself with time.', 'Wait until the limit resets, then resume the session with the same prompt.')
      : advice('could-help', 'The model service was busy or broken; the request itself was not at fault.', 'Resume the session with the same prompt after a few minutes; if it fails again, check the status of the model service.')
  }
  return advice('cannot-help', 'The service refused the request itself (credentials, account, model or size); the same request is refused again.', 'Mend what the message names (key, account, model name, or length of the conversation), then resume.')
}

function onCutOff({ judgement, openCall: lastOpen, isChild }: AdviceInput): Advice {
  const openCall = judgement.rule === 'call_without_result' ? lastOpen : null
  const resume = isChild ? 'Look in the parent execution whether the call that started this agent came back.' : 'See whether the session is still running and import the file again; otherwise resume the session.'
  if (!openCall) return advice('unknown', 'The record ends before the agent answered.', resume)
  return advice('unknown', `${callName(openCall)} may have done its work without the record showing it: a blind retry could do it twice.`, `${isChild ? resume : `Check what ${callName(openCall)} left behind. ${resume}`}`)
}

/** From the class of one failure, how often it was tried, and what became of it. */
function onFocus(focus: Focus, { judgement, saidNext }: AdviceInput): Advice {
  const a = focus.attempt
  const call = callName(a)
  const quote = quoted(decisiveText(a), 120)
  if (focus.recovered) {
    return a.failureClass === 'user_rejected'
      ? advice('helped', `${call} failed ${times(focus.tries)}, the last time refused by a person, and the next try was let through.`, habit(a))
      : advice('helped', `${call} failed ${times(focus.tries)} and the next try on the same target succeeded.`, habit(a))
  }
  if (focus.otherwise) {
    return advice('helped', `${call} failed ${times(focus.tries)}; later ${callName(focus.otherwise)} succeeded, which looks like the same work (inferred).`, habit(a))
  }
  const done = judgement.outcome === 'succeeded' ? 'was never tried again with success' : 'had no success before the end'
  const repeated = focus.tries > 1 && isUnchanged(focus) ? ` ${some(focus.tries, 'try', 'tries')} with the same input gave the same answer each time.` : focus.tries > 1 ? ` It failed ${times(focus.tries)}.` : ''
  const steer = saidNext === null ? 'Ask the person what they wanted instead, and give the agent that.' : `See whether the agent did what the person said next: ${quoted(oneLine(saidNext), 160)}.`
  switch (a.failureClass) {
    case 'user_rejected':
      return personSaid(a)
        ? advice('cannot-help', `A person refused ${call}; the same call would be refused again.${repeated}`, `Change the request as the person asked: ${quote}.`)
        : advice('cannot-help', `A person refused ${call} without a word why; the same call would be refused again.${repeated}`, steer)
    case 'interrupted':
      return advice('unknown', `A person interrupted ${call}; the record does not say why.`, saidNext === null ? `Ask the person why; run ${call} again only if the stop was not meant.` : steer)
    case 'not_read_first':
      return advice('could-help', `The file only had to be read again first; the same call ${done}.${repeated}`, `Check whether the change that ${call} was to make is in the file; if not, read the file and repeat it.`)
    case 'edit_no_match':
      return advice('cannot-help', `The text to replace is not in the file, so the same edit cannot match.${repeated}`, `Read the file as it is now and see whether the change of ${call} is still missing; if so, edit with the text that stands there.`)
    case 'edit_multi_match':
      return advice('cannot-help', `The same edit finds the same places again.${repeated}`, `Repeat ${call} with more of the text around the place, or replace all places.`)
    case 'file_missing':
      if (a.looseTarget !== null) return onCommand(focus, call, quote, repeated)
      return advice('cannot-help', `There is no ${targetName(a)}; asking for it again does not create it.${repeated}`, `Find where ${targetName(a)} really is, or which earlier step should have made it; nothing to do when the agent was only looking.`)
    case 'is_dir':
      return advice('cannot-help', 'The path is a folder; reading it as a file fails each time.', 'List the folder and read the file that was meant.')
    case 'sibling_cancelled':
      return advice('could-help', `${call} itself was never run: it was cancelled together with a call beside it.`, `Look at the call it hangs on (Attempts), then see whether ${call} was still needed.`)
    case 'too_large':
      return advice('cannot-help', `The answer is too large for the tool, each time.${repeated}`, `Ask for a part: an offset and a limit, or a narrower search, instead of the whole of ${call}.`)
    case 'permission_denied':
      return advice('cannot-help', `Under the same permissions ${call} is refused again.${repeated}`, `Grant the permission for ${call} if it is wanted, or tell the agent how to do without; check that what it reports as done was really written.`)
    case 'hook':
      return advice('cannot-help', `The hook blocks ${call} until what it asks for is done.${repeated}`, `Do what the hook says (${quote}), or change the hook.`)
    case 'input_validation':
      return advice('cannot-help', `The input does not fit the tool; unchanged it never will.${repeated}`, `Call ${call} again with what is missing: ${quote}.`)
    case 'task_output':
      return advice('cannot-help', `There is no such task, so waiting or asking again changes nothing.${repeated}`, 'Use the result that the call which started the task gave back, or start the task anew.')
    default:
      return onCommand(focus, call, quote, repeated)
  }
}

/** Reasons in the words of a command's output, in the order they are looked for. */
const READINGS: { when: RegExp; retry: Advice['retry']; because: string; next: string }[] = [
  { when: /unknown (?:command|option|flag|skill)|unrecognized|invalid usage|unexpected keyword argument|Agent type '[^']*' not found/i, retry: 'cannot-help', because: 'the name or option is not known there', next: 'Use a name that exists; when the program itself calls it, mend the program' },
  { when: /non-fast-forward|fetch first|tip of your current branch is behind/i, retry: 'cannot-help', because: 'the remote branch has commits that the local one lacks; pushing again is refused again', next: 'Fetch the remote branch, rebase or merge onto it, and push again' },
  { when: /argument list too long/i, retry: 'cannot-help', because: 'the command line is longer than the system takes; the same command fails each time', next: 'Hand the long text over in a file or on standard input; that is a change to the program, not to the call' },
  { when: /\b(?:ECONN\w+|ENOTFOUND|ETIMEDOUT|timed? ?out|temporarily unavailable|connection (?:reset|refused)|could not resolve host|503|502|429)\b/i, retry: 'could-help', because: 'the message names a connection or a busy service, which may pass', next: 'Run it again; if it fails the same way, check that the service it calls is up' },
  { when: /ignored by one of your \.gitignore/i, retry: 'cannot-help', because: 'git refuses to add an ignored path each time', next: 'Take the path out of .gitignore, or add it with force if it belongs in the repository' },
  { when: /no such file or directory|not found|does not exist|no matches found|did not match any files|cannot find module|No module named/i, retry: 'cannot-help', because: 'something that it needs is not there, and running it again does not make it', next: 'Find out what should have made the missing thing, or the right path to it' },
  { when: /permission denied|EACCES|not permitted|access denied/i, retry: 'cannot-help', because: 'the system denies it, each time', next: 'Give the account the right it needs, or use a place it may write to' },
]

function onCommand(focus: Focus, call: string, quote: string, repeated: string): Advice {
  const a = focus.attempt
  const text = decisiveText(a)
  const reading = READINGS.find((r) => r.when.test(text))
  if (reading) return advice(reading.retry, `${call} failed ${times(focus.tries)}: ${reading.because}.${repeated}`, `${reading.next}: ${quote || call}.`)
  if (focus.tries > 1 && isUnchanged(focus))
    return advice('cannot-help', `${some(focus.tries, 'try', 'tries')} of ${call} gave the same answer each time; nothing between them changed it.`, `Mend what the message says before running it again: ${quote || 'see Attempts'}.`)
  if (a.tool.startsWith('mcp__')) return advice('unknown', `${call} failed inside the server that offers the tool; the record does not show why.`, `Check the log and version of that server: ${quote || 'see Attempts'}.`)
  if (a.failureClass === 'exit_code') return advice('cannot-help', `A command that fails on its own input gives the same answer until that input changes; ${call} did not succeed later.${repeated}`, `Mend what it says, then run it again: ${quote || call}.`)
  return advice('unknown', `Nothing in the message says whether another try of ${call} would end differently.${repeated}`, `Read the full message in Attempts and run it once by hand: ${quote || call}.`)
}

const times = (n: number): string => (n === 1 ? 'once' : n === 2 ? 'twice' : `${n} times`)

/** For work that was done in the end: what would have spared the tries. */
function habit(a: WorkedAttempt): string {
  switch (a.failureClass) {
    case 'not_read_first':
      return 'Nothing to mend; telling the agent to read a file before it edits it would have spared the tries.'
    case 'user_rejected':
      return 'Nothing to mend; a person steered the run. What they wanted instead belongs in the prompt next time.'
    case 'sibling_cancelled':
      return 'Nothing to mend; only the call that failed beside it matters (Attempts).'
    default:
      return 'Nothing to mend for this run; what changed between the tries stands in Attempts.'
  }
}
