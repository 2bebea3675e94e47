import { randomBytes } from 'node:crypto'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isSameProcess, processStamp, type ProcessStamp } from '@/db/embedded/process-stamp'
import { makePrivateFolder } from './private-folder'

/** Who holds a lock that was asked for. */
export class LockHeld extends Error {
  override name = 'LockHeld'
  constructor(
    readonly pid: number,
    readonly folder: string,
  ) {
    super(`held by process ${pid}`)
  }
}

interface Claim extends ProcessStamp {
  held: boolean
}

const SETTLE_MS = 20

/**
 * Takes a lock for this process. The lock is a folder with one file for each process that wants it. Everyone writes their
 * claim first and looks at the others' then, so of two at least one sees the other; a file of a process that is gone (also when
 * its pid belongs to another one by now) counts for nothing and can be removed by anyone, because nobody else ever uses its name.
 *
 * @returns a function that gives it back
 * @throws LockHeld
 */
export async function takeLock(folder: string): Promise<() => Promise<void>> {
  await makeFolder(folder)
  const stamp = await processStamp(process.pid)
  const name = randomBytes(8).toString('hex')
  const write = async (held: boolean): Promise<void> => {
    const draft = path.join(folder, `.${name}`)
    await writeFile(draft, JSON.stringify({ ...stamp, held } satisfies Claim), { mode: 0o600 })
    await rename(draft, path.join(folder, name))
  }
  const release = (): Promise<void> => rm(path.join(folder, name), { force: true })
  await write(false)
  try {
    for (;;) {
      const others = await livingClaims(folder, name)
      if (others.length === 0) break
      // Whoever holds it stays; of several who only want it, the one with the first name waits for the others to give way.
      const stronger = others.find((other) => other.held) ?? others.find((other) => other.name < name)
      if (stronger) throw new LockHeld(stronger.pid, folder)
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
    }
    await write(true)
  } catch (error) {
    await release()
    throw error
  }
  return release
}

async function makeFolder(folder: string): Promise<void> {
  const inTheWay = await stat(folder).then(
    (found) => !found.isDirectory(),
    () => false,
  )
  if (inTheWay) await rm(folder, { force: true })
  await makePrivateFolder(path.dirname(folder))
  await makePrivateFolder(folder)
}

async function livingClaims(folder: string, own: string): Promise<(Claim & { name: string })[]> {
  const living: (Claim & { name: string })[] = []
  for (const name of await readdir(folder)) {
    if (name === own || name.startsWith('.')) continue
    const text = await readFile(path.join(folder, name), 'utf8').catch(() => null)
    if (text === null) continue // given back just now
    if (await isSameProcess(text)) living.push({ ...(JSON.parse(text) as Claim), name })
    else await rm(path.join(folder, name), { force: true })
  }
  return living
}

/** Waits for the lock as long as another process holds it. */
export async function waitForLock(
  folder: string,
  onWait: (pid: number) => void,
): Promise<() => Promise<void>> {
  for (let hasReported = false; ; ) {
    try {
      return await takeLock(folder)
    } catch (error) {
      if (!(error instanceof LockHeld)) throw error
      if (!hasReported) onWait(error.pid)
      hasReported = true
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }
}
