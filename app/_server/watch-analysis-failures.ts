import { countAnalysisFailures } from '@/db/queries/analysis-failures'
import { db } from './db'
import { noteAnalysisFailures } from './metrics'
import { onShutdown } from './shutdown'

const PERIOD_MS = 60_000

/** Counts for the metrics. */
export async function countForMetrics(): Promise<void> {
  try {
    noteAnalysisFailures(await countAnalysisFailures(db().sql))
  } catch {
    noteAnalysisFailures(null)
  }
}

/** Counts now and each minute, because a reader of the metrics never waits for the database. */
export function watchAnalysisFailures(): void {
  void countForMetrics()
  const timer = setInterval(() => void countForMetrics(), PERIOD_MS)
  timer.unref()
  onShutdown(() => clearInterval(timer), 'streams')
}
