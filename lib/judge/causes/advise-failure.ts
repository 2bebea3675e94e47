import { CHANGES_FILES, isIncomparable, LOOKS_AROUND } from '../calls/retry-chain'
import { mayHaveWritten } from '../calls/missing'
import { failureDetail } from '../../formats/claude/failure-detail'
import { oneLine } from '../../text/visible'
import { isUnchanged, type Focus, type Work } from './focus'
import type { WorkedCall } from '../calls/merge-calls'
import {
  callName,
  capital,
  count,
  decisiveText,
  personSaid,
  quoted,
  some,
  targetName,
  withoutPreparation,
} from './phrases'
import type { Reading } from './reading'
import { readCommand, whatWasRun } from './readings'
import { adviseOnAgent } from './run-cause'
import type { Advice } from '../../model/execution'

/** What the record holds about the time after a failure. */
export interface After {
  /** The next words of a person. */
  person: string | null
  /** The next words of the agent, when they come soon. */
  agent: string | null
}

export interface FailureContext {
  work: Work
  /** Folder that the run began in. */
  cwd: string | null
  /** Whether the run came to its end, so that what was not done by then was not done in it. */
  ended: boolean
  after: (a: WorkedCall) => After
  /** The last words of a person between two calls. */
  saidBetween: (from: WorkedCall, to: WorkedCall) => string | null
}

const times = (n: number): string => (n === 1 ? 'once' : n === 2 ? 'twice' : `${count(n)} times`)
const number = (a: WorkedCall): string => `call ${count(a.ordinal + 1)}`

/** The question of a retry, answered twice where the input changed: for the same call, and for the changed one. */
const UNCHANGED: Record<Advice['retry'], string> = {
  helped: 'Same input: yes',
  'could-help': 'Same input: maybe',
  'cannot-help': 'Same input: no',
  unknown: 'Same input: unclear',
}

/**
 * Whether a retry could have helped and what to do now, for one piece of work that failed: from the class, the words, how often it was
 * tried, and what became of it.
 */
export function adviseOnFailure(focus: Focus, context: FailureContext): Advice {
  const a = focus.call
  const call = callName(a)
  const reading = readFailure(focus, context)
  if (focus.recovered && focus.next) return onRecovered(focus, focus.next, reading, context)
  if (focus.otherwise) {
    const between = doneBetween(focus.failed.at(-1) ?? a, focus.otherwise, context)
    return {
      retry: 'helped',
      verdict: `${UNCHANGED[reading.retry]}. Another way${between === '' ? '' : ', after other work'}: worked`,
      retryBecause:
        `${call} failed ${times(focus.failedCalls)}: ${reading.because}. Later ${callName(focus.otherwise)} (${number(focus.otherwise)}) ` +
        `succeeded; it looks like the same work (inferred).${between === '' ? '' : ` Between them: ${between}.`}`,
      next: habit(a),
    }
  }
  return {
    retry: reading.retry,
    retryBecause: `${capital(reading.because)}. ${whatBecame(focus, context)}${agentSaid(a, context)}`,
    next:
      a.receiptOnly && ASKS_FOR_INPUT.has(a.failureClass ?? 'other')
        ? `${reading.next} ${whatWasRun(a)}`
        : reading.next,
  }
}

/** Classes whose advice is about the input of the call, which receipts do not hold. */
const ASKS_FOR_INPUT: ReadonlySet<string> = new Set([
  'not_read_first',
  'edit_no_match',
  'edit_multi_match',
  'input_validation',
  'too_large',
  'interrupted',
])

/** The chain ended in success: by which call, unchanged or changed, and what was done in between. */
function onRecovered(focus: Focus, next: WorkedCall, reading: Reading, context: FailureContext): Advice {
  const a = focus.call
  const failed = `${callName(a)} failed ${times(focus.failedCalls)}`
  const between = doneBetween(focus.failed.at(-1) ?? a, next, context)
  const meanwhile = between === '' ? '' : ` Between them: ${between}.`
  if (next.inputChanged && a.looseTarget === null) {
    return {
      retry: 'helped',
      verdict: `${UNCHANGED[reading.retry]}. Changed input: worked`,
      retryBecause:
        `${failed}; ${number(next)} on the same target succeeded with a different input` +
        `${a.failureClass === 'user_rejected' ? ', which the person approved' : ''}.${meanwhile} Why not with the same input: ${reading.because}.`,
      next: habit(a),
    }
  }
  if (next.inputChanged === null && a.looseTarget === null) {
    return {
      retry: 'helped',
      verdict: `${UNCHANGED[reading.retry]}. Later call: worked`,
      retryBecause: `${failed}; ${number(next)} on the same target succeeded; its input was not recorded.${meanwhile} With the same input: ${reading.because}.`,
      next: habit(a),
    }
  }
  return {
    retry: 'helped',
    verdict: between === '' ? 'Yes: the same call worked' : 'Yes: the same call worked after other work',
    retryBecause: `${failed}; the same call succeeded as ${number(next)}.${meanwhile}`,
    next: habit(a),
  }
}

const ONLY_LOOKS = new RegExp(`${LOOKS_AROUND.source}|^git (?:status|log|diff|show|stash list)\\b`)
const BETWEEN_READ = 300

/**
 * `Edit on a/b.go and 2 more calls`: what was done between a failure and its success and may have made the difference. That it did is not
 * recorded, and not said. Empty when nothing of the kind was done.
 */
export function doneBetween(
  failed: WorkedCall,
  next: WorkedCall,
  { work: { calls }, saidBetween }: FailureContext,
): string {
  const could: WorkedCall[] = []
  const named = namesIn(decisiveText(failed))
  /** A command that speaks of what the message names may have done it even when a later part of it failed. */
  const meant = (a: WorkedCall): boolean =>
    a.looseTarget !== null && named.some((name) => a.target?.includes(name))
  for (let i = Math.max(failed.ordinal + 1, next.ordinal - BETWEEN_READ); i < next.ordinal; i++) {
    const a = calls[i]!
    if (
      (a.state !== 'succeeded' && !(a.state === 'failed' && meant(a))) ||
      (a.messageId !== null && a.messageId === failed.messageId)
    )
      continue
    const command =
      a.looseTarget !== null && a.target !== null && !ONLY_LOOKS.test(withoutPreparation(a.target))
    const sameFile = a.target !== null && a.target === failed.target
    if (CHANGES_FILES.has(a.tool) || command || sameFile) could.push(a)
  }
  const person = saidBetween(failed, next)
  const said = person === null ? '' : `a person said ${quoted(oneLine(person), 80)}`
  if (could.length === 0) return said
  // What touches the same file, or what the message names, first; then what came last.
  const tellingFirst = [...could.filter((a) => a.target === failed.target || meant(a)), ...could.toReversed()]
  const told = [
    ...new Set(
      tellingFirst.map((a) => `${callName(a, 40)}${a.state === 'failed' ? ' (which failed itself)' : ''}`),
    ),
  ].slice(0, 2)
  const more = could.length - told.length
  return `${said === '' ? '' : `${said}; `}${told.join(', ')}${more > 0 ? ` and ${some(more, 'more call')}` : ''}`
}

/** Last parts of the paths in a message: `impl-context` of `.erk/impl-context/ still present`. */
const namesIn = (message: string): string[] =>
  [...message.matchAll(/[\w.@~-]{0,100}(?:\/[\w.@~-]{1,100}){1,30}\/?/g)]
    .map(([path]) => path.split('/').findLast((part) => part !== '')!)
    .filter((name) => name.length >= 4)

/** For work that stayed as it was: what is known of it, and what is not. */
function whatBecame(focus: Focus, { work, ended }: FailureContext): string {
  const a = focus.call
  const repeats =
    focus.failedCalls > 1
      ? `It ran ${times(focus.failedCalls)}${isUnchanged(focus) ? ' with the same result' : ''}`
      : ''
  const again = focus.next
    ? `${repeats === '' ? 'The' : `${repeats}; the`} next retry has no result`
    : repeats !== ''
      ? `${repeats} and never succeeded`
      : isIncomparable(a)
        ? 'Receipts do not show if it was retried'
        : 'It was not retried'
  const writer = laterWriter(a, work)
  if (writer)
    return (
      `${again}; later ${callName(writer, 40)} (${number(writer)}) names the same file and may have made the change ` +
      '(inferred).'
    )
  return `${again}; unclear if ${ended ? 'the work was done another way' : 'another way would have worked'}.`
}

/** The next command that names the file of a failed change and may have written it. */
export function laterWriter(a: WorkedCall, { calls }: Work): WorkedCall | null {
  if (!CHANGES_FILES.has(a.tool) || a.target === null) return null
  for (const later of calls.slice(a.ordinal + 1, a.ordinal + 1 + BETWEEN_READ))
    if (
      later.state === 'succeeded' &&
      later.looseTarget !== null &&
      later.target !== null &&
      mayHaveWritten(later.target, a.target)
    )
      return later
  return null
}

/** The agent's own next words: a claim of the agent, and marked as one. */
function agentSaid(a: WorkedCall, { after }: FailureContext): string {
  const said = after(a).agent
  return said === null ? '' : ` Agent’s next message: ${quoted(oneLine(said), 150)}`
}

/** What the class of a failure and its words say about the same call, unchanged. */
function readFailure(focus: Focus, context: FailureContext): Reading {
  const a = focus.call
  const call = callName(a)
  const quote = quoted(decisiveText(a), 120)
  const said = context.after(a).person
  const steer =
    said === null
      ? 'Ask the person what they wanted and put it in the prompt.'
      : `Check if the agent followed the person’s next message: ${quoted(oneLine(said), 160)}.`
  const cannot = (because: string, next: string): Reading => ({ retry: 'cannot-help', because, next })
  switch (a.failureClass) {
    case 'user_rejected': {
      const earlier = personSaid(a) ? undefined : focus.failed.findLast((f) => f !== a && personSaid(f))
      if (earlier)
        return cannot(
          `a person rejected ${call} ${times(focus.failedCalls)}, saying at attempt ${earlier.numberInChain} ${quoted(decisiveText(earlier), 100)}`,
          steer,
        )
      return personSaid(a)
        ? cannot(`a person rejected ${call} and would reject it again`, `Do what the person asked: ${quote}.`)
        : cannot(`a person rejected ${call} without giving a reason and would reject it again`, steer)
    }
    case 'interrupted':
      return {
        retry: 'unknown',
        because: `a person interrupted ${call}; no reason was recorded`,
        next:
          said === null ? `Ask the person why. Rerun ${call} only if the interruption was a mistake.` : steer,
      }
    case 'not_read_first':
      return {
        retry: 'could-help',
        because: `the file must be read ${failureDetail(a) === 'changed_since_read' ? 'again ' : ''}before it is edited`,
        next: `Check if the file has the change ${call} was to make. If not, read the file and retry.`,
      }
    case 'edit_no_match':
      if (failureDetail(a) !== null)
        return cannot(
          'old and new text are the same, so the edit is always rejected',
          `If ${targetName(a)} already has the change, no action is needed. Otherwise edit with the new text.`,
        )
      return cannot(
        'the text to replace is not in the file, so the same edit cannot match',
        `Read the file. If the change from ${call} is still missing, edit with the current text.`,
      )
    case 'edit_multi_match':
      return cannot(
        'the same edit matches the same places again',
        `Retry ${call} with more surrounding text, or replace all matches.`,
      )
    case 'file_missing':
      if (a.looseTarget !== null) return readCommand(focus, context.work, context.cwd)
      return cannot(
        `${targetName(a)} does not exist, and a retry does not create it`,
        `Find the right path to ${targetName(a)} or the step that should have created it. No action needed if the agent was only exploring.`,
      )
    case 'is_dir':
      return cannot(
        'the path is a folder and cannot be read as a file',
        `List ${targetName(a)} and read the right file.`,
      )
    case 'sibling_cancelled': {
      const cause = a.attachedTo?.callId ? context.work.byId.get(a.attachedTo.callId) : undefined
      const beside = cause ? `${callName(cause)} (${number(cause)})` : 'a call'
      return {
        retry: 'could-help',
        because: `${call} never ran: it was cancelled when ${beside} failed in parallel`,
        next: `Fix ${cause ? beside : 'the call that failed in parallel'} first, then check if ${call} is still needed.`,
      }
    }
    case 'too_large':
      return cannot(
        'the result is always too large for the tool',
        `Use an offset and a limit, or a narrower search, for ${call}.`,
      )
    case 'permission_denied':
      return cannot(
        `${call} is denied under the same permissions`,
        `Grant permission for ${call}, or tell the agent how to work without it. ` +
          'Check that what it reports as done was really written.',
      )
    case 'hook':
      return cannot(
        `the hook blocks ${call} until its condition is met`,
        `Do what the hook says (${quote}), or change the hook.`,
      )
    case 'input_validation':
      return cannot('the tool rejects this input every time', `Retry ${call} with valid input: ${quote}.`)
    case 'task_output':
      return cannot(
        'the task does not exist, so waiting or retrying changes nothing',
        'Use the result of the call that started the task, or start a new task.',
      )
    case 'agent_failure': {
      const { retry, retryBecause, next } = adviseOnAgent({
        childId: a.childKey,
        kind: null,
        message: a.errorText,
      })
      return {
        retry,
        because: `${retryBecause.charAt(0).toLowerCase()}${retryBecause.slice(1).replace(/\.$/, '')}`,
        next,
      }
    }
    default:
      return readCommand(focus, context.work, context.cwd)
  }
}

/** For work that was done in the end: what would have spared the attempts. */
function habit(a: WorkedCall): string {
  switch (a.failureClass) {
    case 'not_read_first':
      return 'No action needed. Telling the agent to read files before editing them avoids this.'
    case 'user_rejected':
      return 'No action needed. Next time, put what the person wanted in the prompt.'
    case 'sibling_cancelled':
      return 'No action needed. Only the call that failed in parallel matters.'
    default:
      return 'No action needed.'
  }
}
