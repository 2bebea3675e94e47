import type { Advice } from '../model/execution'
import type { ExecutionSummary } from '../model/summary'
import { storedAdvice } from '../words/retry'

/** A summary whose advice has its texts, as a row keeps it; for tests only. */
export const worded = (
  summary: ExecutionSummary,
): Omit<ExecutionSummary, 'advice'> & { advice: Advice | null } => ({
  ...summary,
  advice: summary.advice && storedAdvice(summary.advice),
})
