import { firstAdminLink } from '@/e2e/support/server'
import { links } from '@/lib/links'
import type { Product } from './product'

/** As Playwright wants them. */
export interface Cookie {
  name: string
  value: string
  url: string
}

/** Makes the first admin; hands back the session's cookies. */
export async function signIn({ url, token: key }: Product): Promise<Cookie[]> {
  const token = new URL(await firstAdminLink(url, key)).searchParams.get('link')!
  const answer = await fetch(`${url}${links.api.oneTime(token)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ name: 'Bench', email: 'bench@example.com', password: 'a long enough password' }),
  })
  if (!answer.ok) throw new Error(`signing in was refused: ${answer.status} ${await answer.text()}`)
  return answer.headers.getSetCookie().map((cookie) => {
    const [pair = ''] = cookie.split(';')
    const at = pair.indexOf('=')
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url }
  })
}
