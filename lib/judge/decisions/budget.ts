import { firstCodePoints } from './python-text'

/** An attempt, as the history of the source keeps it. */
export interface HistoryRecord {
  command: string
  exitCode: number
  subtype: string
  needsRetry: boolean
  retryReason: string
  stderr: string
}

/** The history keeps this much of a command and is asked with all of it: longer ones never exhaust their budget. */
const COMMAND_KEPT = 200
const STDERR_KEPT = 500

/** What the history remembers of an attempt. */
export const historyRecord = (record: HistoryRecord): HistoryRecord => ({
  ...record,
  command: firstCodePoints(record.command, COMMAND_KEPT),
  stderr: firstCodePoints(record.stderr, STDERR_KEPT),
})

export const isCut = (command: string): boolean => firstCodePoints(command, COMMAND_KEPT) !== command

/** How many attempts of the command in a row, up to the newest, asked for another one. What is no record of an attempt is passed over. */
export function attemptsInARow(
  history: readonly Pick<HistoryRecord, 'command' | 'needsRetry'>[],
  command: string,
): number {
  let count = 0
  for (const record of history.toReversed()) {
    if (typeof record?.command !== 'string' || firstCodePoints(record.command, COMMAND_KEPT) !== command)
      continue
    if (!record.needsRetry) break
    count++
  }
  return count
}
