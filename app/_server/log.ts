import pino from 'pino'

/** The log of the web process: one JSON object a line, to standard error, so that standard output stays the launcher's. */
export const log = pino(
  { level: process.env.INQUEST_LOG ?? (process.env.NODE_ENV === 'test' ? 'silent' : 'info') },
  pino.destination(2),
)
