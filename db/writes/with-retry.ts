import type { Db, Tx } from '../client'
import { isRetryable } from '../sql-state'
import { AnalysisError } from './derive/analysis-error'

const RETRIES_MAX = 5

/**
 * Runs a transaction again when the server asks for it (deadlock, serialization), and when an analysis in it broke.
 *
 * @param work `apart`: an analysis broke the time before, so that each execution is analysed by itself now (`analyseIn`)
 */
export async function withRetry<T>(
  db: Pick<Db, 'sql'>,
  work: (tx: Tx, apart: boolean) => Promise<T>,
): Promise<T> {
  let apart = false
  for (let attempt = 1; ; attempt++) {
    try {
      return (await db.sql.begin((tx) => work(tx, apart))) as T
    } catch (error) {
      if (!apart && error instanceof AnalysisError) {
        apart = true
        continue
      }
      if (!isRetryable(error) || attempt >= RETRIES_MAX) throw error
      await new Promise((resolve) => setTimeout(resolve, 20 * attempt * (0.5 + Math.random())))
    }
  }
}
