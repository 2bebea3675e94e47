import { Agent, request } from 'node:http'
import type { Input } from './inputs'

/** Where requests go, and as whom. */
export interface Target {
  url: string
  token: string
  /** Value of the `Cookie` header of a signed-in person. */
  cookie: string
}

/** What came of one request. `cut`: no answer came, and why. */
export type Answer =
  | { status: number; type: string; text: string; ms: number; requestId: string }
  | { cut: string; wasIdle: boolean; ms: number; requestId: string }

const TEXT_MAX = 4_096
const PATIENCE_MS = 30_000
/** An answer may repeat a long address. */
const HEADER_BYTES_MAX = 128 * 1024
const agent = new Agent({ keepAlive: true, maxSockets: 16 })

/**
 * Sends one request as it is, without the checks that `fetch` makes.
 *
 * @param streams the answer does not end: its first bytes are enough
 */
export async function send(
  target: Target,
  input: Input,
  requestId: string,
  streams = false,
): Promise<Answer> {
  const answer = await sendOnce(target, input, requestId, streams)
  // A server may close an idle connection just when it is used again: that is no answer to this request.
  return 'cut' in answer && answer.wasIdle ? sendOnce(target, input, requestId, streams) : answer
}

function sendOnce(
  { url, token, cookie }: Target,
  { method, target, headers, body, as }: Input,
  requestId: string,
  streams: boolean,
): Promise<Answer> {
  const { hostname, port, origin } = new URL(url)
  const startedMs = performance.now()
  return new Promise((resolve) => {
    const cut = (why: string): void =>
      resolve({ cut: why, wasIdle: going.reusedSocket, ms: performance.now() - startedMs, requestId: asked })
    const all: Record<string, string> = {
      'x-request-id': requestId,
      ...(as === 'key' ? { authorization: `Bearer ${token}` } : {}),
      ...(as === 'session' ? { cookie, origin } : {}),
      ...headers,
      ...(body === null ? {} : { 'content-length': String(body.length) }),
    }
    const asked = all['x-request-id']!
    const options = {
      agent,
      hostname,
      port,
      method,
      path: target,
      headers: all,
      maxHeaderSize: HEADER_BYTES_MAX,
    }
    const going = request(options, (response) => {
      let text = ''
      const done = (): void =>
        resolve({
          status: response.statusCode!,
          type: response.headers['content-type'] ?? '',
          text,
          ms: performance.now() - startedMs,
          requestId: asked,
        })
      response.setEncoding('latin1')
      response.on('data', (chunk: string) => {
        if (text.length < TEXT_MAX) text += chunk.slice(0, TEXT_MAX)
        if (streams) response.destroy()
      })
      response.on('close', done)
      if (streams) setTimeout(() => response.destroy(), 100).unref()
    })
    going.setTimeout(PATIENCE_MS, () => going.destroy(new Error(`no answer within ${PATIENCE_MS / 1000} s`)))
    going.on('error', (error) => cut(error.message))
    going.end(body ?? undefined)
  })
}
