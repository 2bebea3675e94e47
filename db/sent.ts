/**
 * Statements on their way: each is sent by `execute()`, because one that is only awaited leaves a little later, after others that
 * were sent behind it. The server works them off in order, and one that fails ends the transaction with its own error
 * (postgres.js keeps the first one), so only the end has to wait for all of them.
 */
export class Sent {
  private readonly statements: Promise<unknown>[] = []

  add(statement: Promise<unknown>): void {
    // Sent at once, and heard of at the end.
    statement.catch(() => {})
    this.statements.push(statement)
  }

  async settle(): Promise<void> {
    await Promise.all(this.statements.splice(0))
  }
}
