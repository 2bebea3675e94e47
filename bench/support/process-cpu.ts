import { readFileSync } from 'node:fs'

const TICKS_A_SECOND = 100

/** CPU milliseconds that a process has used until now, with all its threads; null if /proc is not readable. */
export function processCpuMs(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_A_SECOND
  } catch {
    return null
  }
}
