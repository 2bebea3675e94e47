import { Logger } from 'graphile-worker'
import { BACKGROUND_WORK_WORDS } from '@/lib/words/background-work'
import { errorLine, withoutParameters } from '../describe-error'
import { isStoreDown } from '../sql-state'

/** Hands the worker's lines on; its chatter about each job is left out, and so are the parameters of statements that failed. */
export const jobLogger = (log: (level: string, message: string) => void, now = Date.now): Logger => {
  let downMs = Number.NEGATIVE_INFINITY
  return new Logger(() => (level, message, meta) => {
    if (level !== 'error' && level !== 'warning') return
    const { error, job } = (meta ?? {}) as { error?: unknown; job?: { id: string; task_identifier: string } }
    // It asks every second or two, and each time hears that the database is away.
    if (isStoreDown(error)) {
      if (now() - downMs < DOWN_QUIET_MS) return
      downMs = now()
    }
    // Its own message quotes that of the error.
    log(
      level,
      error === undefined
        ? withoutParameters(message)
        : job === undefined
          ? BACKGROUND_WORK_WORDS.worker_failed({ error: errorLine(error) })
          : BACKGROUND_WORK_WORDS.job_failed({
              id: job.id,
              task: job.task_identifier,
              error: errorLine(error),
            }),
    )
  })
}

/** Milliseconds in which it is no news that the worker cannot reach the database. */
const DOWN_QUIET_MS = 60_000
