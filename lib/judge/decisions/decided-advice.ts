import type { Decision } from './decision'
import { patternReadings, readWhatIf } from './kept'
import { retryReasonWords } from '../../words/decision-values'
import { stageOfRule } from '../../model/decision-rules'
import { oneLine } from '../../text/visible'
import type { DecidedCause } from './decided-cause'
import { quoted } from '../causes/phrases'
import type { Advice } from '../../model/execution'
import type { RunFact } from '../../model/run-facts'

interface Words {
  because: string
  next: string
}

/** Why another attempt could help, and what to do, by the reason for which one is asked for. */
const RETRIABLE: Record<string, Words> = {
  resume: {
    because: 'The work was cut off, not rejected, and can resume where it stopped.',
    next: 'Resume the session. Raise the limit if it stops at the same place again.',
  },
  early_stop: {
    because: 'The agent stopped before it was done and may finish if asked again.',
    next: 'Resume the session and ask for the remaining work, or rerun it.',
  },
  drain_race: {
    because: 'The agent finished, but its answer did not arrive complete.',
    next: 'Rerun it: the answer was lost in transit.',
  },
  empty_output: {
    because: 'The process exited cleanly without output, so the same run may work.',
    next: 'Check the end of its stderr, then rerun it.',
  },
  contract_recovery: {
    because: 'The files were written. Only the lines naming them are missing.',
    next: 'Resume the session and ask only for the missing lines.',
  },
  path_contamination: {
    because: 'The work may be fine, but it was done in the wrong place.',
    next: 'Review and fix what was written outside the working directory, then rerun it.',
  },
  zero_writes: {
    because: 'The agent considered its work done without writing anything.',
    next: 'Name the files to write in the prompt, then rerun it.',
  },
  stale: {
    because: 'It was stopped because it went silent, not because of its output.',
    next: 'Rerun it. If it goes silent again, find out what it is waiting for.',
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
  if (known !== null && stageOfRule(rule) === 'signal') return known
  if (retryReason === 'budget_exhausted')
    return advice(
      'cannot-help',
      'All allowed attempts failed.',
      'Compare the attempts in Calls and fix what they have in common.',
    )
  // However the source went on: the content was there, and was another one.
  if (basis === 'recorded' && subtype === 'adjudicated_failure' && retryReason !== 'contract_recovery')
    return undelivered(decision)
  if (outcome === 'retriable') {
    const words = RETRIABLE[retryReason]
    return advice(
      'could-help',
      words?.because ?? `A retry was requested (${retryReasonWords(retryReason)}).`,
      words?.next ?? 'Rerun it.',
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
      "There isn't enough information to predict a retry.",
      'Read the end of the output in Raw.',
    )
  )
}

const UNJUDGED = advice(
  'unknown',
  'The agent may have done its work, but its output cannot be parsed.',
  'Read the result in Raw, fix the program that wrote it, then rerun it.',
)

/** Only patterns that are known to be missing are named: a source keeps none. */
function undelivered(decision: Decision): Advice {
  const missing = patternReadings(decision, readWhatIf(decision.whatIf)?.actual ?? null).find(
    ({ state }) => state === 'missing' || state === 'invalid',
  )
  const because =
    'The agent finished and delivered something else than was asked for. Nothing was lost that a retry would recover.'
  if (missing === undefined)
    return advice(
      'cannot-help',
      because,
      'Compare the result with what was asked for, fix the prompt or the contract, then rerun it.',
    )
  return missing.state === 'invalid'
    ? advice(
        'cannot-help',
        because,
        `Fix the pattern ${quoted(oneLine(missing.pattern), 80)}: it is not a valid regular expression, so nothing can match it.`,
      )
    : advice(
        'cannot-help',
        because,
        `Ask for a line that matches ${quoted(oneLine(missing.pattern), 80)} in the prompt, or fix the pattern. Then rerun it.`,
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
      'It may have hung or needed more time. The same limit may stop it again.',
      `Check ${stdout.kind === null ? 'its output in Raw' : 'Timeline'} for what it was doing at the timeout. Raise the limit if it was working; otherwise fix what it was waiting for.`,
    )
  if (signal !== null)
    return advice(
      'unknown',
      stderrTail.trim() === ''
        ? 'Something outside killed it. No reason was recorded.'
        : 'Something outside killed it. Its last output is the only clue.',
      `Find out who sent ${signal}: ${signal === 'SIGKILL' ? 'the system (out of memory), ' : ''}a job limit or a person. Fix that, then rerun it.`,
    )
  const shown = quoted(oneLine(command.join(' ')), 80)
  if (exitCode === 126 || exitCode === 127)
    return advice(
      'cannot-help',
      `Exit code ${exitCode} means the command ${exitCode === 127 ? 'was not found' : 'is not executable'}.`,
      `Install ${shown}, or fix its path or permissions, then rerun it.`,
    )
  return stderrTail.trim() === ''
    ? advice(
        'unknown',
        'Nothing was written to stderr.',
        `Run ${shown} by hand in the same place.${stdout.bytes === 0 ? '' : ' Its output is in Raw.'}`,
      )
    : advice(
        'unknown',
        'The exit code alone does not predict a retry. Check the last output.',
        'Fix the error above, then rerun it. Full output is in Raw.',
      )
}

/** Failures that the source recorded as final. */
function onRecorded(subtype: string): Advice | null {
  switch (subtype) {
    case 'timeout':
      return advice(
        'unknown',
        'It may have hung or needed more time. The same limit may stop it again.',
        'If the transcript is here, check Timeline for what it was doing at the end. Raise the time limit or split the task, then rerun it.',
      )
    case 'crashed':
      return advice(
        'unknown',
        'The agent did not fail. The program around it crashed.',
        'Fix the exception where the source runs, then rerun it.',
      )
    default:
      return null
  }
}
