import { folderChange, isRelative, missingIn } from '../calls/missing'
import type { WorkedCall } from '../calls/merge-calls'
import type { Work } from '../causes/work'
import { messageText } from '../message-text'
import type { CallFacts } from './call-facts'
import type { CallRules } from './call-answer'
import { onError } from './error-sign'
import { noParams } from './no-params'

/** Something that a command needs is not there: which, and where it was looked for as far as the record says. */
const RULES: CallRules = [
  {
    id: 'program_missing',
    when: ({ error }) => /command not found/i.test(error),
    verdict: (facts) => ({
      retry: 'wont_help',
      next: { id: 'install_program', params: { program: thingOf(facts), error: facts.quote } },
    }),
    params: (facts) => ({ program: thingOf(facts) }),
  },
  {
    id: 'something_missing',
    when: (facts) => thingOf(facts) === null,
    verdict: (facts) => ({ retry: 'wont_help', next: onError('find_creator', facts) }),
    params: noParams,
  },
  {
    id: 'number_read_as_path',
    when: (facts) => /^\d+$/.test(thingOf(facts)!),
    verdict: (facts) => ({
      retry: 'wont_help',
      next: { id: 'check_options', params: { thing: thingOf(facts)! } },
    }),
    params: (facts) => ({ thing: thingOf(facts)! }),
  },
  {
    id: 'missing_after_own_cd',
    when: (facts) => ownFolder(facts) !== null,
    verdict: (facts) => ({
      retry: 'wont_help',
      next: { id: 'absolute_path_before_cd', params: { thing: thingOf(facts)! } },
    }),
    params: (facts) => ({ thing: thingOf(facts)!, folder: messageText(ownFolder(facts)!) }),
  },
  {
    id: 'missing_after_earlier_cd',
    when: (facts) => folderBefore(facts) !== null,
    verdict: (facts) => ({
      retry: 'wont_help',
      next: { id: 'absolute_path_after_cd', params: { thing: thingOf(facts)! } },
    }),
    params: (facts) => {
      const { call, folder } = folderBefore(facts)!
      return { thing: thingOf(facts)!, folder: messageText(folder), number: call.ordinal + 1 }
    },
  },
  {
    id: 'thing_missing',
    when: () => true,
    verdict: (facts) => ({
      retry: 'wont_help',
      next: { id: 'find_creator_of', params: { thing: thingOf(facts)! } },
    }),
    params: (facts) => ({ thing: thingOf(facts)! }),
  },
]

const MISSING =
  /no such file or directory|not found|does not exist|no matches found|did not match any files|cannot find module|No module named/i

export const MISSING_RULES: CallRules = RULES.map((rule) => ({
  ...rule,
  when: (facts) => MISSING.test(facts.error) && rule.when(facts),
}))

function thingOf({ error }: CallFacts): string | null {
  const thing = missingIn(error)
  return messageText(thing)
}

/** The command of a failure that looked for a relative path. */
const relativeIn = (facts: CallFacts): string | null => {
  const { target, looseTarget } = facts.failed
  return looseTarget !== null && isRelative(thingOf(facts)!) ? target : null
}

/** The folder that the command itself changes to. */
function ownFolder(facts: CallFacts): string | null {
  const command = relativeIn(facts)
  return command === null ? null : folderChange(command)
}

/** The folder that an earlier command changed to, where the shell may still be; null where the run began in it. */
function folderBefore(facts: CallFacts): { call: WorkedCall; folder: string } | null {
  if (relativeIn(facts) === null) return null
  const before = lastFolderChange(facts.failed, facts.context.work)
  return before !== null && before.folder !== facts.context.cwd ? before : null
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
