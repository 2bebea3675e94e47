import { type Jobs, startJobs } from '@/db/jobs/start'
import type { ReingestOrder } from '@/db/threads/messages'
import type { DirtyWork } from '@/db/writes/derive/analyse'
import type { IngestBody } from '@/db/writes/receive/ingest-body'
import type { CheckOrder } from '@/db/parity/sweep-parity'
import { logText } from '@/lib/words/server/log'
import { failureTag, mirrorRoots, paritySweepMs, secret } from './config'
import { directUrl } from './db'
import { sharedThreads } from './threads'
import { liveHub } from './live-hub'
import { log } from './log'
import { onShutdown } from './shutdown'
import { watchAnalysisFailures } from './watch-analysis-failures'

const LEVELS = { error: 'error', warning: 'warn', info: 'info' } as const

/**
 * What runs beside the requests: listening for changes, so that pages made from now on can hear what they missed, and the
 * background jobs (`INQUEST_JOBS=off` leaves those to another process). The pages are served even when one of them cannot start.
 */
export async function startBackground(): Promise<void> {
  await liveHub().catch((error: unknown) => log.warn({ err: error }, logText.notListeningYet))
  watchAnalysisFailures()
  if (process.env.INQUEST_JOBS === 'off') return
  const tell = (level: string, message: string): void =>
    log[LEVELS[level as keyof typeof LEVELS] ?? 'debug'](message)
  const options = {
    secret: secret(),
    failureTag: failureTag(),
    parityBudgetMs: paritySweepMs(),
    mirrorRoots: mirrorRoots(),
    patches: sharedThreads().patches,
    analyseDirty: (work: DirtyWork) => sharedThreads().ingest?.analyseDirty(work),
    stepReingest: (order: ReingestOrder) => sharedThreads().ingest?.stepReingest(order),
    ingest: (body: IngestBody) => sharedThreads().ingest?.ingest(body),
    checkParity: (order: CheckOrder) => sharedThreads().ingest?.checkParity(order),
  }
  const jobs = await startJobs(directUrl(), { log: tell, ...options }).catch(
    (error: unknown): Jobs | null => {
      log.error({ err: error }, logText.jobsNotStarted)
      return null
    },
  )
  if (jobs) onShutdown(() => jobs.stop(), 'streams')
}
