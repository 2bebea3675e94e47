import type postgres from 'postgres'
import { storeText } from '@/lib/words/server/store'

// As in `client.ts`, which needs this file.
type Sql = postgres.Sql

/** Nobody gave a connection back in time. Nothing of what waited for it was done. */
export class PoolBusyError extends Error {
  override name = 'PoolBusyError'
  readonly code = 'POOL_BUSY'
  constructor(ms: number) {
    super(storeText.poolBusy({ ms }))
  }
}

/**
 * The same client, whose statements and transactions fail with `PoolBusyError` when they wait longer than `ms` for a connection; the driver
 * lets them wait for ever. A statement that was sent already, behind another one on its connection, is left alone: it would run although its
 * caller was refused.
 */
export function limitWait<S extends Sql>(sql: S, ms: number): S {
  const unsafe = ((...given: Parameters<Sql['unsafe']>) =>
    limitQuery(sql.unsafe(...given), ms)) as Sql['unsafe']
  const begin = ((...given: [unknown, unknown?]) => limitBegin(sql, given, ms)) as Sql['begin']
  return new Proxy(sql, {
    apply: (target, self, given) => limitQuery(Reflect.apply(target, self, given) as unknown, ms),
    get: (target, name) =>
      name === 'unsafe' ? unsafe : name === 'begin' ? begin : (Reflect.get(target, name) as unknown),
  })
}

interface Query extends Promise<unknown> {
  cancel(): Promise<void> | null
  reject(error: unknown): void
  /** Of the connection that it was sent on; null while it waits for one. */
  state: object | null
}

const isQuery = (made: unknown): made is Query =>
  made instanceof Promise && typeof (made as unknown as Query).cancel === 'function'

/** A fragment is a query too until it is waited for, so that is when the time begins. */
function limitQuery<T>(made: T, ms: number): T {
  if (!isQuery(made)) return made
  const query: Query = made
  const then = query.then
  // biome-ignore lint/suspicious/noThenProperty: it is a promise already, and waiting for it is what sends the statement
  query.then = ((...given: Parameters<typeof then>) => {
    // biome-ignore lint/suspicious/noThenProperty: puts back what was replaced
    query.then = then
    const timer = setTimeout(() => {
      if (query.state !== null) return
      query.reject(new PoolBusyError(ms))
      // Takes it out of the line.
      void query.cancel()
    }, ms)
    const end = (): void => clearTimeout(timer)
    void then.call(query, end, end)
    return then.apply(query, given)
  }) as typeof then
  return made
}

/** The driver's own `begin` statement cannot be taken out of the line: when its turn comes, the transaction is rolled back before it began. */
function limitBegin(sql: Sql, given: [unknown, unknown?], ms: number): Promise<unknown> {
  const work = given.pop() as (tx: postgres.TransactionSql) => unknown
  return new Promise((resolve, reject) => {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      reject(new PoolBusyError(ms))
    }, ms)
    const started = (tx: postgres.TransactionSql): unknown => {
      clearTimeout(timer)
      if (isLate) throw new PoolBusyError(ms)
      return work(tx)
    }
    const begin = sql.begin as (...all: unknown[]) => Promise<unknown>
    begin(...given, started)
      .finally(() => clearTimeout(timer))
      .then(resolve, reject)
  })
}
