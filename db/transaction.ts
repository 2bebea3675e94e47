import type { Db, Tx } from './client'
import { isRetryable } from './sql-state'

const ATTEMPTS_MAX = 5

/** A transaction that is under way. */
export interface OpenTransaction {
  tx: Tx
  /** Statements that nobody waited for yet; all of them are awaited before the commit. */
  sent: Sent
  /** Work that was done together broke the time before: each thing is done by itself now, so that one of them does not hold up the others. */
  apart: boolean
}

/** Thrown by work that did several things together and broke at one of them: the transaction is run once more, with `apart`. */
export class BrokenTogether extends Error {
  override name = 'BrokenTogether'
}

/**
 * Runs work in a transaction, and again when the server asks for it (deadlock, serialization) or when it broke together. Nothing that it
 * sent is left alone: the commit waits for every statement, and one that fails takes the transaction back.
 *
 * @throws what the work threw, or the first statement that failed
 */
export async function transact<T>(
  db: Pick<Db, 'sql'>,
  work: (open: OpenTransaction) => Promise<T>,
): Promise<T> {
  let apart = false
  for (let attempt = 1; ; attempt++) {
    try {
      return (await db.sql.begin((tx) => awaitSent((sent) => work({ tx, sent, apart })))) as T
    } catch (error) {
      if (!apart && error instanceof BrokenTogether) {
        apart = true
        continue
      }
      if (!isRetryable(error) || attempt >= ATTEMPTS_MAX) throw error
      await new Promise((resolve) => setTimeout(resolve, 20 * attempt * (0.5 + Math.random())))
    }
  }
}

/**
 * Statements on their way: each is sent by `execute()`, because one that is only awaited leaves a little later, after others that
 * were sent behind it. The server works them off in order, and one that fails ends the transaction with its own error
 * (postgres.js keeps the first one), so only the end has to wait for all of them.
 */
export class Sent {
  private readonly statements: Promise<unknown>[] = []

  add(statement: Promise<unknown>): void {
    // Sent at once, and heard of when it is settled.
    statement.catch(() => {})
    this.statements.push(statement)
  }

  /** Waits for what was sent until now. @throws the first failure */
  async settle(): Promise<void> {
    await Promise.all(this.statements.splice(0))
  }

  /** Waits for what was sent until now, whatever becomes of it. */
  async drain(): Promise<void> {
    await Promise.allSettled(this.statements.splice(0))
  }
}

/** Runs work that sends statements, and waits for all of them, also when the work fails. */
export async function awaitSent<T>(work: (sent: Sent) => Promise<T>): Promise<T> {
  const sent = new Sent()
  try {
    const done = await work(sent)
    await sent.settle()
    return done
  } catch (error) {
    await sent.drain()
    throw error
  }
}
