import type { Db, Tx } from './client'
import { SQL_STATE, sqlState } from './sql-state'

/** Work that nobody waits for blocked others, or they blocked it; it left nothing behind and can be retried later. */
export class InTheWay extends Error {
  override name = 'InTheWay'
}

/** How long others may have to wait, about. */
const LOOK_MS = 50
const GAVE_WAY: string[] = [SQL_STATE.lockNotAvailable, SQL_STATE.queryCanceled, SQL_STATE.deadlock]

/**
 * Does work in a transaction that nobody waits for: it waits for no lock longer than others would wait for it, and as soon as somebody waits for
 * this transaction it is broken off.
 *
 * @param signal breaks it off too
 * @throws InTheWay
 */
export async function giveWay<T>(
  db: Pick<Db, 'sql'>,
  tx: Tx,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  await tx.unsafe(`set local lock_timeout = ${LOOK_MS}`)
  const [self] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
  if (signal.aborted) throw new InTheWay()
  let ended = false
  let wake = (): void => {}
  const watch = async (): Promise<void> => {
    while (!ended) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LOOK_MS)
        wake = () => (clearTimeout(timer), resolve())
      })
      if (ended) return
      // Who waits for nothing is blocked by nobody: the second question is asked of few.
      const isWaitedFor = db.sql`exists (select 1 from pg_locks where not granted and ${self!.pid}::int = any (pg_blocking_pids(pid)))`
      await db.sql`select pg_cancel_backend(${self!.pid}) where ${signal.aborted ? db.sql`true` : isWaitedFor}`
    }
  }
  const onAbort = (): void => wake()
  signal.addEventListener('abort', onAbort)
  const watching = watch()
  // Reported below, when the work has ended.
  watching.catch(() => {})
  try {
    return await work()
  } catch (error) {
    throw GAVE_WAY.includes(sqlState(error) ?? '') ? new InTheWay('gave way', { cause: error }) : error
  } finally {
    ended = true
    signal.removeEventListener('abort', onAbort)
    wake()
    // A late signal would hit whatever this connection does next.
    await watching
  }
}
