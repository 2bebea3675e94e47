import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'
import type { Sql } from '@/db/client'
import { removeLocalKey, replaceLocalKey } from '@/db/writes/keys'
import { createStartLink } from '@/db/writes/one-time-links'
import { hashKey, hashToken, keyFrom, tokenFrom } from '@/lib/auth/tokens'
import { limits } from '@/lib/limits'
import { links } from '@/lib/links'

/** A key for the command line of this machine, good until the server stops or starts again. */
export async function makeLocalKey(sql: Sql): Promise<{ token: string; forget: () => Promise<void> }> {
  const token = keyFrom(randomBytes(32))
  const id = v7()
  await replaceLocalKey(sql, { id, hash: hashKey(token), start: token.slice(0, 8) })
  return { token, forget: () => removeLocalKey(sql, id) }
}

/** The link that the start prints, and what it is for. */
export async function makeStartLink(
  sql: Sql,
  publicUrl: string,
): Promise<{ url: string; firstAdmin: boolean }> {
  const token = tokenFrom(randomBytes(32))
  const purpose = await createStartLink(sql, {
    id: v7(),
    tokenHash: hashToken(token),
    minutes: limits.oneTimeLinkMinutes,
  })
  return { url: publicUrl + links.oneTime(token), firstAdmin: purpose === 'first-admin' }
}
