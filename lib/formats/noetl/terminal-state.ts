import { member, type ExactJson } from '../../text/exact-json'
import { eventIdOf, eventTypeOf, isCompletingType, isWord } from './event-row'

export type RunStatus = 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'RUNNING'

/** Why a run reads as it does; the first one that holds. */
export type TerminalRule = 'terminal_row' | 'end_step_completed' | 'batch_completed' | 'nothing_terminal'

export interface TerminalState {
  status: RunStatus
  rule: TerminalRule
  /** The row that decided; null when none did. */
  row: ExactJson
  /** When that row was written, as it says it. */
  endTime: string | null
}

const TERMINAL_TYPES = new Map<string, RunStatus>([
  ['playbook.completed', 'COMPLETED'],
  ['workflow.completed', 'COMPLETED'],
  ['playbook.failed', 'FAILED'],
  ['workflow.failed', 'FAILED'],
  // A run that tries a failed command again reads FAILED while it still works.
  ['command.failed', 'FAILED'],
  ['execution.cancelled', 'CANCELLED'],
  ['playbook.cancelled', 'CANCELLED'],
])

/**
 * The state of a run, by its server: the newest terminal row decides, else it is inferred from the newest row.
 *
 * @param latest          newest row, or null
 * @param terminal        newest row of a terminal type, or null
 * @param pendingCommands commands that were issued and have not ended
 */
export function terminalStateFrom(
  latest: ExactJson,
  terminal: ExactJson,
  pendingCommands: number,
): TerminalState {
  const status = TERMINAL_TYPES.get(eventTypeOf(terminal))
  if (status !== undefined) return decidedBy('terminal_row', status, terminal)
  const type = eventTypeOf(latest)
  if (isWord(member(latest, 'status'), 'completed')) {
    if (isCompletingType(type) && member(latest, 'node_name') === 'end')
      return decidedBy('end_step_completed', 'COMPLETED', latest)
    if (type === 'batch.completed' && pendingCommands === 0)
      return decidedBy('batch_completed', 'COMPLETED', latest)
  }
  return { status: 'RUNNING', rule: 'nothing_terminal', row: null, endTime: null }
}

/** The same from the rows of a run, in whatever order. Rows without an id that can be read are not looked at. */
export function terminalStateOf(rows: readonly ExactJson[], pendingCommands: number): TerminalState {
  return terminalStateFrom(
    newest(rows),
    newest(rows.filter((row) => TERMINAL_TYPES.has(eventTypeOf(row)))),
    pendingCommands,
  )
}

/** Whether a run was cancelled, which its status document and its envelope call completed. */
export const isCancelled = (rows: readonly ExactJson[]): boolean =>
  rows.some((row) => TERMINAL_TYPES.get(eventTypeOf(row)) === 'CANCELLED')

function newest(rows: readonly ExactJson[]): ExactJson {
  let found: ExactJson = null
  let highest: bigint | null = null
  for (const row of rows) {
    const id = eventIdOf(row)
    if (id === null || (highest !== null && id <= highest)) continue
    highest = id
    found = row
  }
  return found
}

function decidedBy(rule: TerminalRule, status: RunStatus, row: ExactJson): TerminalState {
  const at = member(row, 'created_at') ?? member(row, 'timestamp')
  return { status, rule, row, endTime: typeof at === 'string' ? at : null }
}
