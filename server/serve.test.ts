import { once } from 'node:events'
import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { limits } from '@/lib/limits'
import { listen, type Listener } from './serve'

let listener: Listener
let url: string
beforeEach(async () => {
  listener = await listen('127.0.0.1', 0)
  url = `http://127.0.0.1:${listener.port}/executions?q=x`
})
afterEach(() => listener.close())

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

test('a browser that comes before the pages can answer reads what is being done, and is led on by itself', async () => {
  listener.doing('building the pages: compiling')
  const early = await fetch(url, { headers: BROWSER })
  expect(early.status).toBe(503)
  expect(early.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(early.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
  const html = await early.text()
  expect(html).toContain('It is building the pages: compiling')
  expect(html).toContain('<meta http-equiv="refresh" content="2">')
  // It needs nothing else: no script, no file.
  expect(html).not.toMatch(/<script|src=|href=|url\(/)
  listener.open((_request, response) => void response.end('the page'))
  expect(await (await fetch(url, { headers: BROWSER })).text()).toBe('the page')
})

test.each([
  ['a program', { headers: { accept: 'application/json' } }],
  ['a request that says nothing of what it takes', {}],
  ['what is sent', { method: 'POST', body: '{}', headers: BROWSER }],
])('%s hears a problem document', async (_who, init) => {
  const early = await fetch(url, init)
  expect([early.status, early.headers.get('content-type'), early.headers.get('retry-after')]).toEqual([
    503,
    'application/problem+json',
    '2',
  ])
  expect(await early.json()).toEqual({
    type: '/problems/store-down',
    title: 'Server starting',
    status: 503,
    detail: 'It is starting the database.',
  })
})

test('a load balancer hears that it is starting, and nothing else', async () => {
  const early = await fetch(new URL('/readyz', url))
  expect([early.status, await early.json()]).toEqual([503, { status: 'starting' }])
})

/** Says this on a bare connection. */
async function dial(text: string): Promise<Socket> {
  const socket = connect(listener.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

/** Everything that comes until the connection ends. */
async function heard(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (bytes) => (text += bytes.toString()))
  await new Promise<void>((resolve) => socket.on('error', () => undefined).once('close', () => resolve()))
  return text
}

const HEAD = 'Host: inquest.test\r\n'

test.each([
  ['TRACE', `TRACE /executions HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`],
  ['PROPFIND', `PROPFIND /api/v1/executions HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`],
  ['CONNECT', `CONNECT example.test:443 HTTP/1.1\r\n${HEAD}\r\n`],
  ['a method that nobody knows', `FETCH /executions HTTP/1.1\r\n${HEAD}\r\n`],
])('%s is answered with 405 and what is allowed', async (_name, text) => {
  listener.open((_request, response) => void response.end('the page'))
  const answer = await heard(await dial(text))
  expect(answer).toMatch(/^HTTP\/1\.1 405 /)
  expect(answer).toMatch(/^allow: GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE\r$/im)
  expect(answer).toContain('"type":"/problems/method-not-allowed"')
})

test.each(['/executions?q=%00', '/executions?q=a%00b', '/x/a%00', '/api/v1/find?id=%00'])(
  '%s holds a NUL and is refused before any page is asked',
  async (path) => {
    const asked = vi.fn()
    listener.open(asked)
    const answer = await fetch(`http://127.0.0.1:${listener.port}${path}`)
    expect([answer.status, ((await answer.json()) as { type: string }).type]).toEqual([
      400,
      '/problems/bad-request',
    ])
    expect(asked).not.toHaveBeenCalled()
  },
)

test('a connection is kept longer than clients keep theirs', async () => {
  listener.open((_request, response) => void response.end('the page'))
  const answer = await fetch(`http://127.0.0.1:${listener.port}/`)
  expect(answer.headers.get('keep-alive')).toBe('timeout=75')
})

test.each(['%', '%00', '{}', '[]', '["",{}]x'])(
  'a router state that Next cannot read is refused before any page is asked: %s',
  async (state) => {
    const asked = vi.fn((_request: unknown, response: ServerResponse) => void response.end('the page'))
    listener.open(asked)
    const answer = await fetch(url, { headers: { 'next-router-state-tree': state } })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ type: '/problems/bad-request' })
    expect(asked).not.toHaveBeenCalled()
  },
)

test('a router state that Next can read reaches the page', async () => {
  listener.open((_request, response) => void response.end('the page'))
  const state = encodeURIComponent(JSON.stringify(['', { children: ['executions', {}] }, null, null]))
  const answer = await fetch(url, { headers: { rsc: '1', 'next-router-state-tree': state } })
  expect(await answer.text()).toBe('the page')
})

test('bytes that are no request are refused as such', async () => {
  expect(await heard(await dial('\0\0\0\r\n\r\n'))).toMatch(/^HTTP\/1\.1 400 /)
  expect(await heard(await dial(`GET / HTTP/1.1\r\nx: ${'y'.repeat(80_000)}\r\n\r\n`))).toMatch(
    /^HTTP\/1\.1 431 /,
  )
})

describe('an answer that goes out before the body has come in', () => {
  const BODY_BYTES = 300_000
  /** Refuses after the first bytes, the way a route does that gives up a body which it reads as a web stream. */
  async function refuseMidway(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { body } = new Request(url, { method: 'POST', body: request, duplex: 'half' } as never)
    const reader = body!.getReader()
    await reader.read()
    await reader.cancel()
    response.writeHead(503).end('busy')
  }
  const REFUSALS: [how: string, refuse: (request: IncomingMessage, response: ServerResponse) => unknown][] = [
    ['unread', (_request, response) => response.writeHead(503).end('busy')],
    ['partly read', refuseMidway],
  ]

  test.each(REFUSALS)('closes the connection in good order: %s', async (_how, refuse) => {
    const asked = vi.fn(refuse)
    listener.open(asked)
    const socket = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true })
    const errors: Error[] = []
    let answer = ''
    socket.on('error', (error) => errors.push(error)).on('data', (bytes) => (answer += bytes.toString()))
    const closed = once(socket, 'close')
    socket.write(`POST /x HTTP/1.1\r\n${HEAD}Content-Length: ${BODY_BYTES}\r\n\r\nabc`)
    // The answer is over before the body is.
    await once(socket, 'end')
    expect(answer).toMatch(/^HTTP\/1\.1 503 /)
    expect(answer).toMatch(/^connection: close\r$/im)
    expect(answer).toContain('busy')
    for (let left = BODY_BYTES - 3; left > 0; left -= 50_000) {
      socket.write('a'.repeat(Math.min(left, 50_000)))
      await sleep(10)
    }
    // Nothing of what follows on this connection is served.
    socket.end(`GET /next HTTP/1.1\r\n${HEAD}\r\n`)
    await closed
    expect(errors).toEqual([])
    expect(asked).toHaveBeenCalledTimes(1)
  })

  test.each(REFUSALS)('leaves clients that keep connections able to go on: %s', async (_how, refuse) => {
    listener.open((request, response) =>
      request.method === 'POST' ? void refuse(request, response) : void response.end('the page'),
    )
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = (method: string, body?: Buffer): Promise<[number | undefined, string]> =>
      new Promise((resolve, reject) => {
        const sent = httpRequest(
          url,
          { method, agent },
          (response) => void text(response).then((all) => resolve([response.statusCode, all]), reject),
        ).on('error', reject)
        sent.end(body)
      })
    for (let n = 0; n < 20; n += 1)
      expect(await ask('POST', Buffer.alloc(BODY_BYTES, 'a'))).toEqual([503, 'busy'])
    expect(await ask('GET')).toEqual([200, 'the page'])
    agent.destroy()
    for (let n = 0; n < 20; n += 1) {
      const answer = await fetch(url, { method: 'POST', body: 'a'.repeat(BODY_BYTES) })
      expect([answer.status, await answer.text()]).toEqual([503, 'busy'])
    }
    expect(await (await fetch(url)).text()).toBe('the page')
  })

  test('keeps the connection where nothing of a body is missing', async () => {
    listener.open((_request, response) => void setImmediate(() => response.writeHead(401).end()))
    const small = await fetch(url, { method: 'POST', body: 'small' })
    expect(small.headers.get('connection')).toBe('keep-alive')
    listener.open((_request, response) => void response.writeHead(401).end())
    const none = await fetch(url, { method: 'POST' })
    expect(none.headers.get('connection')).toBe('keep-alive')
  })
})

describe('a client that takes its time', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] }))
  afterEach(() => void vi.useRealTimers())
  // Its timers have to be the faked ones.
  beforeEach(async () => {
    await listener.close()
    listener = await listen('127.0.0.1', 0)
  })

  /** Lets this much time pass, with the events of the network in between. */
  async function pass(seconds: number): Promise<void> {
    for (let left = seconds; left > 0; left -= 5) {
      await vi.advanceTimersByTimeAsync(5_000)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  test('over the rest of a body that was refused is cut off, and has heard why', async () => {
    listener.open((_request, response) => void response.writeHead(413).end('too large'))
    const socket = await dial(`POST /x HTTP/1.1\r\n${HEAD}Content-Length: 1000000000\r\n\r\n`)
    const answer = heard(socket)
    // It goes on and on.
    const more = (): void => void (socket.writable && socket.write('a', () => setImmediate(more)))
    more()
    await once(socket, 'data')
    await pass(limits.lingerSeconds)
    expect(await answer).toMatch(/^HTTP\/1\.1 413 /)
  })

  test('over a body that never goes on is cut off', async () => {
    const asked = new Promise<void>((resolve) =>
      listener.open((request) => {
        request.resume()
        resolve()
      }),
    )
    const socket = await dial(`POST /api/x HTTP/1.1\r\n${HEAD}Content-Length: 1000\r\n\r\nab`)
    const answer = heard(socket)
    await asked
    await pass(limits.stalledReaderSeconds - 10)
    expect(socket.closed).toBe(false)
    await pass(20)
    expect(await answer).toBe('')
  })

  test.each([
    ['a page', 'POST /executions'],
    ['a path without a page', 'POST /nothing'],
    ['what looks like a route', 'POST /apis'],
    ['a form', 'POST /sign-in'],
  ])('over a body that no route times is told so: %s', async (_what, asked) => {
    // What Next does: it reads the body to its end, then answers, also when the connection was cut.
    const late = vi.fn()
    const waits = new Promise<void>((resolve) =>
      listener.open((request, response) => {
        const answer = (): void => {
          response.setHeader('x-late', '1')
          response.writeHead(404).end('no page')
          late()
        }
        request.resume().once('end', answer).once('error', answer)
        resolve()
      }),
    )
    const socket = await dial(`${asked} HTTP/1.1\r\n${HEAD}Content-Length: 5000\r\n\r\na`)
    const all = heard(socket)
    await waits
    await pass(limits.smallBodySeconds - 5)
    socket.write('a')
    await pass(limits.lingerSeconds + 5)
    const answer = await all
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(answer).toMatch(/^connection: close\r$/im)
    expect(answer).toContain('"type":"/problems/request-timeout"')
    await vi.waitFor(() => expect(late).toHaveBeenCalled(), { timeout: 1_000 })
    expect(answer).not.toContain('no page')
  })

  test('over a body that a route times hears from that route', async () => {
    const reads = new Promise<ServerResponse>((resolve) =>
      listener.open((request, response) => {
        request.resume()
        resolve(response)
      }),
    )
    const socket = await dial(`POST /api/v1/ingest/auto HTTP/1.1\r\n${HEAD}Content-Length: 5000\r\n\r\na`)
    const response = await reads
    await pass(limits.smallBodySeconds + 5)
    expect(response.headersSent).toBe(false)
    socket.destroy()
  })

  test('over a body that was given up is watched on until the answer is out', async () => {
    let answer = (): void => undefined
    const givenUp = new Promise<void>((resolve) =>
      listener.open(async (request, response) => {
        const { body } = new Request(url, { method: 'POST', body: request, duplex: 'half' } as never)
        const reader = body!.getReader()
        await reader.read()
        await reader.cancel()
        answer = () => void response.writeHead(503).end('busy')
        resolve()
      }),
    )
    const socket = await dial(`POST /x HTTP/1.1\r\n${HEAD}Content-Length: 1000\r\n\r\nab`)
    const all = heard(socket)
    await givenUp
    await pass(10)
    answer()
    expect(await all).toMatch(/^HTTP\/1\.1 503 /)
  })

  test('over an answer that it does not take is cut off; one that waits for news is not', async () => {
    listener.open((request, response) => {
      if (request.url === '/live') {
        response.writeHead(200).write('event')
      } else response.write(Buffer.alloc(64 * 1024 * 1024))
    })
    const live = await dial(`GET /live HTTP/1.1\r\n${HEAD}\r\n`)
    await once(live, 'data')
    const stalled = await dial(`GET /large HTTP/1.1\r\n${HEAD}\r\n`)
    await once(stalled, 'readable')
    const gone = new Promise((resolve) => stalled.on('error', resolve).once('close', resolve))
    await pass(limits.stalledReaderSeconds + 10)
    stalled.resume()
    await gone
    expect(live.closed).toBe(false)
    live.destroy()
  })
})

describe('a client that keeps its half of a connection open', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  const openConnections = (): Promise<number> =>
    new Promise((resolve, reject) =>
      listener.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    )

  test.each([
    ['that sent nothing', '', false],
    ['that began a request', `GET / HTTP/1.1\r\n${HEAD}`, false],
    ['that sent no request at all', '\0\0\0\r\n\r\n', true],
    ['that asked for another protocol', `CONNECT example.test:443 HTTP/1.1\r\n${HEAD}\r\n`, true],
    ['that has its answer', `GET / HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`, true],
  ])('%s frees its place', async (_how, sent, isAnswered) => {
    listener.open((_request, response) => void response.end('the page'))
    const accepted = once(listener.server, 'connection') as Promise<[Socket]>
    const socket = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true }).pause()
    socket.on('error', () => undefined).write(sent)
    const [served] = await accepted
    try {
      if (!isAnswered)
        // What Node says of it after `headersTimeout`, which the real clock measures.
        listener.server.emit('clientError', { code: 'ERR_HTTP_REQUEST_TIMEOUT' }, served)
      if (!served.writableFinished) await once(served, 'finish')
      await vi.advanceTimersByTimeAsync(limits.lingerSeconds * 1000)
      await vi.waitFor(async () => expect(await openConnections()).toBe(0), { timeout: 1_000 })
    } finally {
      socket.destroy()
    }
  })
})

test('so many connections are open and no more', async () => {
  expect(listener.server.maxConnections).toBe(limits.connectionsMax)
  listener.server.maxConnections = 1
  const first = await dial('')
  const second = connect(listener.port, '127.0.0.1')
  await heard(second)
  expect(first.closed).toBe(false)
  first.destroy()
})
