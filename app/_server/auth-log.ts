import { describeError, withoutParameters } from '@/db/describe-error'
import { isStoreDown } from '@/db/sql-state'
import { log } from './log'

type Level = 'debug' | 'info' | 'warn' | 'error'

/** What better-auth logs. That its statements fail while the database is away is logged as such by the pool (`db.ts`), not once for each request. */
export function logOfAuth(level: Level, message: string, ...more: unknown[]): void {
  log[more.some(isStoreDown) ? 'debug' : level](
    {
      auth: more.map((one) => (one instanceof Error ? describeError(one) : withoutParameters(String(one)))),
    },
    withoutParameters(message),
  )
}
