import { Logger } from 'graphile-worker'

/** Hands the worker's lines on; its chatter about each job is left out. */
export const jobLogger = (log: (level: string, message: string) => void): Logger =>
  new Logger(() => (level, message) => {
    if (level === 'error' || level === 'warning') log(level, message)
  })
