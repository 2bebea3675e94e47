import { createHmac, timingSafeEqual } from 'node:crypto'
import { auth } from './auth'

export interface Session {
  personId: string
  /** `Set-Cookie` values that renew it, when it is time. */
  cookies: string[]
}

/**
 * Reads the signed session cookie and its row, and prolongs the session when it is time. Null when there is none or it has
 * ended; a database that does not answer throws, so that nobody is sent to sign in because of it.
 */
export async function readSession(headers: Headers): Promise<Session | null> {
  if (!headers.has('cookie')) return null
  const { response, headers: answered } = await auth().api.getSession({ headers, returnHeaders: true })
  return response ? { personId: response.user.id, cookies: answered.getSetCookie() } : null
}

/**
 * The token in the session cookie, when its signature is ours; whether the session still runs is for the database to say. For
 * pages, which cannot set a cookie and so prolong nothing: they read the session and what its person may see in one statement.
 */
export async function readSessionToken(headers: Headers): Promise<string | null> {
  const jar = headers.get('cookie')
  if (jar === null) return null
  const { authCookies, secret } = await auth().$context
  const start = `${authCookies.sessionToken.name}=`
  const pair = jar.split(/; */).find((one) => one.startsWith(start))
  return pair === undefined ? null : signedValue(pair.slice(start.length), secret)
}

/** The value of a cookie signed as better-auth signs: `value.base64(HMAC-SHA-256(value))`, percent-encoded. */
function signedValue(encoded: string, secret: string): string | null {
  let cookie: string
  try {
    cookie = decodeURIComponent(encoded)
  } catch {
    return null
  }
  const dot = cookie.lastIndexOf('.')
  if (dot < 1) return null
  const value = cookie.slice(0, dot)
  const given = Buffer.from(cookie.slice(dot + 1), 'base64')
  const due = createHmac('sha256', secret).update(value).digest()
  return given.length === due.length && timingSafeEqual(given, due) ? value : null
}
