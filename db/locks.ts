import { producerOf, type IngestKind } from '@/lib/model/ingest-kinds'
import type { Tx } from './client'

/**
 * Waits for and holds these names until the transaction ends; always in one order. Sent at once: the statements that are sent after it
 * are worked off after it, whether or not anybody waits for the lock.
 */
export async function lockNames(tx: Tx, names: Iterable<string>): Promise<void> {
  const sorted = [...new Set(names)].sort()
  await tx`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${sorted}::text[]) as name`.execute()
}

/** The names by which executions are locked. */
export const executionLocks = (projectId: string, keys: readonly string[]): string[] =>
  keys.map((key) => `execution ${projectId} ${key}`)

/** One at a time for each execution, until the transaction ends. */
export const lockExecutions = (tx: Tx, projectId: string, keys: readonly string[]): Promise<void> =>
  lockNames(tx, executionLocks(projectId, keys))

/**
 * Keeps two sources that call sessions alike from each making an execution of one: whoever takes in a log waits for all others that
 * have to do with its sessions, and they for it, but not for one another. Sent at once, like `lockNames`.
 */
export async function lockSessions(
  tx: Tx,
  projectId: string,
  kind: IngestKind,
  sessions: Iterable<string>,
): Promise<void> {
  const sorted = [...new Set(sessions)].sort()
  if (sorted.length === 0) return
  const names = sorted.map((session) => `session ${projectId} ${session}`)
  const lock =
    producerOf(kind) !== 'claude-code' ? tx`pg_advisory_xact_lock` : tx`pg_advisory_xact_lock_shared`
  await tx`select ${lock}(hashtextextended(name, 0)) from unnest(${names}::text[]) as name`.execute()
}

/** Takes these locks until the transaction ends, or says that somebody has one of them. */
export async function tryLocks(tx: Tx, names: readonly string[]): Promise<boolean> {
  const rows = await tx<
    { got: boolean }[]
  >`select pg_try_advisory_xact_lock(hashtextextended(name, 0)) as got from unnest(${[...new Set(names)].sort()}::text[]) as name`
  return rows.every(({ got }) => got)
}
