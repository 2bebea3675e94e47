import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { limits } from '@/lib/limits'
import { links } from '@/lib/links'
import { publicUrl, secret } from './config'

const NAME = 'inquest.device'
const VALUE = /^([\w-]{22})\.([\w-]{43})$/

/**
 * A browser in which an account has signed in is known by a cookie, so that its attempts count for themselves: behind a proxy that the server
 * was not told of, all clients have one address, and one of them can use up its attempts. The cookie opens nothing.
 *
 * @returns its name, when the request has the cookie of this account; else null
 * @see https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
 */
export function knownDevice(account: string, headers: Headers): string | null {
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const [name, value] = pair.trim().split('=')
    const [, nonce, mac] = name === NAME ? (VALUE.exec(value ?? '') ?? []) : []
    if (nonce === undefined || mac === undefined) continue
    if (timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(account, nonce)))) return nonce
  }
  return null
}

/** `Set-Cookie` of a browser in which this account has just signed in. */
export function deviceCookie(account: string): string {
  const nonce = randomBytes(16).toString('base64url')
  const secure = publicUrl().startsWith('https:') ? '; Secure' : ''
  const maxAge = limits.knownDeviceDays * 24 * 60 * 60
  return `${NAME}=${nonce}.${macOf(account, nonce)}; Max-Age=${maxAge}; Path=${links.api.signIn()}; HttpOnly; SameSite=Lax${secure}`
}

const macOf = (account: string, nonce: string): string =>
  createHmac('sha256', secret()).update(`sign-in device\0${nonce}\0${account}`).digest('base64url')
