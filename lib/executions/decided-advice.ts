import type { Decision } from '../decisions/decision'
import { patternReadings, readWhatIf } from '../decisions/kept'
import { reasonReading } from '../decisions/reading'
import { ruleOf } from '../decisions/rules'
import { retryReasonWords } from '../decisions/words'
import type { RunFact } from '../ingest/normal-form'
import { oneLine } from '../text/visible'
import type { DecidedCause } from './decided-cause'
import { quoted } from './phrases'
import type { Advice } from './types'

interface Words {
  because: string
  next: string
}

/** Why another attempt could help, and what to do, by the reason for which one is asked for. */
const RETRIABLE: Record<string, Words> = {
  resume: {
    because: 'The work was cut off, not refused: it can go on where it stopped.',
    next: 'Resume the session where it stopped; raise the limit when it stops at the same place again.',
  },
  early_stop: {
    because: 'The agent ended by itself before it was done; asked again, it may go on to the end.',
    next: 'Resume the session and ask for what is still to be done, or run it again.',
  },
  drain_race: {
    because: 'The agent had come to its end; only its answer did not arrive whole.',
    next: 'Run it again: the answer was lost on its way, not refused.',
  },
  empty_output: {
    because: 'The process ended well and told nothing: nothing speaks against the same try.',
    next: 'Run it again, and look at the end of its standard error first.',
  },
  contract_recovery: {
    because: 'The files are written; only the lines that name them are missing.',
    next: 'Resume the session and ask only for the lines that are missing; the files are written.',
  },
  path_contamination: {
    because: 'The work may be good, but it was done in the wrong place.',
    next: 'Look at what was written outside of the working directory, mend that, then run it again.',
  },
  zero_writes: {
    because: 'The agent took its work for done without writing anything.',
    next: 'Run it again with the files that it has to write named in the prompt.',
  },
  stale: {
    because: 'It was stopped for its silence, not for what it answered.',
    next: 'Run it again; when it falls silent again, look at what it was waiting for.',
  },
}

const advice = (retry: Advice['retry'], retryBecause: string, next: string): Advice => ({
  retry,
  retryBecause,
  next,
})

/** Whether another attempt could help and what to do, where a decision says it; but for what the run says of itself, of which its own records know more. */
export function decidedAdvice(
  decision: Decision,
  cause: DecidedCause | null,
  run: RunFact | null,
  known: Advice | null,
): Advice {
  const { outcome, retryReason, basis, subtype, contentState, rule } = decision
  if (rule === 'peer_parse_exception' && cause !== null) return UNJUDGED
  if (known !== null && ruleOf(rule)?.stage === 'signal') return known
  if (retryReason === 'budget_exhausted')
    return advice(
      'cannot-help',
      'The same work was tried as often as it may be, and each attempt failed.',
      'Compare the attempts in Calls: what they have in common is what to mend before another one.',
    )
  // However the source went on: the content was there, and was another one.
  if (basis === 'recorded' && subtype === 'adjudicated_failure' && retryReason !== 'contract_recovery')
    return undelivered(decision)
  if (outcome === 'retriable') {
    const words = RETRIABLE[retryReason]
    return advice(
      'could-help',
      words?.because ??
        reasonReading(retryReason) ??
        `Another try was asked for (${retryReasonWords(retryReason)}).`,
      words?.next ?? 'Run it again.',
    )
  }
  const byProcess =
    cause === null ? null : basis === 'recorded' ? onRecorded(subtype) : run && onProcess(cause, run)
  if (byProcess) return byProcess
  if (contentState === 'contract_violation' || contentState === 'complete') return undelivered(decision)
  return (
    known ??
    advice(
      'unknown',
      'What is known does not say whether it would end the same way again.',
      'Read the end of what the process printed in Raw.',
    )
  )
}

const UNJUDGED = advice(
  'unknown',
  'The agent may well have done its work: it is the form of its output that nothing can be made of.',
  'Read its result in Raw; what is wrong stands in the output itself: mend the program that wrote it, then run it again.',
)

/** Only patterns that are known to be missing are named: a source keeps none. */
function undelivered(decision: Decision): Advice {
  const missing = patternReadings(decision, readWhatIf(decision.whatIf)?.actual ?? null).find(
    ({ state }) => state === 'missing' || state === 'invalid',
  )
  const because =
    'The agent had ended and delivered something else than was asked for: nothing was lost that the same try would bring.'
  if (missing === undefined)
    return advice(
      'cannot-help',
      because,
      'Compare what was asked for with the result, mend the prompt or the contract, then run it again.',
    )
  return missing.state === 'invalid'
    ? advice(
        'cannot-help',
        because,
        `Mend the pattern ${quoted(oneLine(missing.pattern), 80)}: it is no regular expression, so that no result can match it.`,
      )
    : advice(
        'cannot-help',
        because,
        `Ask for a line that matches ${quoted(oneLine(missing.pattern), 80)} in the prompt, or mend the pattern; then run it again.`,
      )
}

/** Failures of the process itself, which another attempt may or may not meet again. */
function onProcess(
  { category }: DecidedCause,
  { termination, signal, exitCode, stderrTail, command, stdout }: RunFact,
): Advice | null {
  if (category !== 'process' && category !== 'limit') return null
  if (termination === 'timed_out')
    return advice(
      'unknown',
      'Whether it needed longer or hung, the record does not say; under the same limit the same work may be cut again.',
      `See in ${stdout.kind === null ? 'Raw what it had printed' : 'Timeline what it was doing'} when its time was up: raise the time limit when it was at work, mend what it waited for when it was not.`,
    )
  if (signal !== null)
    return advice(
      'unknown',
      stderrTail.trim() === ''
        ? 'It was ended from outside, and nothing recorded says by whom or why.'
        : 'It was ended from outside; its last words are all that is recorded of why.',
      `Find out who sent ${signal}: ${signal === 'SIGKILL' ? 'the system for want of memory, ' : ''}a limit of the job, or a person. Mend that, then run it again.`,
    )
  const shown = quoted(oneLine(command.join(' ')), 80)
  if (exitCode === 126 || exitCode === 127)
    return advice(
      'cannot-help',
      `Exit code ${exitCode} says that the command is ${exitCode === 127 ? 'not there' : 'not allowed to run'}; that stays so until it is mended.`,
      `Install what ${shown} names, or mend its path or rights, then run it again.`,
    )
  return stderrTail.trim() === ''
    ? advice(
        'unknown',
        'It left no word on standard error that would say why.',
        `Run ${shown} by hand where it ran and look at what it says${stdout.bytes === 0 ? '' : '; what it printed stands in Raw'}.`,
      )
    : advice(
        'unknown',
        'The exit code does not say whether it would end the same way; the last words may.',
        'Mend what the last words name; all that was printed stands in Raw. Then run it again.',
      )
}

/** Failures that the source recorded as final. */
function onRecorded(subtype: string): Advice | null {
  switch (subtype) {
    case 'timeout':
      return advice(
        'unknown',
        'Whether it needed longer or hung, the source does not keep; under the same limit the same work may be cut again.',
        'See in Timeline, where the transcript is here too, what it was doing at the end; raise the time limit or split the task, then run it again.',
      )
    case 'crashed':
      return advice(
        'unknown',
        'The agent itself did not fail: what broke is the program around it.',
        'Mend what the exception names where the source runs, then run it again.',
      )
    default:
      return null
  }
}
