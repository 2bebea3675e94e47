import { describeError } from '@/db/describe-error'
import pino from 'pino'

/** The log of the web process: one JSON object a line, to standard error, so that standard output stays the launcher's. */
export const log = pino(
  {
    level: process.env.INQUEST_LOG ?? (process.env.NODE_ENV === 'test' ? 'silent' : 'info'),
    // Errors of the driver carry the parameters of their statement.
    serializers: { err: describeError, error: describeError },
    // An error without a text of its own would give its message as one, parameters and all.
    hooks: {
      logMethod(given, write) {
        const [first, text, ...more] = given as unknown as [unknown, string?, ...unknown[]]
        const error = first instanceof Error ? first : (first as { err?: unknown } | null)?.err
        if (!(error instanceof Error)) return write.apply(this, given)
        const fields = first instanceof Error ? { err: first } : (first as object)
        write.apply(this, [fields, text ?? describeError(error).message, ...more] as unknown as typeof given)
      },
    },
  },
  pino.destination(2),
)
