import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startText } from '@/lib/words/server/start'
import { clientAddress, type TrustedProxies } from './client-address'
import { limitClients, sayOnStderr } from './client-limits'
import { refuseLateBody } from './late-body'
import { hintAtProxies } from './proxy-hint'
import { StartProblem } from './settings'
import { answerStarting } from './starting'
import { answerUnfit } from './unfit-request'
import { wellEncoded } from './well-encoded'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

export interface Listener {
  server: Server
  port: number
  /** What is being done, in a few words, for those who ask before the pages can answer. */
  doing(words: string): void
  /** Lets the pages answer; until then every request hears that the server is starting. */
  open(handler: Handler): void
  /** Takes no more requests, waits for the open ones, and cuts what is left after so many milliseconds. */
  close(withinMs?: number): Promise<void>
}

const CLOSE_MS = 1_500
const HEADS_CHECKED_MS = 5_000
const PEER_HEADER = 'x-inquest-peer'

/**
 * Listens at once, so that a taken port is reported before anything else is done.
 *
 * @param trusted reverse proxies that say who the client is; null: every connection is a client's own
 * @throws StartProblem
 */
export async function listen(host: string, port: number, trusted: TrustedProxies = null): Promise<Listener> {
  let doing = 'starting the database'
  let handler: Handler = answerStarting(() => doing)
  const hintAtProxy = hintAtProxies(trusted, sayOnStderr)
  const server = createServer({ connectionsCheckingInterval: HEADS_CHECKED_MS }, (request, response) => {
    if (answerUnfit(request, response)) return
    // Who the client is, is for us and for trusted proxies to say.
    const forwarded = request.headers['x-forwarded-for']
    const client = clientAddress(request.socket.remoteAddress, forwarded, trusted)
    hintAtProxy(client, forwarded !== undefined)
    request.headers[PEER_HEADER] = client
    request.url = wellEncoded(request.url ?? '/')
    refuseLateBody(request, response)
    handler(request, response)
  })
  limitClients(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') throw new StartProblem(startText.portInUse({ port, host }))
    if (error.code === 'EACCES') throw new StartProblem(startText.portPrivileged({ port }))
    if (error.code === 'EADDRNOTAVAIL') throw new StartProblem(startText.foreignHost({ host }))
    throw error
  })
  return {
    server,
    port: (server.address() as AddressInfo).port,
    doing: (words) => void (doing = words),
    open: (next) => void (handler = next),
    close: (withinMs = CLOSE_MS) =>
      new Promise((resolve) => {
        if (!server.listening) return resolve()
        const late = setTimeout(() => server.closeAllConnections(), withinMs)
        server.close(() => {
          clearTimeout(late)
          resolve()
        })
        server.closeIdleConnections()
      }),
  }
}

type Closers = Map<() => void | Promise<void>, 'streams' | 'pools'>

/** Runs what the routes have registered for the end (`app/_server/shutdown.ts`). */
export async function runClosers(phase: 'streams' | 'pools'): Promise<void> {
  const closers = (globalThis as Record<symbol, unknown>)[Symbol.for('inquest.shutdown')] as
    | Closers
    | undefined
  const due = [...(closers ?? [])].filter(([, of]) => of === phase)
  await Promise.allSettled(
    due.map(async ([close]) => {
      closers?.delete(close)
      await close()
    }),
  )
}
