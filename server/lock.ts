import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isSameProcess, processStamp } from '@/db/embedded/process-stamp'

/** Who holds a lock that was asked for. */
export class LockHeld extends Error {
  override name = 'LockHeld'
  constructor(readonly pid: number, readonly file: string) {
    super(`held by process ${pid}`)
  }
}

/**
 * Takes a lock file for this process. One left by a process that is gone (also when its pid belongs to another one by now)
 * is set aside.
 *
 * @returns a function that gives it back
 * @throws LockHeld
 */
export async function takeLock(file: string): Promise<() => Promise<void>> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const own = JSON.stringify(await processStamp(process.pid))
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, own, { mode: 0o600 })
  try {
    for (;;) {
      // A link is made whole or not at all: nobody reads a lock that is half written.
      const taken = await link(draft, file).then(() => true, (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false
        throw error
      })
      if (taken) break
      const holder = await readFile(file, 'utf8').catch(() => null)
      if (holder === null) continue
      if (await isSameProcess(holder)) throw new LockHeld((JSON.parse(holder) as { pid: number }).pid, file)
      await setAside(file, holder)
    }
  } finally {
    await rm(draft, { force: true })
  }
  return async () => {
    if ((await readFile(file, 'utf8').catch(() => null)) === own) await rm(file, { force: true })
  }
}

/** Moves a stale lock away; when another start was quicker and holds it by now, it is put back. */
async function setAside(file: string, stale: string): Promise<void> {
  const aside = `${file}.stale-${randomBytes(6).toString('hex')}`
  try {
    await rename(file, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  if ((await readFile(aside, 'utf8').catch(() => stale)) !== stale) await link(aside, file).catch(() => undefined)
  await rm(aside, { force: true })
}

/** Waits for the lock as long as another process holds it. */
export async function waitForLock(file: string, onWait: (pid: number) => void): Promise<() => Promise<void>> {
  for (let told = false; ; ) {
    try {
      return await takeLock(file)
    } catch (error) {
      if (!(error instanceof LockHeld)) throw error
      if (!told) onWait(error.pid)
      told = true
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }
}
