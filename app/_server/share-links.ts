import { randomBytes } from 'node:crypto'
import { hashToken, tokenFrom } from '@/lib/auth/tokens'
import { links } from '@/lib/links'
import { sharedPatchText } from '@/lib/words/server/shared-patches'
import type { Access } from './access'
import { publicUrl } from './config'
import { Refusal } from './respond'

/** A new token: its address to hand on, its digest to keep. */
export function newShareLink(): { url: string; tokenHash: string } {
  const token = tokenFrom(randomBytes(32))
  return { url: publicUrl() + links.sharedPatch(token), tokenHash: hashToken(token) }
}

/** Publishing a patch is a decision about who may read it. @throws Refusal `not-allowed` for a key */
export function needsPerson(access: Access): void {
  if (access.actor.kind !== 'person') throw new Refusal('not-allowed', sharedPatchText.keysCantShare)
}
