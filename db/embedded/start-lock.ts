import { open, readFile, rm } from 'node:fs/promises'
import { isSameProcess, processStamp } from './process-stamp'
import { DATABASE_SERVER_PROBLEMS } from '@/lib/words/database-server'

const WAIT_MS = 60_000
const POLL_MS = 100

/** Lets one process at a time start the server. A lock whose holder is gone (or whose pid now belongs to another program) is stale and is taken over. */
export async function withStartLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const until = Date.now() + WAIT_MS
  for (;;) {
    try {
      const handle = await open(file, 'wx', 0o600)
      try {
        await handle.writeFile(JSON.stringify(await processStamp(process.pid)))
      } catch (error) {
        // A full disk, for one: what was not written must not hold up the next start.
        await rm(file, { force: true })
        throw error
      } finally {
        await handle.close()
      }
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const holder = await readFile(file, 'utf8').catch(() => null)
    if (holder !== null && !(await isSameProcess(holder))) {
      // An empty lock was cut short while it was written; give its writer a moment before it counts as stale.
      if (holder === '') await new Promise((resolve) => setTimeout(resolve, 500))
      if ((await readFile(file, 'utf8').catch(() => null)) === holder) await rm(file, { force: true })
      continue
    }
    if (Date.now() > until) throw new Error(DATABASE_SERVER_PROBLEMS.start_locked({ file }))
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  try {
    return await work()
  } finally {
    await rm(file, { force: true })
  }
}
