/** Milliseconds of work in each minute, when nothing is set: a tenth. */
const DEFAULT_MS = 6_000
const MINUTE_MS = 60_000

/**
 * Reads `INQUEST_PARITY_SWEEP`: `off`, or milliseconds in each minute in which the server compares layers in the background.
 *
 * @returns the milliseconds, 0 for off; or what is wrong with the setting
 */
export function readSweepSetting(
  env: Record<string, string | undefined>,
): { budgetMs: number } | { trouble: { set: string; max: number } } {
  const value = env.INQUEST_PARITY_SWEEP?.trim() ?? ''
  if (value === '') return { budgetMs: DEFAULT_MS }
  if (value === 'off') return { budgetMs: 0 }
  const budgetMs = /^\d{1,5}$/.test(value) ? Number(value) : 0
  return budgetMs < 1 || budgetMs > MINUTE_MS ? { trouble: { set: value, max: MINUTE_MS } } : { budgetMs }
}
