import { folderChange, isRelative, missingIn } from '../calls/missing'
import { placeIn } from '../../text/places'
import { oneLine } from '../../text/visible'
import type { Focus, Work } from './focus'
import { isUnchanged } from './focus'
import type { WorkedCall } from '../calls/merge-calls'
import { callName, count, decisiveText, otherRecordsOf, quoted, some } from './phrases'
import type { ReasonPattern, Reading } from './reading'
import { readStep } from './step-readings'

/** Where the input of a call is to be found that only receipts tell of: nobody can run by hand what is not known. */
export const whatWasRun = (a: WorkedCall): string =>
  `The receipt does not include the input. Look in ${otherRecordsOf(a)}.`

/** What may have passed by the next attempt. */
const PASSES: ReasonPattern = {
  when: /\b(?:ECONN\w+|ENOTFOUND|ETIMEDOUT|timed? ?out|temporarily unavailable|connection (?:reset|refused)|could not resolve host|503|502|429)\b/i,
  retry: 'could-help',
  because: 'connection errors and busy services are often temporary',
  next: 'Rerun it. If it fails again, check that the service it calls is up',
}

/** Reasons in the words of a command's output, in the order they are looked for. */
const PATTERNS: readonly ReasonPattern[] = [
  {
    when: /unknown (?:sub-?)?(?:command|option|flag|skill)|unrecognized|invalid usage|Agent type '[^']*' not found|no such tool/i,
    retry: 'cannot-help',
    because: 'the name or option does not exist there',
    next: 'Use an existing name (fix the program if a program made the call). No action needed if the call was meant to fail',
  },
  {
    when: /non-fast-forward|fetch first|tip of your current branch is behind/i,
    retry: 'cannot-help',
    because: 'the remote branch has commits the local one lacks, so pushing again fails',
    next: 'Fetch, rebase or merge the remote branch, then push again',
  },
  {
    when: /argument list too long/i,
    retry: 'cannot-help',
    because: 'the command line is too long for the system',
    next: 'Pass the text in a file or on stdin; this means changing the program',
  },
  PASSES,
  {
    when: /ignored by one of your \.gitignore/i,
    retry: 'cannot-help',
    because: 'git refuses to add an ignored path',
    next: 'Remove the path from .gitignore, or use git add -f if it belongs in the repository',
  },
  {
    when: /No rule to make target/i,
    retry: 'cannot-help',
    because: 'the makefile has no such target',
    next: 'Use a target the makefile has, or add this one',
  },
]
const MISSING: ReasonPattern = {
  when: /no such file or directory|not found|does not exist|no matches found|did not match any files|cannot find module|No module named/i,
  retry: 'cannot-help',
  because: 'something it needs is missing, and a retry does not create it',
  next: '',
}
const DENIED: ReasonPattern = {
  when: /permission denied|EACCES|not permitted|access denied/i,
  retry: 'cannot-help',
  because: 'the system denies it every time',
  next: 'Grant the account the permission, or use a writable path',
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
    const program = thing === null ? 'the program it calls' : `the program ${quoted(oneLine(thing), 80)}`
    const which = thing === null ? ' (the error does not name it)' : ''
    return {
      retry: 'cannot-help',
      because: `${program} was not found`,
      next: `Install ${program} or use its full path${which}: ${quote}.`,
    }
  }
  const command = a.looseTarget === null ? null : a.target
  if (thing === null)
    return {
      retry: MISSING.retry,
      because: MISSING.because,
      next: `Find what should have created the missing file, or its right path: ${quote}.`,
    }
  const named = quoted(oneLine(thing), 80)
  if (/^\d+$/.test(thing))
    return {
      retry: 'cannot-help',
      because: `the program read ${named} as a path, which is probably wrong (inferred)`,
      next: `Check the program’s options: ${named} is not passed the way it expects.`,
    }
  if (command !== null && isRelative(thing)) {
    const own = folderChange(command)
    if (own !== null)
      return {
        retry: 'cannot-help',
        because: `the command changes to ${quoted(oneLine(own), 60)} first and looks for ${named} there`,
        next: `Use an absolute path for ${named}, or call it before the cd.`,
      }
    const before = lastFolderChange(a, work)
    if (before !== null && before.folder !== cwd)
      return {
        retry: 'cannot-help',
        because:
          `${named} is relative, and call ${count(before.call.ordinal + 1)} changed to ${quoted(oneLine(before.folder), 60)}; ` +
          'the shell may still be there (inferred)',
        next: `Use an absolute path for ${named}, or change back to the first folder.`,
      }
  }
  return {
    retry: MISSING.retry,
    because: `${named} does not exist, and a retry does not create it`,
    next: `Find what should have created ${named}, or its right path.`,
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
  const noPlace = `The error${a.errorTextCut ? ' (truncated here)' : ''} names no file or line`
  const again = a.receiptOnly ? 'let the agent retry the call' : `rerun ${call}`
  const notKnown = a.receiptOnly
    ? byOtherRecords(a, text)
    : text === ''
      ? `There is no error message. Run ${call} by hand and read its full output${code}.`
      : `${noPlace}. Run ${call} by hand and start from ${quote}${code}.`
  const by = (because: string): string =>
    same ? `${some(focus.failedCalls, 'attempt', 'attempts')} failed the same way: ${because}` : because
  if (CHECK.test(text))
    return {
      retry: 'cannot-help',
      because: by('a check fails until the work or the check changes'),
      next:
        `Decide if the work or the check is wrong${at === null ? '' : ` (start at ${at})`}, ` +
        `fix it and ${again}: ${quote}.`,
    }
  if (EXCEPTION.test(text) && !a.tool.startsWith('mcp__'))
    return {
      retry: 'cannot-help',
      because: by('the program crashed, and the same input crashes it again'),
      next:
        at === null
          ? `${noPlace}. Find what raises ${quote} (check settings and versions too), fix it and ${again}.`
          : `Fix the program at ${at}: ${quote}. Then ${again}.`,
    }
  if (same)
    return {
      retry: 'cannot-help',
      because: `${some(focus.failedCalls, 'attempt', 'attempts')} failed the same way, and nothing changed between them`,
      next: at === null ? notKnown : `Fix ${at}: ${quote}. Then ${again}.`,
    }
  if (a.tool.startsWith('mcp__'))
    return {
      retry: 'unknown',
      because: 'it failed inside the MCP server, and the reason was not recorded',
      next: `Check the server’s log and version: ${quote}.`,
    }
  if (at !== null)
    return {
      retry: 'cannot-help',
      because: 'the error points at code that must change first',
      next: `Fix ${at}: ${quote}. Then ${again}.`,
    }
  if (a.failureClass === 'exit_code')
    return {
      retry: 'cannot-help',
      because: 'a command that fails on its input fails again until the input changes (inferred)',
      next: notKnown,
    }
  return {
    retry: 'unknown',
    because:
      text === ''
        ? 'there is no error message to predict a retry from'
        : 'the error does not say if a retry would help',
    next: a.receiptOnly
      ? byOtherRecords(a, text)
      : `Run ${call} by hand and read its full output; ${text === '' ? 'there is no error message to start from' : `the error alone, ${quote}, does not say what to fix`}.`,
  }
}

/** What to do where neither the message nor the receipt says what to mend. */
const byOtherRecords = (a: WorkedCall, text: string): string =>
  text === ''
    ? `The receipt includes neither the error nor the input. Look in ${otherRecordsOf(a)}.`
    : `The error alone, ${quoted(text, 120)}, does not say what to fix. ${whatWasRun(a)}`

/** The last three names of a path. */
const shortPath = (path: string): string => {
  const names = path.split(/[\\/]/).filter((n) => n !== '')
  return names.length <= 3 ? path : names.slice(-3).join('/')
}
