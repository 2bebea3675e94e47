import { AsyncLocalStorage } from 'node:async_hooks'
import type postgres from 'postgres'
import type { StoreProblemSlug } from '@/lib/problem'

// As in `client.ts`, which needs this file.
type Sql = postgres.Sql

export interface StatementScope {
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal
  /** Milliseconds for each statement, waiting for a connection included. */
  statementMsMax: number
  /** Called when the work fails because of the store, before its answer begins. */
  onStoreProblem?: (slug: StoreProblemSlug) => void
}

/** The launcher and the bundled routes are separate module graphs in one process, so they meet at a registered symbol. */
const KEY = Symbol.for('inquest.statements')
const shared = globalThis as { [KEY]?: AsyncLocalStorage<StatementScope> }
const scopes = (shared[KEY] ??= new AsyncLocalStorage())

/**
 * A cancel request names a connection and not a statement, so it could hit the one after: only what was seen to run for this long is
 * cancelled. That goes above all for a statement that was sent and waits behind another one on its connection: the driver takes a
 * cancelled one out of the line but not its answer, and each statement after it gets the rows of the one before.
 */
const YOUNG_MS = 500
/** Between two looks at a statement that waits behind others. */
const IN_LINE_MS = 50

/** Runs work whose statements are cancelled when they take too long, or when its signal is aborted; what is begun after that throws the reason. */
export const inStatementScope = <T>(scope: StatementScope, work: () => T): T => scopes.run(scope, work)

/** Runs work that others wait for too: it must not end with the request that happened to start it. */
export const outsideStatementScope = <T>(work: () => T): T => scopes.exit(work)

/** Tells whoever opened the scope why the work at hand fails. */
export const noteStoreProblem = (slug: StoreProblemSlug): void => scopes.getStore()?.onStoreProblem?.(slug)

/** True when nobody waits for the work at hand any more. */
export const isScopeAborted = (): boolean => scopes.getStore()?.signal.aborted ?? false

/**
 * The same client, whose statements heed the scope they are begun in. Outside of one nothing changes, nor inside `begin`: a transaction is
 * short, or means to be long. It costs no round trip, needs no setting that a pooler would have to pass on, and a cancelled statement fails
 * with SQLSTATE 57014 as one under `statement_timeout` does.
 */
export function heedScopes(sql: Sql): Sql {
  const unsafe = ((...given: Parameters<Sql['unsafe']>) => heed(sql.unsafe(...given))) as Sql['unsafe']
  return new Proxy(sql, {
    apply: (target, self, given) => heed(Reflect.apply(target, self, given) as unknown),
    get: (target, name) => (name === 'unsafe' ? unsafe : (Reflect.get(target, name) as unknown)),
  })
}

interface Query {
  then: Promise<unknown>['then']
  cancel(): Promise<void> | null
  /** Of the connection that it was sent on; null while it waits for one. */
  state: object | null
  /** True while its connection answers it, and not one before it. */
  active: boolean
}

const isQuery = (made: unknown): made is Query =>
  made instanceof Promise && typeof (made as unknown as Query).cancel === 'function'

/** A fragment is a query too until it is waited for, so that is when the time begins. */
function heed<T>(made: T): T {
  const scope = scopes.getStore()
  if (scope === undefined || !isQuery(made)) return made
  scope.signal.throwIfAborted()
  const then = made.then
  const begin = (): void => {
    // biome-ignore lint/suspicious/noThenProperty: puts back what is replaced below
    made.then = then
    watch(made, scope, then)
  }
  // biome-ignore lint/suspicious/noThenProperty: it is a promise already, and waiting for it is what sends the statement
  made.then = ((...given: Parameters<typeof then>) => {
    begin()
    return then.apply(made, given)
  }) as typeof then
  return made
}

function watch(query: Query, { signal, statementMsMax }: StatementScope, then: Query['then']): void {
  let wasActive = false
  const cancel = (): void => {
    const isSent = query.state !== null
    // The statement fails by itself, or ends; a cancel that could not be sent changes nothing.
    if (!isSent || wasActive) return void query.cancel()?.catch(() => undefined)
    wasActive = query.active
    timer = setTimeout(cancel, wasActive ? YOUNG_MS : IN_LINE_MS)
  }
  let timer = setTimeout(cancel, statementMsMax)
  const leave = (): void => {
    clearTimeout(timer)
    cancel()
  }
  const leavers = leaversOf(signal)
  leavers.add(leave)
  const end = (): void => {
    clearTimeout(timer)
    leavers.delete(leave)
  }
  void then.call(query, end, end)
}

const leaversBySignal = new WeakMap<AbortSignal, Set<() => void>>()

/** What a signal ends. A page has more statements at once than a signal may have listeners before Node takes it for a leak. */
function leaversOf(signal: AbortSignal): Set<() => void> {
  let leavers = leaversBySignal.get(signal)
  if (leavers === undefined) {
    const all = (leavers = new Set())
    leaversBySignal.set(signal, all)
    const leaveAll = (): void => {
      for (const leave of all) leave()
    }
    signal.addEventListener('abort', leaveAll, { once: true })
  }
  return leavers
}
