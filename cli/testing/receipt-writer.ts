import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'

export interface ReceiptWriter {
  /** Runs SQL, or `loop`: inserts without a pause until something else is asked. */
  run(line: string): Promise<void>
  kill(): Promise<void>
}

/** Starts a process that owns a database of receipts, as a daemon does. */
export async function startWriter(file: string, mode: 'wal' | 'delete'): Promise<ReceiptWriter> {
  const child = spawn(process.execPath, [resolve(import.meta.dirname, 'write-receipts.mjs'), file, mode], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const closed = new Promise<void>((done) => child.once('close', () => done()))
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const run = async (line: string): Promise<void> => {
    child.stdin.write(`${line}\n`)
    if ((await answers.next()).value !== 'done') throw new Error(`the writer ended at: ${line}`)
  }
  await run('')
  return { run, kill: () => (child.kill('SIGKILL'), closed) }
}

export const insertSql = (from: number, to: number): string =>
  Array.from(
    { length: to - from + 1 },
    (_, i) =>
      `insert into receipts values ('urn:${from + i}', 'c', 'success', '{"n":${from + i},"pad":""}');`,
  ).join(' ')
