import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { spoolText } from '@/lib/words/cli/spool'
import type { Environment } from './settings'
import { logLine } from './state-log'
import { namesServer, spoolFolder } from './spool'

/** A server that refuses the key of this machine: what waits for it waits until a person does something. */
export interface RefusedKey {
  since: string
  because: string
}

const markFile = (env: Environment): string => join(spoolFolder(env), 'refused-key')

/** Notes in the spool of a server, and once in the log, that it refuses the key. */
export function noteRefusedKey(env: Environment, because: string): void {
  const known = readRefusedKey(env)
  if (known?.because === because) return
  try {
    const mark: RefusedKey = { since: known?.since ?? new Date().toISOString(), because }
    writeFileSync(markFile(env), `${JSON.stringify(mark)}\n`, { mode: 0o600 })
  } catch {
    // It is said all the same.
  }
  logLine(env, refusedKeyWords(env, { since: new Date().toISOString(), because }))
}

/** The server took something: the key is good again. */
export function clearRefusedKey(env: Environment): void {
  if (readRefusedKey(env) === null) return
  rmSync(markFile(env), { force: true })
  logLine(env, spoolText.keyAccepted({ server: serverName(env) }))
}

export function readRefusedKey(env: Environment): RefusedKey | null {
  try {
    const mark = JSON.parse(readFileSync(markFile(env), 'utf8')) as RefusedKey
    return typeof mark.because === 'string' ? mark : null
  } catch {
    return null
  }
}

/** What happened, why, and what to do. */
export function refusedKeyWords(env: Environment, refused: RefusedKey): string {
  const { says, todo } = refusedKeyParts(env, refused)
  return `${says}. ${todo}`
}

export const refusedKeyParts = (
  env: Environment,
  { since, because }: RefusedKey,
): { says: string; todo: string } => ({
  says: spoolText.keyRejected({ server: serverName(env), reason: because, since }),
  todo: namesServer(env) ? spoolText.setToken : spoolText.restartServer,
})

const serverName = (env: Environment): string => (namesServer(env) ? env.INQUEST_URL! : spoolText.serverHere)
