import { Logger } from 'graphile-worker'
import { errorLine, withoutParameters } from '../describe-error'

/** Hands the worker's lines on; its chatter about each job is left out, and so are the parameters of statements that failed. */
export const jobLogger = (log: (level: string, message: string) => void): Logger =>
  new Logger(() => (level, message, meta) => {
    if (level !== 'error' && level !== 'warning') return
    const { error, job } = (meta ?? {}) as { error?: unknown; job?: { id: string; task_identifier: string } }
    // Its own message quotes that of the error.
    log(
      level,
      error === undefined
        ? withoutParameters(message)
        : `${job === undefined ? 'the worker failed' : `job ${job.id} (${job.task_identifier}) failed`}: ${errorLine(error)}`,
    )
  })
