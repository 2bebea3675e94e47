import { sqlState } from '@/db/sql-state'
import { logText } from '@/lib/words/server/log'
import { db } from './db'
import { log } from './log'

/** Milliseconds in which further failures of the same kind are no news. */
const QUIET_MS = 5_000
let loggedMs = Number.NEGATIVE_INFINITY

/**
 * Logs that the database did not answer a request: as a warning once, then as information, so that the ID of each answer is found. Without
 * a stack, which says nothing about it. That all are refused for a while, and that it is over, is a line each in `db.ts`.
 */
export function logStoreDown(
  error: unknown,
  requestId: string,
  message = logText.databaseDidNotAnswer,
): void {
  const isNews = !db().isAway() && performance.now() - loggedMs > QUIET_MS
  if (isNews) loggedMs = performance.now()
  log[isNews ? 'warn' : 'info']({ requestId, code: sqlState(error) }, message)
}
