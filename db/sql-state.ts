/** SQLSTATE codes that the code distinguishes (PostgreSQL, appendix A). */
export const SQL_STATE = {
  uniqueViolation: '23505',
  foreignKeyViolation: '23503',
  restrictViolation: '23001',
  invalidText: '22P02',
  untranslatable: '22P05',
  failedTransaction: '25P02',
  serializationFailure: '40001',
  deadlock: '40P01',
  undefinedTable: '42P01',
  lockNotAvailable: '55P03',
  queryCanceled: '57014',
  adminShutdown: '57P01',
  crashShutdown: '57P02',
  cannotConnectNow: '57P03',
  diskFull: '53100',
  tooManyConnections: '53300',
} as const

const DRIVER_DOWN = new Set([
  'STORE_AWAY',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ETIMEDOUT',
  'ENETUNREACH',
  'EAI_AGAIN',
])
const SERVER_DOWN = new Set<string>([
  SQL_STATE.adminShutdown,
  SQL_STATE.crashShutdown,
  SQL_STATE.cannotConnectNow,
])
/** Insufficient resources: connections, memory, or a limit of the configuration. A full disk has a problem of its own. */
const SHORT_OF = /^53(?!100)...$/
const FULL = new Set<string>([SQL_STATE.diskFull, 'ENOSPC', 'EDQUOT'])
/** The server has a code for a full disk, but none for a quota. */
const FULL_MESSAGE = /No space left on device|Disk quota exceeded/

/** Code of an error or of the errors it was caused by: drizzle wraps the driver's, Node bundles several addresses. */
export function sqlState(error: unknown): string | null {
  for (let e = error, depth = 0; e != null && typeof e === 'object' && depth < 8; depth++) {
    const { code, cause, errors } = e as { code?: unknown; cause?: unknown; errors?: unknown[] }
    if (typeof code === 'string' && code !== '') return code
    e = cause ?? (Array.isArray(errors) ? errors[0] : null)
  }
  return null
}

/** True when the database could not be asked at all: the answer is "could not look", never "no rows". */
export function isStoreDown(error: unknown): boolean {
  const code = sqlState(error)
  return (
    code !== null &&
    (DRIVER_DOWN.has(code) || SERVER_DOWN.has(code) || code.startsWith('08') || SHORT_OF.test(code)) &&
    !isStoreFull(error)
  )
}

/** True when something could not be written because a disk is full: that of the database, or our own. Reading mostly still works. */
export function isStoreFull(error: unknown): boolean {
  for (let e = error, depth = 0; e != null && typeof e === 'object' && depth < 8; depth++) {
    const { code, message, cause } = e as { code?: unknown; message?: unknown; cause?: unknown }
    if (typeof code === 'string' && (FULL.has(code) || FULL_MESSAGE.test(String(message)))) return true
    e = cause
  }
  return false
}

/** True when the same transaction may succeed if it is simply run again. */
export function isRetryable(error: unknown): boolean {
  const code = sqlState(error)
  return code === SQL_STATE.serializationFailure || code === SQL_STATE.deadlock
}

/** True when no connection of the pool became free in time (`connection-wait.ts`): the database answers, but to others. */
export const isPoolBusy = (error: unknown): boolean => sqlState(error) === 'POOL_BUSY'

/** True when a statement was cancelled: it took too long, or nobody waits for it any more (`statement-scope.ts`). */
export const isCanceled = (error: unknown): boolean => sqlState(error) === SQL_STATE.queryCanceled

/** Classes of SQLSTATE in which the database refuses what it is given: values, constraints, sizes. */
const REFUSED_DATA = /^(22|23|54)...$/

/**
 * Whether an error comes from the data at hand, and would come again however often the work is tried. All others are about the database or
 * the process: they end the transaction, and it is tried again later.
 */
export function isDataFault(error: unknown): boolean {
  if (isStoreDown(error) || isRetryable(error)) return false
  const code = sqlState(error)
  return code === null || REFUSED_DATA.test(code)
}

/**
 * Whether a statement failed because another one had failed before it in the same transaction: of statements that are sent one behind the other, the first one
 * that is waited for may be a later one. What was wrong shows when they are tried again.
 */
export const isAfterFault = (error: unknown): boolean => sqlState(error) === SQL_STATE.failedTransaction
