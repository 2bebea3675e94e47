import { folderChange, isRelative, missingIn } from '../calls/missing'
import { placeIn } from '../text/places'
import { oneLine } from '../text/visible'
import type { Focus, Work } from './focus'
import { isUnchanged } from './focus'
import type { WorkedCall } from './merge-calls'
import { callName, count, decisiveText, otherRecordsOf, quoted, some } from './phrases'
import type { ReasonPattern, Reading } from './reading'
import { readStep } from './step-readings'

/** Where the input of a call is to be found that only receipts tell of: nobody can run by hand what is not known. */
export const whatWasRun = (a: WorkedCall): string =>
  `The receipt does not hold what was run; that may stand in ${otherRecordsOf(a)}.`

/** What may have passed by the next attempt. */
const PASSES: ReasonPattern = {
  when: /\b(?:ECONN\w+|ENOTFOUND|ETIMEDOUT|timed? ?out|temporarily unavailable|connection (?:reset|refused)|could not resolve host|503|502|429)\b/i,
  retry: 'could-help',
  because: 'the message names a connection or a busy service, which may pass',
  next: 'Run it again; if it fails the same way, check that the service it calls is up',
}

/** Reasons in the words of a command's output, in the order they are looked for. */
const PATTERNS: readonly ReasonPattern[] = [
  {
    when: /unknown (?:sub-?)?(?:command|option|flag|skill)|unrecognized|invalid usage|Agent type '[^']*' not found|no such tool/i,
    retry: 'cannot-help',
    because: 'the name or option is not known there',
    next:
      'Use a name that exists (mend the program when a program made the call); nothing to do if the call was meant to fail, ' +
      'which the record does not say',
  },
  {
    when: /non-fast-forward|fetch first|tip of your current branch is behind/i,
    retry: 'cannot-help',
    because: 'the remote branch has commits that the local one lacks; pushing again is refused again',
    next: 'Fetch the remote branch, rebase or merge onto it, and push again',
  },
  {
    when: /argument list too long/i,
    retry: 'cannot-help',
    because: 'the command line is longer than the system takes; the same command fails each time',
    next: 'Hand the long text over in a file or on standard input; that is a change to the program, not to the call',
  },
  PASSES,
  {
    when: /ignored by one of your \.gitignore/i,
    retry: 'cannot-help',
    because: 'git refuses to add an ignored path each time',
    next: 'Take the path out of .gitignore, or add it with force if it belongs in the repository',
  },
  {
    when: /No rule to make target/i,
    retry: 'cannot-help',
    because: 'the makefile has no such target',
    next: 'Call a target that the makefile in that folder has, or add this one',
  },
]
const MISSING: ReasonPattern = {
  when: /no such file or directory|not found|does not exist|no matches found|did not match any files|cannot find module|No module named/i,
  retry: 'cannot-help',
  because: 'something that it needs is not there, and running it again does not make it',
  next: '',
}
const DENIED: ReasonPattern = {
  when: /permission denied|EACCES|not permitted|access denied/i,
  retry: 'cannot-help',
  because: 'the system denies it, each time',
  next: 'Give the account the right it needs, or use a place it may write to',
}

/** Words by which a check says that it does not hold; whether the check or the work is wrong they do not say. */
const CHECK =
  /^(?:\s*(?:✗|✖|✘|❌|×|\[FAIL\]|FAIL:|FAILED\b|not ok\b|--- FAIL:|E\s{2,}assert)|.*\b(?:AssertionError|assertion failed|expected\b.*\b(?:got|to|but|received)\b|should not\b|should be\b|tests? failed))/i
const EXCEPTION = /^\[?(?:[\w$]+\.)*[A-Z]\w*(?:Error|Exception)\b/

/** What the failure of a command says, most exact words first. */
export function readCommand(focus: Focus, work: Work, cwd: string | null): Reading {
  const a = focus.call
  const text = decisiveText(a)
  const call = callName(a)
  const quote = quoted(text, 120) || call
  if (a.isStep) return readStep(a, text)
  const pattern = PATTERNS.find((p) => p.when.test(text))
  if (pattern) {
    const next = `${pattern.next}: ${quote}.`
    return {
      retry: pattern.retry,
      because: pattern.because,
      next: a.receiptOnly && pattern === PASSES ? `${next} ${whatWasRun(a)}` : next,
    }
  }
  if (MISSING.when.test(text)) return readMissing(a, text, quote, work, cwd)
  if (DENIED.when.test(text))
    return { retry: DENIED.retry, because: DENIED.because, next: `${DENIED.next}: ${quote}.` }
  return readOther(focus, text, call, quote)
}

/** Something is not there: which, and where it was looked for as far as the record says. */
function readMissing(a: WorkedCall, text: string, quote: string, work: Work, cwd: string | null): Reading {
  const thing = missingIn(text)
  if (/command not found/i.test(text)) {
    const program = thing === null ? 'the program that it calls' : `the program ${quoted(oneLine(thing), 80)}`
    const which = thing === null ? '; which one, the message does not say' : ''
    return {
      retry: 'cannot-help',
      because: `${program} is not found there`,
      next: `Install ${program}, or call it by the path where it is${which}: ${quote}.`,
    }
  }
  const command = a.looseTarget === null ? null : a.target
  if (thing === null)
    return {
      retry: MISSING.retry,
      because: MISSING.because,
      next: `Find out what should have made the missing thing, or the right path to it: ${quote}.`,
    }
  const named = quoted(oneLine(thing), 80)
  if (/^\d+$/.test(thing))
    return {
      retry: 'cannot-help',
      because: `the program took ${named} for a path, which it hardly is (inferred)`,
      next: `Look up how that program is told what ${named} was to mean: its options differ from those in the command.`,
    }
  if (command !== null && isRelative(thing)) {
    const own = folderChange(command)
    if (own !== null)
      return {
        retry: 'cannot-help',
        because: `${named} is looked for from ${quoted(oneLine(own), 60)}, where the command itself goes first`,
        next: `Give ${named} as an absolute path, or call it before the change of folder.`,
      }
    const before = lastFolderChange(a, work)
    if (before !== null && before.folder !== cwd)
      return {
        retry: 'cannot-help',
        because:
          `${named} is looked for where the shell stands; call ${count(before.call.ordinal + 1)} went to ${quoted(oneLine(before.folder), 60)}, ` +
          'and the shell may still be there (inferred)',
        next: `Use an absolute path for ${named}, or go back to the first folder before the command.`,
      }
  }
  return {
    retry: MISSING.retry,
    because: `${named} is not there, and running it again does not make it`,
    next: `Find out what should have made ${named}, or the right path to it; which of the two, the record does not say.`,
  }
}

const CALLS_READ_BACK = 500

/** The change of folder that the shell of the agent made last before a call, whether or not it held. */
function lastFolderChange(a: WorkedCall, { calls }: Work): { call: WorkedCall; folder: string } | null {
  for (let i = a.ordinal - 1; i >= Math.max(0, a.ordinal - CALLS_READ_BACK); i--) {
    const call = calls[i]
    if (!call || call.looseTarget === null || call.target === null) continue
    const folder = folderChange(call.target)
    if (folder !== null) return { call, folder }
  }
  return null
}

/** No known words: what remains is where the message points, how often it came, and with what exit code. */
function readOther(focus: Focus, text: string, call: string, quote: string): Reading {
  const a = focus.call
  const place = placeIn(a.errorText ?? '', text)
  const at = place === null ? null : `${oneLine(shortPath(place.file))} line ${place.line}`
  const code = a.exitCode === null ? '' : ` (exit code ${a.exitCode})`
  const same = focus.failedCalls > 1 && isUnchanged(focus)
  const noPlace = `The message${a.errorTextCut ? ', as far as it is kept here,' : ''} names no file or line`
  const again = a.receiptOnly ? 'let the agent make the call again' : `run ${call} again`
  const notKnown = a.receiptOnly
    ? byOtherRecords(a, text)
    : text === ''
      ? `There is no message, so what to mend is not known: run ${call} by hand and read its whole output${code}.`
      : `${noPlace}, so what to mend is not known: run ${call} by hand and start from ${quote}${code}.`
  const by = (because: string): string =>
    same ? `${some(focus.failedCalls, 'attempt', 'attempts')} gave the same answer: ${because}` : because
  if (CHECK.test(text))
    return {
      retry: 'cannot-help',
      because: by('a check does not hold, and does not until the work or the check changes'),
      next:
        'Decide whether the work or the check is wrong, which the record does not say; ' +
        `${at === null ? '' : `begin at ${at}, `}change that one and ${again}: ${quote}.`,
    }
  if (EXCEPTION.test(text) && !a.tool.startsWith('mcp__'))
    return {
      retry: 'cannot-help',
      because: by('the program broke off with an error of its own; the same input leads there again'),
      next:
        at === null
          ? `${noPlace}: find what raises ${quote} (settings and versions of the program too), mend that and ${again}.`
          : `Mend the program at ${at}: ${quote}; then ${again}.`,
    }
  if (same)
    return {
      retry: 'cannot-help',
      because: `${some(focus.failedCalls, 'attempt', 'attempts')} gave the same answer, and nothing between them changed it`,
      next: at === null ? notKnown : `Mend ${at}: ${quote}; then ${again}.`,
    }
  if (a.tool.startsWith('mcp__'))
    return {
      retry: 'unknown',
      because: 'it failed inside the server that offers the tool; the record does not show why',
      next: `Check the log and version of that server: ${quote}.`,
    }
  if (at !== null)
    return {
      retry: 'cannot-help',
      because: 'the message points at a place in the code, which stays as it is until it is changed',
      next: `Mend ${at}: ${quote}; then ${again}.`,
    }
  if (a.failureClass === 'exit_code')
    return {
      retry: 'cannot-help',
      because:
        'a command that fails on its own input gives the same answer until that input changes (inferred)',
      next: notKnown,
    }
  return {
    retry: 'unknown',
    because:
      text === ''
        ? 'there is no message that could say whether another attempt would end differently'
        : 'nothing in the message says whether another attempt would end differently',
    next: a.receiptOnly
      ? byOtherRecords(a, text)
      : `Run ${call} by hand and read its whole output; ${text === '' ? 'there is no message to start from' : `the message alone, ${quote}, does not say what to mend`}.`,
  }
}

/** What to do where neither the message nor the receipt says what to mend. */
const byOtherRecords = (a: WorkedCall, text: string): string =>
  text === ''
    ? `The receipt holds neither a message nor what was run; both may stand in ${otherRecordsOf(a)}.`
    : `The message alone, ${quoted(text, 120)}, does not say what to mend. ${whatWasRun(a)}`

/** The last three names of a path. */
const shortPath = (path: string): string => {
  const names = path.split(/[\\/]/).filter((n) => n !== '')
  return names.length <= 3 ? path : names.slice(-3).join('/')
}
