import type { AssertedAttempt } from './merge-calls'
import type { Command } from './workflow-commands'
import type { CommandFact, CountedAttempt } from '../../model/workflow-facts'

/** Which piece of work a command does, and which attempt of it that is where the engine says so. */
export interface CommandWork {
  /** Tells pieces of work of one step apart; null where it has one. */
  target: string | null
  counted: AssertedAttempt | null
}

/**
 * Which commands of a step are attempts of one piece of work. Where the engine counts the attempts of all of them that is its word: the first attempt
 * begins a piece of its own, as each item of a loop does, and a later one continues with it. Else it is inferred: commands of one step are
 * attempts of one work, unless the step is a loop.
 *
 * @see docs/sources/noetl.md
 */
export function readWorks(
  commands: readonly Command[],
  commandFacts: readonly CommandFact[],
  loops: ReadonlySet<string>,
): Map<Command, CommandWork> {
  const attempts = countedAttempts(commands, commandFacts)
  const steps = new Map<string, Command[]>()
  for (const command of commands) {
    const known = steps.get(command.step)
    if (known) known.push(command)
    else steps.set(command.step, [command])
  }
  const works = new Map<Command, CommandWork>()
  for (const [step, all] of steps) {
    const isLoop = loops.has(step)
    if (all.every((command) => attempts.has(command))) readCounted(all, attempts, isLoop, works)
    else
      for (const [i, command] of all.entries())
        works.set(command, { target: isLoop ? `item ${i + 1}` : null, counted: null })
  }
  return works
}

/** How often each command was tried, as its own row says, else the table of commands. */
function countedAttempts(
  commands: readonly Command[],
  commandFacts: readonly CommandFact[],
): Map<Command, CountedAttempt> {
  const byEvent = new Map(
    commandFacts.flatMap((fact) => (fact.eventId === null ? [] : [[fact.eventId, fact] as const])),
  )
  const byId = new Map(commandFacts.map((fact) => [fact.commandId, fact]))
  // The table knows the last attempt of a command that was issued several times.
  const last = new Map(
    commands.flatMap((command) =>
      command.commandId === null ? [] : [[command.commandId, command] as const],
    ),
  )
  const attempts = new Map<Command, CountedAttempt>()
  for (const command of commands) {
    const own = command.rows.find(({ row }) => row.attempt !== undefined)?.row.attempt
    const fact =
      byEvent.get(command.id) ??
      (command.commandId !== null && last.get(command.commandId) === command
        ? byId.get(command.commandId)
        : undefined)
    const counted = own ?? fact?.attempt
    if (counted !== undefined)
      attempts.set(command, { number: counted.number, max: counted.max ?? fact?.attempt.max ?? null })
  }
  return attempts
}

function readCounted(
  commands: readonly Command[],
  attempts: ReadonlyMap<Command, CountedAttempt>,
  isLoop: boolean,
  works: Map<Command, CommandWork>,
): void {
  /** Pieces of work by the number of their last attempt, the oldest first. */
  const byLast = new Map<number, { piece: number; command: Command }[]>()
  let pieces = 0
  const placed = commands.map((command) => {
    const counted = attempts.get(command)!
    const waiting = counted.number === 1 ? [] : (byLast.get(counted.number - 1) ?? [])
    // What came to a good end is not tried again.
    const open = waiting.filter((one) => !isWell(one.command))
    const [before] = open.length > 0 ? open : waiting
    const piece = before?.piece ?? pieces++
    if (before) waiting.splice(waiting.indexOf(before), 1)
    const same = byLast.get(counted.number)
    if (same) same.push({ piece, command })
    else byLast.set(counted.number, [{ piece, command }])
    // Of several items that wait for the same try nobody says which one it is.
    return {
      command,
      piece,
      counted: { ...counted, asserted: open.length < 2 && (open.length === 1 || waiting.length === 0) },
    }
  })
  for (const { command, piece, counted } of placed) {
    const target = isLoop ? `item ${piece + 1}` : pieces > 1 ? `pass ${piece + 1}` : null
    works.set(command, { target, counted })
  }
}

const isWell = ({ ended, rows }: Command): boolean =>
  ended && rows.every(({ row }) => row.label !== 'tool_error' && row.label !== 'agent_failure')
