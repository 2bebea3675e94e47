import http from 'node:http'
import type { Readable } from 'node:stream'
import { httpText } from '@/lib/words/cli/http'
import { CliFailure } from './exit-codes'
import type { Settings } from './settings'

/** The server could not be asked, or is away for now; trying again may help. */
export class ServerAway extends Error {
  override name = 'ServerAway'
}

export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  headers?: Record<string, string>
  /** A stream is made anew for each attempt. */
  body?: Uint8Array | (() => Readable)
  /** Milliseconds without any byte before the server counts as away. */
  idleMs?: number
  signal?: AbortSignal
}

export interface Answer {
  status: number
  text: string
  /** The answer as it came, for what must not be decoded. */
  bytes: Uint8Array
  /** `undefined` when the answer is not JSON. */
  json: unknown
}

export interface Client {
  settings: Settings
  send(call: Call): Promise<Answer>
  /** Looks again for the server, which has another key after each start; true when anything changed. */
  lookAgain(): boolean
  close(): void
}

const answerBytesMax = 64 * 1024 * 1024

/** A small client over Node's own HTTP: one connection is kept for many calls, answers are bounded, the key goes nowhere else. */
export function createClient(
  found: Settings,
  options: { sockets?: number; reread?: () => Settings } = {},
): Client {
  let settings = found
  const secure = settings.url.protocol === 'https:'
  const agentOptions = { keepAlive: true, maxSockets: options.sockets ?? 4 }
  // TLS costs several milliseconds to load, which a hook on loopback must not pay.
  const library = secure ? import('node:https') : Promise.resolve(http)
  const agent = library.then((l) => new l.Agent(agentOptions))
  agent.catch(() => {})
  async function send(call: Call): Promise<Answer> {
    const first = settings
    try {
      return await sendOnce(call)
    } catch (error) {
      if (!isRefused(error)) throw error
      for (const other of first.others?.() ?? []) {
        // The connections that are kept are of one kind.
        if (other.url.protocol !== first.url.protocol) continue
        settings = other
        try {
          return await sendOnce(call)
        } catch (next) {
          if (!isRefused(next)) throw next
        }
      }
      settings = first
      throw error
    }
  }

  async function sendOnce(call: Call): Promise<Answer> {
    const [l, pool] = await Promise.all([library, agent])
    return new Promise((resolve, reject) => {
      const away = (error: Error): void =>
        reject(call.signal?.aborted ? error : new ServerAway(describe(error), { cause: error }))
      const request = l.request(
        new URL(`${settings.url.pathname.replace(/\/$/, '')}${call.path}`, settings.url),
        {
          method: call.method,
          agent: pool as http.Agent,
          signal: call.signal,
          headers: {
            accept: 'application/json',
            authorization: `Bearer ${settings.token}`,
            ...(call.body instanceof Uint8Array ? { 'content-length': String(call.body.byteLength) } : {}),
            ...call.headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = []
          let bytes = 0
          response.on('data', (chunk: Buffer) => {
            bytes += chunk.length
            if (bytes > answerBytesMax) response.destroy(new Error(httpText.responseTooLarge))
            else chunks.push(chunk)
          })
          response.on('error', away)
          response.on('aborted', () => away(new Error(httpText.connectionLost)))
          response.on('end', () => {
            const whole = Buffer.concat(chunks)
            const text = whole.toString('utf8')
            resolve({ status: response.statusCode ?? 0, text, bytes: whole, json: parse(text) })
          })
        },
      )
      const idleMs = call.idleMs ?? 120_000
      request.setTimeout(idleMs, () =>
        request.destroy(new Error(`no answer within ${Math.round(idleMs / 1000)} s`)),
      )
      request.on('error', away)
      if (typeof call.body === 'function') {
        const body = call.body()
        // A file that cannot be read must not look like a body that ended.
        body.on('error', (error) => {
          reject(error)
          request.destroy()
        })
        body.pipe(request)
      } else request.end(call.body)
    })
  }

  function lookAgain(): boolean {
    if (settings.from !== 'server.json' || !options.reread) return false
    let now: Settings
    try {
      now = options.reread()
    } catch {
      // Between two starts there is no file; the next attempt looks again.
      return false
    }
    // Only what speaks the same protocol: the connections that are kept are of one kind.
    const changed =
      now.url.protocol === settings.url.protocol &&
      (now.token !== settings.token || now.url.href !== settings.url.href)
    if (changed) settings = now
    return changed
  }

  return {
    get settings() {
      return settings
    },
    send,
    lookAgain,
    close: () => void agent.then((pool) => pool.destroy()),
  }
}

/** Nobody listens there. */
const isRefused = (error: unknown): boolean =>
  error instanceof ServerAway && (error.cause as NodeJS.ErrnoException).code === 'ECONNREFUSED'

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function describe(error: Error): string {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ECONNREFUSED') return 'connection refused'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return httpText.unknownHost
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'connection lost'
  return error.message === '' ? (code ?? 'unknown error') : error.message
}

/**
 * After these answers the same request may succeed later. `in-use` is one of them: the server still works on the first sending of a body whose
 * answer was lost.
 */
export const isPassing = (answer: Pick<Answer, 'status' | 'json'>): boolean =>
  isAway(answer) || isInUse(answer)

const isAway = ({ status }: Pick<Answer, 'status'>): boolean => [408, 429, 502, 503, 504].includes(status)
const isInUse = ({ status, json }: Pick<Answer, 'status' | 'json'>): boolean =>
  status === 409 && /\/problems\/in-use$/.test(String((json as { type?: unknown } | null | undefined)?.type))

/** One sentence out of a problem document, or of whatever came instead. */
export function problemText(answer: Answer): string {
  const document = answer.json as { title?: unknown; detail?: unknown; line?: unknown } | null | undefined
  // Its title fits everything that may be in the way, and the detail names what does.
  const title = isInUse(answer) && document?.detail ? undefined : document?.title
  const parts = [title, document?.detail].filter((part) => typeof part === 'string' && part !== '')
  const line = typeof document?.line === 'number' ? ` (line ${document.line})` : ''
  // Callers end the sentence.
  return parts.length > 0
    ? `${parts.join(': ').replace(/\.+$/, '')}${line}`
    : httpText.serverStatus({ status: answer.status })
}

/** Asks and hands back the document, or ends the verb with the status that fits. */
export const askServer = async <T>(client: Client, call: Call): Promise<T> =>
  (await askForAnswer(client, call)).json as T

/** The same for an answer that is no document. */
export async function askForAnswer(client: Client, call: Call): Promise<Answer> {
  let answer: Answer
  try {
    answer = await client.send({ idleMs: 30_000, ...call })
  } catch (error) {
    if (error instanceof ServerAway)
      throw new CliFailure('unreachable', `${client.settings.url.origin} did not answer: ${error.message}.`, {
        cause: error,
      })
    throw error
  }
  if (answer.status >= 200 && answer.status < 300) return answer
  if (answer.status === 401 || answer.status === 403)
    throw new CliFailure('refused', `${problemText(answer)}.`)
  if (isAway(answer)) throw new CliFailure('unreachable', `${problemText(answer)}.`)
  throw new CliFailure('failed', `${problemText(answer)}.`)
}
