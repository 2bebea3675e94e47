import { BrokenTogether } from '../../transaction'
import { isRetryable, isStoreDown, SQL_STATE, sqlState } from '../../sql-state'

/** An analysis broke, and with it the transaction that it was part of. */
export class AnalysisError extends BrokenTogether {
  override name = 'AnalysisError'
  constructor(cause: unknown) {
    super(`an analysis failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** Classes of SQLSTATE in which the database refuses what one execution holds: data, constraints, sizes. */
const REFUSED_DATA = /^(22|23|54)...$/

/**
 * Whether an error comes from what the execution holds, and would come again however often its analysis is tried. All others are about the
 * database or the process: they end the transaction, and it is tried again later.
 */
export function isAnalysisFault(error: unknown): boolean {
  if (isStoreDown(error) || isRetryable(error)) return false
  const code = sqlState(error)
  return code === null || REFUSED_DATA.test(code)
}

/**
 * Whether a statement failed because another one had failed before it in the same transaction: of statements that are sent one behind the other, the first one
 * that is waited for may be a later one. What was wrong shows when they are tried again.
 */
export const isAfterFault = (error: unknown): boolean => sqlState(error) === SQL_STATE.failedTransaction

const PASSES = new Set<string>([SQL_STATE.lockNotAvailable, SQL_STATE.queryCanceled])

/** Whether an error is about this moment and this execution, so that others can be worked on meanwhile. */
export function mayPass(error: unknown): boolean {
  return isRetryable(error) || PASSES.has(sqlState(error) ?? '')
}
