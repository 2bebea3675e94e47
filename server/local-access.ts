import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'
import type { Sql } from '@/db/client'
import { keepLocalKey, removeLocalKeys } from '@/db/people/keys'
import { createFirstAdminLink } from '@/db/people/one-time-links'
import { hashKey, hashToken, keyFrom, tokenFrom } from '@/lib/auth/tokens'
import { limits } from '@/lib/limits'
import { links } from '@/lib/links'
import { enterServer, forgetDeadServers } from './state-file'

/** Milliseconds between two signs of life of a local server; several may fail before its key expires. */
const BEAT_MS = 30_000

export interface LocalAccess {
  token: string
  /** Ends it: the key opens nothing any more, and the state file leads to another server of this machine, or is gone. */
  end(): Promise<void>
}

/**
 * Lets the command line of this machine in: a key, and the state file that holds it with the address. Both are kept alive while this process
 * lives, beside those of other servers, and expire some minutes after a crash; the next start forgets what a crash left behind at once.
 */
export async function openLocalAccess(
  sql: Sql,
  { stateDir, url }: { stateDir: string; url: string },
  beatMs = BEAT_MS,
): Promise<LocalAccess> {
  const token = keyFrom(randomBytes(32))
  const key = { id: v7(), hash: hashKey(token), start: token.slice(0, 8), minutes: limits.localKeyMinutes }
  const dead = await forgetDeadServers(stateDir)
  await removeLocalKeys(sql, dead.map(hashKey))
  await keepLocalKey(sql, key)
  const file = await enterServer(stateDir, { url, token })
  let beating: Promise<unknown> | null = null
  const beat = (): void => {
    // A database that is away for a while comes back, and the key with it.
    beating ??= Promise.allSettled([keepLocalKey(sql, key), file.keep()]).finally(() => (beating = null))
  }
  const timer = setInterval(beat, beatMs)
  timer.unref()
  return {
    token,
    async end() {
      clearInterval(timer)
      await beating
      await file.leave()
      await removeLocalKeys(sql, [key.hash]).catch(() => undefined) // a database that is gone already: the key expires all the same
    },
  }
}

/** A link that makes the first admin; null when there is one. */
export async function makeFirstAdminLink(sql: Sql, publicUrl: string): Promise<string | null> {
  const token = tokenFrom(randomBytes(32))
  const made = await createFirstAdminLink(sql, {
    id: v7(),
    tokenHash: hashToken(token),
    minutes: limits.oneTimeLinkMinutes,
  })
  return made ? publicUrl + links.oneTime(token) : null
}
