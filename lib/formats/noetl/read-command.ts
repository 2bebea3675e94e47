import { eventIdOf, eventTypeOf } from './event-row'
import { member, type ExactObject } from '../../text/exact-json'
import { integerDigits } from '../../text/exact-number'
import type { RecordContent } from '../claude/draft'
import { idText } from '../claude/text'
import { countedAttempt, textOf, timeOfRow } from './read-row'
import type { CommandFact } from '../../model/workflow-facts'

const commandIdOf = (row: ExactObject): string | null => integerDigits(member(row, 'command_id'))

/** Whether an object is a row of the table of commands: it names a command and which attempt that is, and no type of an event. */
export const isCommand = (row: ExactObject): boolean =>
  eventTypeOf(row) === '' &&
  !Object.hasOwn(row, 'events') &&
  commandIdOf(row) !== null &&
  countedAttempt(row) !== null

/** What a row of the table of commands says of its command: above all which attempt of its work it is, which no reply of the API does. */
export function readCommand(row: ExactObject): RecordContent {
  const issuedBy = eventIdOf(row)
  const fact: CommandFact = {
    commandId: idText(commandIdOf(row)!),
    eventId: issuedBy === null ? null : idText(String(issuedBy)),
    step: textOf(member(row, 'node_name'), 300),
    status: textOf(member(row, 'status'), 100),
    attempt: countedAttempt(row)!,
    changedAt: timeOfRow({ created_at: member(row, 'updated_at') ?? member(row, 'created_at') ?? null }),
  }
  const error = textOf(member(row, 'error'), 1_000)
  return {
    kind: 'meta',
    summary: {
      id: 'command',
      params: { step: fact.step, attempt: fact.attempt, status: fact.status, error },
    },
    facts: { command: fact },
  }
}
