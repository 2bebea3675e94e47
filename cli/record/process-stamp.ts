import { readFileSync } from 'node:fs'

/** A process, distinguished from a later one with the same pid; `started` is null where the system does not say. */
export interface Stamp {
  pid: number
  started: string | null
}

/** State and start time as Linux tells them; empty elsewhere. */
function readStat(pid: number): { state?: string; started?: string } {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold blanks; the state is field 3, the start field 22.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0], started: fields[19] }
  } catch {
    return {}
  }
}

export const stampOf = (pid: number): Stamp => ({ pid, started: readStat(pid).started ?? null })

/** Whether the stamped process still runs on this machine; one that ended and was not fetched by its parent does not. */
export function isRunning({ pid, started }: Stamp): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const now = readStat(pid)
  return now.state !== 'Z' && (started === null || now.started === undefined || now.started === started)
}
