import { appendFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { visible } from './output'
import { stateFolder } from './settings'
import type { Environment } from './settings'

/** Of one file; the one before it is kept as well. */
const BYTES_MAX = 256 * 1024

export const logFile = (env: Environment): string => join(stateFolder(env), 'inquest.log')

/** Notes trouble that nobody may be there to read: what hooks say is shown by no agent. Without the note the work still goes on. */
export function logLine(env: Environment, text: string): void {
  const file = logFile(env)
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > BYTES_MAX) renameSync(file, `${file}.1`)
    appendFileSync(file, `${new Date().toISOString()} ${visible(text)}\n`, { mode: 0o600 })
  } catch {
    // A full disk, or a folder that is not ours.
  }
}
