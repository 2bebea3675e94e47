import type { Place } from './merge-streams'
import type { RowFact } from '../../model/workflow-facts'

export interface HeldRow {
  place: Place
  row: RowFact
}

/** One command of a step, with the rows that are taken to be its own. */
export interface Command {
  /** Of its first row. */
  id: string
  /** As the tables name it; null where no row of it does. */
  commandId: string | null
  step: string
  first: HeldRow
  rows: HeldRow[]
  issued: boolean
  ended: boolean
  replied: boolean
}

/** The commands of a run, in the order in which their first rows stand. @param rows in the order of their ids */
export function readCommands(rows: readonly HeldRow[]): Command[] {
  const commands: Command[] = []
  const open = new Map<string, Command[]>()
  const named = new Map<string, Command>()
  for (const held of rows) {
    const { type, node, commandId } = held.row
    if (node === null || !/^(?:command|call|step)\./.test(type)) continue
    const waiting = open.get(node) ?? []
    open.set(node, waiting)
    let command = ownerOf(held.row, waiting, commandId === undefined ? undefined : named.get(commandId))
    if (command === undefined) {
      const id = held.row.eventId ?? held.place.identity
      command = {
        id,
        commandId: null,
        step: node,
        first: held,
        rows: [],
        issued: false,
        ended: false,
        replied: false,
      }
      commands.push(command)
      waiting.push(command)
    }
    if (commandId !== undefined) {
      command.commandId ??= commandId
      named.set(commandId, command)
    }
    command.rows.push(held)
    if (type === 'command.issued') command.issued = true
    if (type.startsWith('call.')) command.replied = true
    if (ENDS_COMMAND.test(type)) {
      command.ended = true
      const place = waiting.indexOf(command)
      if (place >= 0) waiting.splice(place, 1)
    }
  }
  return commands
}

const ENDS_COMMAND = /^command\.(?:completed|failed|cancelled)$/

/** The command that a row belongs to: the one that it names, else one of its step that is open; undefined when it begins another. */
function ownerOf(
  { type, commandId }: RowFact,
  waiting: readonly Command[],
  named: Command | undefined,
): Command | undefined {
  // The engine issues a command that it tries again under the id that it has.
  if (type === 'command.issued') return named?.issued === false ? named : undefined
  if (named !== undefined) return named
  return openOne(commandId === undefined ? waiting : waiting.filter((one) => one.commandId === null), type)
}

function openOne(waiting: readonly Command[], type: string): Command | undefined {
  if (type.startsWith('call.')) return waiting.find((one) => !one.replied) ?? waiting[0]
  if (type === 'step.exit' || ENDS_COMMAND.test(type)) return waiting.find((one) => one.replied) ?? waiting[0]
  return waiting.at(-1)
}
