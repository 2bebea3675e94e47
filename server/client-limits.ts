import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '@/lib/limits'
import { connectionText } from '@/lib/words/server/connections'
import { closeAfterEarlyAnswer, destroyAfterLinger } from './early-answer'
import { answerBare } from './unfit-request'

const TICK_MS = 5_000
/** Bytes of a body in that time without which nothing is said to move: far fewer than those who read bodies ask for. */
const TICK_BYTES_MIN = 1024
const DROPS_TOLD_MS = 60_000

/** Bounds what slow and vanished clients may hold: connections, heads of requests, bodies that nobody reads, answers that nobody takes. */
export function limitClients(server: Server, say: (line: string) => void = sayOnStderr): void {
  // Bodies are timed where they are read (`app/_server/body-arrival.ts`): a large import over a slow line takes its time.
  server.requestTimeout = 0
  server.headersTimeout = limits.requestHeadSeconds * 1000
  // Node's own 5 s are about as long as clients wait between two requests, who then write into a closing connection.
  server.keepAliveTimeout = limits.idleConnectionSeconds * 1000
  server.maxConnections = limits.connectionsMax
  let [dropped, reportedMs] = [0, 0]
  server.on('drop', () => {
    dropped += 1
    if (Date.now() - reportedMs < DROPS_TOLD_MS) return
    reportedMs = Date.now()
    say(connectionText.connectionsDropped({ dropped }))
    dropped = 0
  })
  // Node half-closes and waits for the client to do so too, however long that takes; meanwhile the connection counts.
  server.on('connection', (socket) => socket.once('finish', () => destroyAfterLinger(socket)))
  server.on('clientError', answerBare)
  server.on('connect', (_request, socket) => answerBare('connect', socket))
  const open = new Set<Exchange>()
  // Before whoever answers.
  server.prependListener('request', (request, response) => {
    const { socket } = request
    const exchange: Exchange = { request, response, socket, received: 0, taken: -1, stalledMs: 0 }
    open.add(exchange)
    response.once('close', () => open.delete(exchange))
    closeAfterEarlyAnswer(request, response)
  })
  const timer = setInterval(() => {
    for (const exchange of open) if (isStalled(exchange)) exchange.socket.destroy()
  }, TICK_MS)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  /** Of the connection; the request loses it when its body is given up. */
  socket: Socket
  received: number
  /** Bytes of the connection that the reader took; -1 while nothing waits for it. */
  taken: number
  stalledMs: number
}

/** Whether for too long the client has neither taken what waits for it nor sent what it still owes. */
function isStalled(exchange: Exchange): boolean {
  const { request, response, socket } = exchange
  const isReaderLate = socket.writableLength > 0
  // A body that we do not read, because nobody asked for it yet or because there is more of it than we want, is not late.
  const isSenderLate = !request.complete && !response.headersSent && request.readableLength === 0
  const [received, taken] = [
    socket.bytesRead,
    isReaderLate ? socket.bytesWritten - socket.writableLength : -1,
  ]
  const moved =
    (isReaderLate && taken !== exchange.taken) ||
    (isSenderLate && received - exchange.received >= TICK_BYTES_MIN)
  exchange.stalledMs = (isReaderLate || isSenderLate) && !moved ? exchange.stalledMs + TICK_MS : 0
  Object.assign(exchange, { received, taken })
  return exchange.stalledMs >= limits.stalledReaderSeconds * 1000
}

export const sayOnStderr = (line: string): void => void process.stderr.write(`inquest: ${line}\n`)
