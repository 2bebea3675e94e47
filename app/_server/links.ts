import { randomBytes } from 'node:crypto'
import { tokenFrom, hashToken } from '@/lib/auth/tokens'
import type { OneTimeLinkItem } from '@/lib/api/admin-schemas'
import { limits } from '@/lib/limits'
import { links } from '@/lib/links'
import type { LinkPurpose } from '@/db/schema/people'
import { readOneTimeLink } from '@/db/people/one-time-links'
import { publicUrl } from './config'
import { db } from './db'

const ASKS: Record<LinkPurpose, OneTimeLinkItem['asksFor']> = {
  'first-admin': ['name', 'email', 'password'],
  invite: ['name', 'password'],
  reset: ['password'],
}

/** What a one-time link is for, without using it up; null when it does not open (any more). */
export async function describeLink(token: string): Promise<OneTimeLinkItem | null> {
  const link = await readOneTimeLink(db().sql, hashToken(token))
  return (
    link && {
      purpose: link.purpose,
      name: link.name,
      email: link.email,
      asksFor: ASKS[link.purpose],
      expiresAt: link.expiresAt,
    }
  )
}

/** A new token: its address to hand on, its digest to keep. */
export function newLink(): { url: string; tokenHash: string; minutes: number; expiresAt: string } {
  const token = tokenFrom(randomBytes(32))
  const minutes = limits.oneTimeLinkMinutes
  return {
    url: publicUrl() + links.oneTime(token),
    tokenHash: hashToken(token),
    minutes,
    expiresAt: new Date(Date.now() + minutes * 60_000).toISOString(),
  }
}
