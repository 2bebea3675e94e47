import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { Fault } from '@/e2e/support/noetl/faults'
import { SEED, seedRuns } from '@/e2e/support/noetl/seed'
import { startNoetlStandIn, type NoetlStandIn } from '@/e2e/support/noetl/stand-in'
import { memberAt } from '@/lib/text/exact-json'
import { selfSigned } from '../testing/self-signed'
import { fetchJson, type Fetched, type FetchOptions, type FetchScope } from './safe-fetch'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

let standIn: NoetlStandIn
async function start(...faults: Fault[]): Promise<FetchScope> {
  standIn = await startNoetlStandIn({ runs: seedRuns(), faults, token: 'secret' })
  closing.push(() => standIn.close())
  return {
    baseUrl: `${standIn.url}/`,
    header: { name: 'Authorization', value: 'Bearer secret' },
    allowPrivate: true,
  }
}
async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => void server.close())
  return (server.address() as AddressInfo).port
}
const LIST = 'api/executions'
const get = (scope: FetchScope, options?: FetchOptions) => fetchJson(scope, LIST, options)
const kindOf = (fetched: Fetched) => (fetched.ok ? 'ok' : fetched.failure.kind)

test('a document comes with its bytes and all its digits, and the header went along', async () => {
  const scope = await start()
  const fetched = await fetchJson(scope, `${LIST}/${SEED.everyId}`)
  if (!fetched.ok) throw new Error(fetched.failure.kind)
  expect(new TextDecoder().decode(fetched.bytes)).toContain(SEED.everyId)
  expect(memberAt(fetched.value, 'execution_id')).toBe(SEED.everyId)
  expect(standIn.calls[0]!.headers).toMatchObject({
    authorization: 'Bearer secret',
    accept: 'application/json',
  })
})

describe('what a server does wrong', () => {
  test.each([
    ['down', [{ kind: 'down' }]],
    ['down', [{ kind: 'reset' }]],
    ['timed_out', [{ kind: 'slow', ms: 60_000 }]],
    ['timed_out', [{ kind: 'drip', ms: 50, bytes: 1 }]],
    ['not_json', [{ kind: 'html' }]],
    ['not_json', [{ kind: 'html', contentType: 'application/json' }]],
    ['status', [{ kind: 'status', status: 500 }]],
    ['cut_off', [{ kind: 'cut' }]],
    ['cut_off', [{ kind: 'half' }]],
    ['unauthorized', [{ kind: 'status', status: 403 }]],
    ['redirected_elsewhere', [{ kind: 'redirect', to: 'itself' }]],
    ['ok', [{ kind: 'redirect', to: 'same_host' }]],
  ] satisfies [string, Fault[]][])('%s: %j', async (kind, faults) => {
    const scope = await start(...faults)
    expect(kindOf(await get(scope, { wholeMs: 500 }))).toBe(kind)
  })

  test('a credential that is refused is told as such', async () => {
    const scope = await start()
    expect(kindOf(await get({ ...scope, header: { name: 'Authorization', value: 'Bearer other' } }))).toBe(
      'unauthorized',
    )
    expect(kindOf(await get({ ...scope, header: null }))).toBe('unauthorized')
  })

  test('a wait that it asks for is handed on, as seconds and as a date', async () => {
    const scope = await start(
      { kind: 'status', status: 429, headers: { 'retry-after': '7' }, times: 1 },
      {
        kind: 'status',
        status: 503,
        headers: { 'retry-after': new Date(Date.now() + 60_000).toUTCString() },
      },
    )
    expect(await get(scope)).toMatchObject({ failure: { kind: 'status', status: 429, retryAfterMs: 7000 } })
    const later = await get(scope)
    expect(later.ok ? 0 : later.failure.retryAfterMs! / 1000).toBeGreaterThan(50)
  })

  test.each([false, true])('300 MB are not read, whether their length is told (%s)', async (declared) => {
    const scope = await start({ kind: 'huge', declared })
    expect(kindOf(await get(scope, { bytesMax: 1024 * 1024 }))).toBe('too_large')
    expect(standIn.calls[0]!.bytes).toBeLessThan(20_000_000)
  })

  test('nor what grows beyond the limit when its coding is undone', async () => {
    const scope = await start({ kind: 'huge', bytes: 30_000_000, gzip: true })
    expect(kindOf(await get(scope, { bytesMax: 1024 * 1024 }))).toBe('too_large')
    expect(kindOf(await get(scope))).toBe('ok')
  })

  test('what is no HTTP at all is no answer', async () => {
    const port = await listen(
      createTcpServer((socket) => {
        socket.on('error', () => {})
        socket.end('SSH-2.0-none\r\n')
      }),
    )
    expect(
      kindOf(await get({ baseUrl: `http://127.0.0.1:${port}/`, header: null, allowPrivate: true })),
    ).toBe('not_json')
  })
})

describe('where it asks', () => {
  test('a redirect to another host is not followed, and the credential does not arrive there', async () => {
    const scope = await start({ kind: 'redirect', to: 'other_host', status: 307 })
    expect(await get(scope)).toMatchObject({ ok: false, failure: { kind: 'redirected_elsewhere' } })
    expect(standIn.calls).toHaveLength(1)
    expect(standIn.elsewhere.calls).toEqual([])
  })

  test('nor one that leaves the configured path on the same host', async () => {
    const port = await listen(
      createHttpServer(
        ({ url }, response) =>
          void (url === '/admin'
            ? response.writeHead(200, { 'content-type': 'application/json' }).end('[]')
            : response.writeHead(302, { location: '/admin' }).end()),
      ),
    )
    expect(
      kindOf(await get({ baseUrl: `http://127.0.0.1:${port}/flows/`, header: null, allowPrivate: true })),
    ).toBe('redirected_elsewhere')
  })

  test('a path cannot lead out of the configured address', async () => {
    const scope = await start()
    for (const path of ['../x', '//localhost/x', 'http://localhost/x'])
      expect(kindOf(await fetchJson({ ...scope, baseUrl: `${standIn.url}/flows/` }, path)), path).toBe(
        'redirected_elsewhere',
      )
    expect(standIn.calls).toEqual([])
  })

  test('this machine is refused unless the connection allows it', async () => {
    const scope = { ...(await start()), allowPrivate: false }
    const port = new URL(standIn.url).port
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1'])
      expect(kindOf(await get({ ...scope, baseUrl: `http://${host}:${port}/` })), host).toBe(
        'private_address',
      )
    expect(standIn.calls).toEqual([])
  })

  test('where machines are told about themselves it never asks', async () => {
    for (const host of ['169.254.169.254', '[fd00:ec2::254]', '[::ffff:169.254.169.254]', '0.0.0.0'])
      expect(kindOf(await get({ baseUrl: `http://${host}/`, header: null, allowPrivate: true })), host).toBe(
        'private_address',
      )
  })

  test('a name is judged by what the connection itself resolves it to, each time', async () => {
    const scope = await start()
    const port = new URL(standIn.url).port
    const named = { ...scope, baseUrl: `http://noetl.example:${port}/`, allowPrivate: false }
    const asked: string[] = []
    const answers = (...addresses: string[]) => ({
      resolve: (
        host: string,
        _options: object,
        done: (error: null, addresses: { address: string; family: number }[]) => void,
      ) => {
        asked.push(host)
        done(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        )
      },
    })
    expect(kindOf(await get(named, answers('127.0.0.1')))).toBe('private_address')
    // One good address among bad ones is how a name lies.
    expect(kindOf(await get({ ...named, allowPrivate: true }, answers('127.0.0.1', '169.254.169.254')))).toBe(
      'private_address',
    )
    expect(standIn.calls).toEqual([])
    expect(kindOf(await get({ ...named, allowPrivate: true }, answers('127.0.0.1')))).toBe('ok')
    expect(asked).toEqual(Array(3).fill('noetl.example'))
  })

  test('a certificate that does not hold is refused, and nothing is told to its server', async () => {
    let requests = 0
    const server = createServer(selfSigned, (_, response) => {
      requests++
      response.end('{}')
    })
    const port = await listen(server)
    const fetched = await get({
      baseUrl: `https://127.0.0.1:${port}/`,
      header: { name: 'Authorization', value: 'Bearer secret' },
      allowPrivate: true,
    })
    expect(fetched).toEqual({
      ok: false,
      failure: {
        kind: 'certificate',
        detail: { id: 'self_signed', params: {} },
        about: null,
      },
    })
    expect(requests).toBe(0)
  })
})

test('who stops asking hears that, and no failure of the server', async () => {
  const scope = await start({ kind: 'slow', ms: 60_000 })
  const stop = new AbortController()
  const asked = get(scope, { signal: stop.signal })
  stop.abort(new Error('the server is stopping'))
  await expect(asked).rejects.toThrow('the server is stopping')
})
