import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import type { Answer, Route } from './answers'

interface Scope {
  /** The routes that it happens on; every one unless told. */
  on?: Route | readonly Route[]
  executionId?: string
  /** Goes well so many times before. */
  after?: number
  /** Happens so many times; always unless told. */
  times?: number
}

/** What goes wrong. The first that fits a request happens to it. */
export type Fault = Scope &
  /** Nothing listens: connections are refused. Has no scope, it is down for everything. */
  (
    | { kind: 'down' }
    /** The connection is dropped without an answer. */
    | { kind: 'reset' }
    /** Nothing comes for so long, then the answer. */
    | { kind: 'slow'; ms: number }
    /** The answer comes at once but in pieces of so many bytes (16), with so long between them. */
    | { kind: 'drip'; ms: number; bytes?: number }
    /** 200 with a page, as a sign-in wall or a proxy answers; `contentType` can claim that it is JSON. */
    | { kind: 'html'; contentType?: string }
    | { kind: 'status'; status: number; body?: string; headers?: Record<string, string> }
    /** `same_host`: the documents have moved on this server. `other_host`: to a server under another name. `itself`: round and round. */
    | { kind: 'redirect'; to: 'same_host' | 'other_host' | 'itself'; status?: 301 | 302 | 303 | 307 | 308 }
    /** Well-formed JSON of so many bytes (300 MB), chunked unless its length is to be declared; with gzip a small body grows when read. */
    | { kind: 'huge'; bytes?: number; declared?: boolean; gzip?: boolean }
    /** The connection ends in the middle of the answer. */
    | { kind: 'cut' }
    /** The answer ends well, in the middle of its JSON. */
    | { kind: 'half' }
  )

/** What a request is, for the scope of a fault. */
export interface Asked {
  route: Route | null
  executionId: string | null
}

/** Chooses the fault of a request, and counts. */
export function faultChooser(faults: readonly Fault[]): (asked: Asked) => Fault | null {
  const seen = faults.map(() => 0)
  return ({ route, executionId }) => {
    for (const [i, fault] of faults.entries()) {
      const { on, after = 0, times = Infinity } = fault
      const routes: readonly (Route | null)[] | null =
        on === undefined ? null : typeof on === 'string' ? [on] : on
      if (
        (routes !== null && !routes.includes(route)) ||
        (fault.executionId !== undefined && fault.executionId !== executionId)
      )
        continue
      const nth = seen[i]!++
      if (nth >= after && nth < after + times) return fault
    }
    return null
  }
}

export const MOVED = '/moved'

const PAGE = `<!doctype html><html><head><title>Sign in</title></head><body><h1>Sign in</h1>
<script>document.title = 'a script of the stand-in ran'</script></body></html>
`

interface Exchange {
  /** Path and query that were asked for. */
  url: string
  response: ServerResponse
  /** The server under another name. */
  elsewhere: string
  /** Is told how many bytes of a body went out. */
  sent: (bytes: number) => void
}

/** Answers, in the way of the fault if there is one. */
export async function playFault(
  fault: Fault | null,
  answer: Answer,
  { url, response, elsewhere, sent }: Exchange,
): Promise<void> {
  const whole = Buffer.from(answer.body)
  const end = (status: number, headers: Record<string, string>, body: Buffer | string) => {
    sent(Buffer.byteLength(body))
    response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) }).end(body)
  }
  if (fault === null) return end(answer.status, answer.headers, whole)
  switch (fault.kind) {
    case 'down':
    case 'reset':
      response.destroy()
      return
    case 'slow':
      await sleep(fault.ms, undefined, { ref: false })
      return end(answer.status, answer.headers, whole)
    case 'drip': {
      response.writeHead(answer.status, { ...answer.headers, 'content-length': String(whole.length) })
      const step = fault.bytes ?? 16
      for (let at = 0; at < whole.length && !response.destroyed; at += step) {
        const piece = whole.subarray(at, at + step)
        response.write(piece)
        sent(piece.length)
        await sleep(fault.ms, undefined, { ref: false })
      }
      response.end()
      return
    }
    case 'html':
      return end(200, { 'content-type': fault.contentType ?? 'text/html; charset=utf-8' }, PAGE)
    case 'status':
      return end(
        fault.status,
        { 'content-type': 'text/plain', ...fault.headers },
        fault.body ?? 'Internal Server Error',
      )
    case 'redirect': {
      const base = fault.to === 'other_host' ? elsewhere : ''
      return end(
        fault.status ?? 302,
        { location: fault.to === 'same_host' ? `${MOVED}${url}` : `${base}${url}` },
        '',
      )
    }
    case 'huge':
      return huge(fault, response, sent)
    case 'cut': {
      response.writeHead(answer.status, { ...answer.headers, 'content-length': String(whole.length) })
      const half = whole.subarray(0, Math.floor(whole.length / 2))
      sent(half.length)
      response.write(half, () => response.destroy())
      return
    }
    case 'half':
      return end(answer.status, answer.headers, whole.subarray(0, Math.floor(whole.length / 2)))
  }
}

const HUGE_BYTES = 300 * 1000 * 1000
const OPEN = '{"events":[{"pad":"'
const CLOSE = '"}]}'

async function huge(
  fault: Extract<Fault, { kind: 'huge' }>,
  response: ServerResponse,
  sent: Exchange['sent'],
): Promise<void> {
  const { bytes = HUGE_BYTES, declared, gzip } = fault
  response.writeHead(200, {
    'content-type': 'application/json',
    ...(gzip ? { 'content-encoding': 'gzip' } : declared ? { 'content-length': String(bytes) } : {}),
  })
  const out = gzip ? createGzip() : response
  if (gzip) {
    const packed = out as ReturnType<typeof createGzip>
    packed.on('data', (chunk: Buffer) => sent(chunk.length)).pipe(response)
    // A reader that has seen enough goes away.
    response.once('close', () => packed.destroy())
  }
  const gone = () => response.destroyed || out.destroyed
  const closed = once(response, 'close')
  const write = async (chunk: Buffer | string) => {
    if (!gzip) sent(Buffer.byteLength(chunk))
    if (out.write(chunk) || gone()) return
    await Promise.race([new Promise((drained) => out.once('drain', drained)), closed])
  }
  const pad = Buffer.alloc(64 * 1024, 'x')
  await write(OPEN)
  for (let left = bytes - OPEN.length - CLOSE.length; left > 0 && !gone(); left -= pad.length) {
    await write(pad.subarray(0, Math.min(left, pad.length)))
  }
  if (gone()) return
  await write(CLOSE)
  out.end()
}
