import type { ExecutionEvidence } from '../model/summary'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const RESUMES = ['--resume', '-r']
const NAMES_SESSION = [...RESUMES, '--session-id']
const SESSION_FLAGS = ['--continue', '--fork-session']

/**
 * Sessions that an execution continues from and that are not it: those that its processes were asked to resume, and those that its transcript
 * says it was forked from. A session that is resumed under its own id stays one execution, and a part of a session resumes nothing.
 *
 * @param key external id of the execution
 * @see docs/sources/attempts.md#chains
 */
export function resumedSessions(
  key: string,
  { runs, forkedFrom }: Pick<ExecutionEvidence, 'runs' | 'forkedFrom'>,
): string[] {
  if (key.includes('/')) return []
  const named = [...runs.flatMap(({ fact }) => sessionsIn(fact.command)), ...forkedFrom]
  return [...new Set(named)].filter((session) => session !== key).sort()
}

/** What follows the flag must be the id of a session: it also takes words to look for, or nothing. */
function sessionsIn(command: readonly string[]): string[] {
  return flagsIn(command).flatMap(({ flag, value }) =>
    RESUMES.includes(flag) && value !== null ? value.toLowerCase() : [],
  )
}

/** A command without what says which session it continues from: that is another one at each attempt of the same work. */
export function withoutSession(command: readonly string[]): string[] {
  const flags = flagsIn(command)
  return command.filter((_, i) => !flags.some(({ from, to }) => i >= from && i < to))
}

interface Flag {
  flag: string
  value: string | null
  from: number
  to: number
}

function flagsIn(command: readonly string[]): Flag[] {
  const found: Flag[] = []
  const end = command.indexOf('--')
  const last = end < 0 ? command.length : end
  for (let from = 1; from < last; from++) {
    const [, flag = '', joined] = /^(-{1,2}[a-z-]+)(?:=(.*))?$/s.exec(command[from]!) ?? []
    const given = joined ?? command[from + 1]
    if (NAMES_SESSION.includes(flag) && given !== undefined && UUID.test(given)) {
      found.push({ flag, value: given, from, to: joined === undefined ? from + 2 : from + 1 })
    } else if (SESSION_FLAGS.includes(flag) && joined === undefined)
      found.push({ flag, value: null, from, to: from + 1 })
  }
  return found
}
