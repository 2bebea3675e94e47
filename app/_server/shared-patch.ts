import { createHmac, timingSafeEqual } from 'node:crypto'
import { secret } from './config'

/** What a link for people without an account opens, and until when. */
export interface SharedPatch {
  projectId: string
  fixId: string
  /** Seconds since 1970. */
  expires: number
}

const signatureOf = (payload: string): Buffer =>
  createHmac('sha256', createHmac('sha256', secret()).update('inquest shared patch 1').digest())
    .update(payload)
    .digest()

/** Spells the token of a link. It holds no secret but its signature, and ends by itself; nothing is stored. */
export function sharedPatchToken({ projectId, fixId, expires }: SharedPatch): string {
  const payload = Buffer.from(JSON.stringify([projectId, fixId, expires])).toString('base64url')
  return `${payload}.${signatureOf(payload).toString('base64url')}`
}

/** Reads a token; null when it was not made here, `expired` when its time is over. */
export function readSharedPatch(token: string, nowMs = Date.now()): SharedPatch | 'expired' | null {
  const [payload, signature, ...more] = token.split('.')
  if (!payload || !signature || more.length > 0) return null
  const given = Buffer.from(signature, 'base64url')
  const wanted = signatureOf(payload)
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null
  const [projectId, fixId, expires] = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as [
    string,
    string,
    number,
  ]
  return expires * 1000 <= nowMs ? 'expired' : { projectId, fixId, expires }
}
