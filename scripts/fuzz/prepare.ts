import { randomUUID } from 'node:crypto'
import { links } from '@/lib/links'
import { CART_PATCH } from '@/e2e/support/fixes'
import { admin } from '@/e2e/support/people'
import { sampleReceipts } from '@/lib/sample/receipts'
import type { Known } from './inputs'
import type { Samples } from './samples'
import type { Target } from './send'

interface Started {
  url: string
  token: string
  /** The link by which the first admin signs in. */
  link: string
}

/** Signs the first admin in as the page does. @returns the value of the `Cookie` header */
export async function signInBy({ url, link }: Pick<Started, 'url' | 'link'>): Promise<string> {
  const token = new URL(link).searchParams.get('link')!
  const answer = await fetch(url + links.api.oneTime(token), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(admin),
  })
  if (!answer.ok) throw new Error(`nobody could sign in: ${answer.status} ${await answer.text()}`)
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

/**
 * Fills an empty server with one of everything that has an address, so that requests get beyond "not found".
 *
 * @returns who asks, and values that the server knows by the parameter that takes them
 */
export async function prepareServer(
  started: Started,
  samples: Samples,
): Promise<{ target: Target; known: Known }> {
  const { url, token } = started
  const target: Target = { url, token, cookie: await signInBy(started) }
  const asKey = { authorization: `Bearer ${token}` }
  const asPerson = { cookie: target.cookie, origin: url }
  const post = async <T>(
    path: string,
    body: BodyInit | object,
    headers: Record<string, string>,
  ): Promise<T> => {
    const plain = Object.getPrototypeOf(body) === Object.prototype
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { ...headers, ...(plain ? { 'content-type': 'application/json' } : {}) },
      body: plain ? JSON.stringify(body) : (body as BodyInit),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const get = async <T>(path: string): Promise<T> =>
    (await (await fetch(url + path, { headers: asKey })).json()) as T

  await post(links.api.sample(), '', asKey)
  const { executions } = await post<{ executions: { id: string; externalId: string }[] }>(
    links.api.ingest('claude-transcript'),
    samples['claude-transcript'][0]!,
    { ...asKey, 'inquest-stream': 'known-stream' },
  )
  const execution = executions[0]!.id
  const { fix } = await post<{ fix: { id: string } }>(links.api.executionFixes(execution), CART_PATCH, asKey)
  const shared = await post<{ url: string }>(links.api.ofFix(fix.id, 'links'), { hours: 1 }, asPerson)
  const page = await get<{ items: { id: string; externalId: string }[]; nextCursor: string | null }>(
    links.api.executions('limit=2'),
  )
  const parts = await get<{ items: { received: string }[] }>(links.api.raw(execution))
  const source = await post<{ id: string }>(
    links.api.sources(),
    { kind: 'claude-code', name: 'spare' },
    asKey,
  )
  const key = await post<{ id: string }>(links.api.keys(), { name: 'spare', scopes: ['ingest'] }, asKey)
  const sha = parts.items[0]!.received
  const chainId = (await sampleReceipts()).chains[0]!.chainId
  return {
    target,
    known: {
      '*': ['default', execution, sha],
      id: [
        execution,
        execution,
        execution,
        ...page.items.map(({ id }) => id),
        ...page.items.map(({ externalId }) => externalId),
        source.id,
        key.id,
        randomUUID(),
        chainId,
      ],
      fix: [fix.id],
      token: [new URL(shared.url, url).pathname.replace(/^\/shared\/|\.patch$/g, '')],
      sha256: [sha],
      streamId: ['known-stream', ...page.items.map(({ externalId }) => externalId)],
      ordinal: ['0', '1', '3'],
      cursor: page.nextCursor === null ? ['x'] : [page.nextCursor],
      limit: ['1', '2', '200', '201', '0'],
      project: ['default', 'no-such'],
      q: ['outcome:failed', 'tests branch:main', 'attempts:>1', '-outcome:failed "cart"'],
      around: [`${sha}:0-10`],
      at: [`${sha}:0-10`],
      start: ['0', '5'],
      end: ['10', '999999999999'],
      from: ['live', 'persisted'],
      to: ['persisted', 'live'],
      attempt: ['1', '2'],
      provider: ['github', 'gitlab'],
      path: ['acme/shop', '/a/b'],
      run: ['4711'],
      slug: ['store-down', 'sources', 'keys', 'people', 'get-session'],
      kind: ['claude-transcript', 'missing,added'],
      view: ['raw', 'list'],
      since: ['1'],
      next: ['/executions', '//evil.example'],
      'Inquest-Offset': ['0', '10'],
      'Inquest-More': ['0', '1'],
      'Inquest-Stream': ['known-stream', 'fuzz-stream'],
      'Idempotency-Key': ['same', 'other'],
      'Last-Event-ID': ['1', '0'],
    },
  }
}
