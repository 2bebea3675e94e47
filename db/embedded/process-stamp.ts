import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/** Distinguishes a process from a later one with the same pid. */
export interface ProcessStamp {
  pid: number
  /** Start time in the system's own spelling; null when the system does not say. */
  started: string | null
}

/** True while a process with this pid runs, whoever owns it. One that has ended and was not yet fetched by its parent does not run. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return process.platform !== 'linux' || !isZombie(pid)
}

function isZombie(pid: number): boolean {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return line.slice(line.lastIndexOf(')') + 2).startsWith('Z')
  } catch {
    return false // not to be seen: then it counts as running
  }
}

/** Reads when a process started, to see later whether it is still the same one. */
export async function processStamp(pid: number): Promise<ProcessStamp> {
  if (process.platform === 'linux') {
    const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
    // The name in parentheses may hold blanks; field 22 counts from the pid.
    return { pid, started: line?.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? null }
  }
  const out = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => null)
  return { pid, started: out?.stdout.trim() || null }
}

/** True when the stamped process (as JSON) still runs. */
export async function isSameProcess(json: string): Promise<boolean> {
  let stamp: ProcessStamp
  try {
    stamp = JSON.parse(json) as ProcessStamp
  } catch {
    return false
  }
  if (!Number.isInteger(stamp?.pid) || stamp.pid <= 0 || !isAlive(stamp.pid)) return false
  const now = await processStamp(stamp.pid)
  return stamp.started === null || now.started === null || now.started === stamp.started
}

/** Command line of a process; null when it is gone or not to be seen. */
export async function commandLine(pid: number): Promise<string | null> {
  if (process.platform === 'linux') {
    const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null)
    return text === null || text === '' ? null : text.replaceAll('\0', ' ').trim()
  }
  const out = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => null)
  return out?.stdout.trim() || null
}

/** Processes that this one has started; none where the system does not list them. */
export async function childrenOf(pid: number): Promise<number[]> {
  if (process.platform !== 'linux') return []
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter((one) => one > 0)
  const parents = await Promise.all(
    pids.map(async (one) => {
      const line = await readFile(`/proc/${one}/stat`, 'utf8').catch(() => '')
      return Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[1])
    }),
  )
  return pids.filter((_, i) => parents[i] === pid)
}
