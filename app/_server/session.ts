import { auth } from './auth'

export interface Session {
  personId: string
  /** `Set-Cookie` values that renew it, when it is time. */
  cookies: string[]
}

/**
 * Reads the signed session cookie and its row. Null when there is none or it has ended; a database that does not answer
 * throws, so that nobody is sent to sign in because of it.
 *
 * @param refresh false where no cookie can be set (server components): then the session is not prolonged either
 */
export async function readSession(headers: Headers, { refresh }: { refresh: boolean }): Promise<Session | null> {
  if (!headers.has('cookie')) return null
  const { response, headers: answered } = await auth().api.getSession({ headers, query: { disableRefresh: !refresh }, returnHeaders: true })
  return response ? { personId: response.user.id, cookies: answered.getSetCookie() } : null
}
