import { BrokenTogether } from '../../transaction'
import { isRetryable, SQL_STATE, sqlState } from '../../sql-state'

/** An analysis broke, and with it the transaction that it was part of. */
export class AnalysisError extends BrokenTogether {
  override name = 'AnalysisError'
  constructor(cause: unknown) {
    super(`an analysis failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

const PASSES = new Set<string>([SQL_STATE.lockNotAvailable, SQL_STATE.queryCanceled])

/** Whether an error is about this moment and this execution, so that others can be worked on meanwhile. */
export function mayPass(error: unknown): boolean {
  return isRetryable(error) || PASSES.has(sqlState(error) ?? '')
}
