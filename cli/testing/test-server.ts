import { createHash } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

export interface Received {
  method: string
  path: string
  headers: http.IncomingHttpHeaders
  body: Buffer
}

interface Stream {
  bytes: Buffer
  parts: { offset: number; length: number; sha256: string }[]
}

export interface TestServer {
  url: string
  port: number
  /** Every request in order. */
  requests: Received[]
  streams: Map<string, Stream>
  /** Hook frames and receipts, each counted once. */
  frames: Set<string>
  /** The key that opens; a server that was started again has another one. */
  token: string
  /** Answers instead of the server when it returns true. */
  intercept: (request: Received, response: http.ServerResponse) => boolean
  /** Stops listening and cuts what is open. */
  stop(): Promise<void>
  /** Listens again on the same port. */
  restart(): Promise<void>
}

export const testToken = 'test-token-1234'

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** A small server with the contract of the ingest endpoints: it keeps bytes by stream and offset, and counts lines. */
export async function startTestServer(): Promise<TestServer> {
  const streams = new Map<string, Stream>()
  const frames = new Set<string>()
  const requests: Received[] = []
  const remembered = new Map<string, string>()

  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('error', () => {})
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const raw = Buffer.concat(chunks)
      const received: Received = {
        method: request.method!,
        path: request.url!,
        headers: request.headers,
        body: request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw,
      }
      requests.push(received)
      if (handle.intercept(received, response)) return
      answer(received, response)
    })
  })

  function answer(received: Received, response: http.ServerResponse): void {
    const send = (status: number, document: unknown): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document))
    if (received.headers.authorization !== `Bearer ${handle.token}`)
      return send(401, { type: '/problems/not-signed-in', title: 'Authentication required', status: 401 })
    if (received.path === '/healthz' || received.path === '/readyz') return send(200, { status: 'ok' })
    if (received.path === '/api/v1/sources') return send(200, { items: [], nextCursor: null })
    const stream = /^\/api\/v1\/ingest\/streams\/([^?]+)/.exec(received.path)
    if (stream) {
      const known = streams.get(decodeURIComponent(stream[1]!))
      return known
        ? send(200, { nextOffset: nextOffset(known), parts: known.parts })
        : send(404, { type: '/problems/not-found', title: 'Not found', status: 404 })
    }
    if (/^\/api\/v1\/ingest\/(?:claude-hook|receipts)$/.test(received.path)) {
      const lines = received.body
        .toString('utf8')
        .split('\n')
        .filter((line) => line !== '')
      const fresh = lines.filter((line) => !frames.has(line))
      for (const line of fresh) frames.add(line)
      return send(200, ingestAnswer(received.body, fresh.length, lines.length - fresh.length, null, null))
    }
    if (/^\/api\/v1\/ingest\//.test(received.path)) return ingest(received, send)
    return send(404, { type: '/problems/not-found', title: 'Not found', status: 404 })
  }

  function ingest(received: Received, send: (status: number, document: unknown) => void): void {
    const key = received.headers['idempotency-key'] as string | undefined
    if (key && remembered.has(key)) return send(200, JSON.parse(remembered.get(key)!))
    const named = received.headers['inquest-stream'] as string | undefined
    const id =
      named !== undefined ? decodeURIComponent(named) : `by-name:${String(received.headers['inquest-file'])}`
    const offset = Number(received.headers['inquest-offset'] ?? 0)
    let stream = streams.get(id) ?? { bytes: Buffer.alloc(0), parts: [] }
    // Other bytes in the same place: the file was rewritten.
    if (
      offset === 0 &&
      stream.bytes.length > 0 &&
      !stream.bytes.subarray(0, received.body.length).equals(received.body.subarray(0, stream.bytes.length))
    ) {
      stream = { bytes: Buffer.alloc(0), parts: [] }
    }
    const before = stream.bytes
    const after = Buffer.concat([before.subarray(0, Math.min(offset, before.length)), received.body])
    const kept = after.length >= before.length ? after : before
    const accepted = countLines(kept) - countLines(before)
    const grew = after.length > before.length || before.length === 0
    streams.set(
      id,
      !grew
        ? stream
        : {
            bytes: kept,
            parts: [
              ...stream.parts.filter((part) => part.offset < offset),
              { offset, length: received.body.length, sha256: sha256(received.body) },
            ],
          },
    )
    const document = ingestAnswer(
      received.body,
      accepted,
      countLines(received.body) - accepted,
      id,
      nextOffset(streams.get(id)!),
    )
    if (key) remembered.set(key, JSON.stringify(document))
    send(200, document)
  }

  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo

  const handle: TestServer = {
    url: `http://127.0.0.1:${port}`,
    port,
    token: testToken,
    requests,
    streams,
    frames,
    intercept: () => false,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
    restart: () => listen(port),
  }
  return handle
}

const countLines = (bytes: Buffer): number =>
  bytes
    .toString('latin1')
    .split('\n')
    .filter((line) => line.trim() !== '').length

/** A torn last line is read again with what follows. */
const nextOffset = (stream: Stream): number => stream.bytes.lastIndexOf(0x0a) + 1

const ingestAnswer = (
  body: Buffer,
  accepted: number,
  duplicates: number,
  streamId: string | null,
  next: number | null,
): object => ({
  accepted,
  duplicates,
  odd: [],
  oddTotal: 0,
  executions:
    streamId === null
      ? []
      : [
          {
            id: `id-of-${streamId}`,
            externalId: streamId,
            outcome: body.includes('FAILED') ? 'failed' : 'succeeded',
            url: `/executions/${encodeURIComponent(streamId)}`,
          },
        ],
  streamId,
  nextOffset: next,
  originalSha256: sha256(body),
})
