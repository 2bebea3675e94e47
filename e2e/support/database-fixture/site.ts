import './next-storage'
import { callPage, type PageAnswer, type PageModule } from './page-request'
import { matchRoute } from './route-table'

export const ORIGIN = 'http://127.0.0.1:4790'

/**
 * Settings that the fixture was written under: its cookies are signed with this secret, which is
 * none.
 */
export const SITE_ENV = {
  INQUEST_SECRET: 'the secret of the database fixture, which is not a secret',
  INQUEST_PUBLIC_URL: ORIGIN,
  INQUEST_PARITY_SWEEP: 'off',
}

export interface Ask {
  method?: string
  key?: string
  cookie?: string
  headers?: Record<string, string>
  /** An object is sent as JSON. */
  body?: BodyInit | object
}

const isPlain = (body: unknown): body is object =>
  typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype

function headersOf({ key, cookie, headers = {}, body }: Ask): Headers {
  return new Headers({
    ...(cookie === undefined ? {} : { cookie, origin: ORIGIN }),
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(isPlain(body) ? { 'content-type': 'application/json' } : {}),
    ...headers,
  })
}

type Handler = (request: Request, context: { params: Promise<unknown> }) => Promise<Response>

/** Asks the handler of an address of the API, as Next would, in this process. */
export async function ask(address: string, how: Ask = {}): Promise<Response> {
  const url = new URL(address, ORIGIN)
  const route = matchRoute(url.pathname)
  if (route === null || route.isPage) throw new Error(`no handler answers ${url.pathname}`)
  const { method = 'GET', body } = how
  const module = (await import(route.file)) as Record<string, Handler | undefined>
  const handler = module[method]
  if (handler === undefined) throw new Error(`${url.pathname} has no ${method}`)
  const sent =
    body === undefined
      ? {}
      : { body: isPlain(body) ? JSON.stringify(body) : (body as BodyInit), duplex: 'half' }
  return handler(new Request(url, { method, headers: headersOf(how), ...sent } as RequestInit), {
    params: Promise.resolve(route.params),
  })
}

/** Asks for a JSON document. @throws unless the answer is a success */
export async function askJson<T = Record<string, unknown>>(address: string, how: Ask = {}): Promise<T> {
  const response = await ask(address, how)
  const text = await response.text()
  if (!response.ok)
    throw new Error(`${how.method ?? 'GET'} ${address}: ${response.status} ${text.slice(0, 500)}`)
  return (text === '' ? {} : JSON.parse(text)) as T
}

/** Next writes names of this machine in its own way: only what follows them counts. */
const pathOf = (location: string): string => {
  const { pathname, search, hash } = new URL(location, ORIGIN)
  return pathname + search + hash
}

const LED_BY_PROXY = /^\/(x|ci)\//

/** What a reader meets at an address of a page or a file: proxy.ts first, then the page or the handler. */
export async function visit(address: string, how: Ask = {}): Promise<PageAnswer> {
  const url = new URL(address, ORIGIN)
  const headers = headersOf(how)
  if (LED_BY_PROXY.test(url.pathname)) {
    const [{ proxy }, { NextRequest }] = await Promise.all([import('../../../proxy'), import('next/server')])
    const led = await proxy(new NextRequest(url, { headers }))
    const location = led.headers.get('location')
    if (location !== null) return { status: led.status, location: pathOf(location) }
  }
  const route = matchRoute(url.pathname)
  if (route === null) return { status: 404 }
  if (!route.isPage) {
    const response = await ask(address, how)
    await response.body?.cancel()
    return { status: response.status }
  }
  headers.set('x-inquest-path', url.pathname + url.search)
  const searchParams = Object.fromEntries(
    [...url.searchParams.keys()].map((name) => {
      const values = url.searchParams.getAll(name)
      return [name, values.length === 1 ? values[0]! : values]
    }),
  )
  return callPage(
    (await import(route.file)) as PageModule,
    { params: Promise.resolve(route.params), searchParams: Promise.resolve(searchParams) },
    headers,
  )
}
