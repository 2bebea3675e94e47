import { readdirSync, readFileSync } from 'node:fs'

const TICKS_A_SECOND = 100

/**
 * CPU milliseconds that the server's processes for this database have used until now; null if /proc is not readable. Unlike
 * the time on the clock it does not grow when the machine is busy with something else.
 */
export function databaseCpuMs(url: string): number | null {
  const database = new URL(url).pathname.slice(1)
  let ticks: number | null = null
  try {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const read = (file: string): string => {
        try {
          return readFileSync(`/proc/${pid}/${file}`, 'utf8')
        } catch {
          return '' // it ended in between
        }
      }
      if (!new RegExp(`^postgres: \\S+ ${database} `).test(read('cmdline'))) continue
      const fields = read('stat').split(') ').at(-1)!.split(' ')
      ticks = (ticks ?? 0) + Number(fields[11]) + Number(fields[12])
    }
  } catch {
    return null
  }
  return ticks === null ? null : (ticks * 1000) / TICKS_A_SECOND
}
