import { CHANGES_FILES, isIncomparable, LOOKS_AROUND } from '../calls/retry-chain'
import { mayHaveWritten } from '../calls/missing'
import { exactWords } from '../calls/failure-words'
import { oneLine } from '../text/visible'
import { isUnchanged, type Focus, type Work } from './focus'
import type { WorkedCall } from './merge-calls'
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
import type { Advice } from './types'

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
  helped: 'Unchanged: yes',
  'could-help': 'Unchanged: perhaps',
  'cannot-help': 'Unchanged: no',
  unknown: 'Unchanged: not known',
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
      verdict: `${UNCHANGED[reading.retry]}. Another way${between === '' ? '' : ', after something else'}: yes`,
      retryBecause:
        `${call} failed ${times(focus.failedCalls)}: ${reading.because}. Later ${callName(focus.otherwise)} (${number(focus.otherwise)}) ` +
        `succeeded, which looks like the same work (inferred).${between === '' ? '' : ` In between: ${between}.`}`,
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
  const told = between === '' ? '' : ` In between: ${between}.`
  if (next.inputChanged && a.looseTarget === null) {
    return {
      retry: 'helped',
      verdict: `${UNCHANGED[reading.retry]}. After a change: yes, it worked`,
      retryBecause:
        `${failed}; ${number(next)} on the same target succeeded with another input` +
        `${a.failureClass === 'user_rejected' ? ', which the person let through' : ''}.${told} Why not unchanged: ${reading.because}.`,
      next: habit(a),
    }
  }
  if (next.inputChanged === null && a.looseTarget === null) {
    return {
      retry: 'helped',
      verdict: `${UNCHANGED[reading.retry]}. A later attempt: yes, it worked`,
      retryBecause: `${failed}; ${number(next)} on the same target succeeded, with which input the record does not say.${told} Of the same input: ${reading.because}.`,
      next: habit(a),
    }
  }
  return {
    retry: 'helped',
    verdict: between === '' ? 'Yes: the same call worked' : 'Yes: the same call worked, after something else',
    retryBecause: `${failed}; the same call succeeded as ${number(next)}.${told}`,
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
      ? `It was tried ${times(focus.failedCalls)}${isUnchanged(focus) ? ', with the same answer each time' : ''}`
      : ''
  const again = focus.next
    ? `${repeats === '' ? 'The' : `${repeats}; the`} next attempt of the same call has no result`
    : repeats !== ''
      ? `${repeats}, never with success`
      : isIncomparable(a)
        ? 'Whether the same call was made again, the receipts do not tell'
        : 'The same call was not made again'
  const writer = laterWriter(a, work)
  if (writer)
    return (
      `${again}; later ${callName(writer, 40)} (${number(writer)}) names the same file and may have made the change, ` +
      'which the record does not prove.'
    )
  return `${again}; whether ${ended ? 'the work was done another way' : 'another way would have worked'} is not known.`
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
  return said === null ? '' : ` The agent said next: ${quoted(oneLine(said), 150)}`
}

/** What the class of a failure and its words say about the same call, unchanged. */
function readFailure(focus: Focus, context: FailureContext): Reading {
  const a = focus.call
  const call = callName(a)
  const quote = quoted(decisiveText(a), 120)
  const said = context.after(a).person
  const steer =
    said === null
      ? 'Ask the person what they wanted instead, and give the agent that.'
      : `See whether the agent did what the person said next: ${quoted(oneLine(said), 160)}.`
  const cannot = (because: string, next: string): Reading => ({ retry: 'cannot-help', because, next })
  switch (a.failureClass) {
    case 'user_rejected': {
      const earlier = personSaid(a) ? undefined : focus.failed.findLast((f) => f !== a && personSaid(f))
      if (earlier)
        return cannot(
          `a person refused ${call} ${times(focus.failedCalls)}, at attempt ${earlier.numberInChain} with the words ${quoted(decisiveText(earlier), 100)}`,
          steer,
        )
      return personSaid(a)
        ? cannot(
            `a person refused ${call}; the same call would be refused again`,
            `Change the request as the person asked: ${quote}.`,
          )
        : cannot(`a person refused ${call} without a word why; the same call would be refused again`, steer)
    }
    case 'interrupted':
      return {
        retry: 'unknown',
        because: `a person interrupted ${call}; the record does not say why`,
        next: said === null ? `Ask the person why; run ${call} again only if the stop was not meant.` : steer,
      }
    case 'not_read_first':
      return {
        retry: 'could-help',
        because: `the file only had to be read ${exactWords(a) === 'changed since reading' ? 'again ' : ''}first`,
        next: `Check whether the change that ${call} was to make is in the file; if not, read the file and repeat it.`,
      }
    case 'edit_no_match':
      if (exactWords(a) !== null)
        return cannot(
          'the edit asks for no change, so it is turned down each time',
          `Look whether ${targetName(a)} already holds what was wanted: then nothing is to do; else repeat the edit with the new text.`,
        )
      return cannot(
        'the text to replace is not in the file, so the same edit cannot match',
        `Read the file as it is now and see whether the change of ${call} is still missing; if so, edit with the text that stands there.`,
      )
    case 'edit_multi_match':
      return cannot(
        'the same edit finds the same places again',
        `Repeat ${call} with more of the text around the place, or replace all places.`,
      )
    case 'file_missing':
      if (a.looseTarget !== null) return readCommand(focus, context.work, context.cwd)
      return cannot(
        `there is no ${targetName(a)}; asking for it again does not create it`,
        `Find where ${targetName(a)} really is, or which earlier step should have made it; nothing to do when the agent was only looking.`,
      )
    case 'is_dir':
      return cannot(
        'the path is a folder; reading it as a file fails each time',
        `List ${targetName(a)} and read the file that was meant.`,
      )
    case 'sibling_cancelled': {
      const cause = a.attachedTo?.callId ? context.work.byId.get(a.attachedTo.callId) : undefined
      const beside = cause ? `${callName(cause)} (${number(cause)})` : 'a call'
      return {
        retry: 'could-help',
        because: `${call} itself was never run: it was cancelled because ${beside} failed beside it`,
        next: `Look at ${cause ? beside : 'the call that failed beside it'} first, then see whether ${call} was still needed.`,
      }
    }
    case 'too_large':
      return cannot(
        'the answer is too large for the tool, each time',
        `Ask for a part: an offset and a limit, or a narrower search, instead of the whole of ${call}.`,
      )
    case 'permission_denied':
      return cannot(
        `under the same permissions ${call} is refused again`,
        `Grant the permission for ${call} if it is wanted, or tell the agent how to do without; ` +
          'check that what it reports as done was really written.',
      )
    case 'hook':
      return cannot(
        `the hook blocks ${call} until what it asks for is done`,
        `Do what the hook says (${quote}), or change the hook.`,
      )
    case 'input_validation':
      return cannot(
        'the input does not fit the tool; unchanged it never will',
        `Call ${call} again with what is missing: ${quote}.`,
      )
    case 'task_output':
      return cannot(
        'there is no such task, so waiting or asking again changes nothing',
        'Use the result that the call which started the task gave back, or start the task anew.',
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
      return 'Nothing to mend; telling the agent to read a file before it edits it would have spared the attempts.'
    case 'user_rejected':
      return 'Nothing to mend; a person steered the run. What they wanted instead belongs in the prompt next time.'
    case 'sibling_cancelled':
      return 'Nothing to mend; only the call that failed beside it matters.'
    default:
      return 'Nothing to mend for this run.'
  }
}
