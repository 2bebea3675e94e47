import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { parseAndValidateFlightRouterState } from 'next/dist/server/app-render/parse-and-validate-flight-router-state.js'
import type { Problem } from '@/lib/problem'
import { problem } from '@/lib/views/problem-document'
import { connectionText } from '@/lib/words/server/connections'

/** Methods that anything here knows. */
const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']
const ALLOW = METHODS.join(', ')

const noMethod = (method = ''): Problem =>
  problem('method-not-allowed', connectionText.methodNotSupported({ method, allow: ALLOW }))

/** Answers what no route could make sense of. @returns whether it did */
export function answerUnfit(request: IncomingMessage, response: ServerResponse): boolean {
  if (!METHODS.includes(request.method ?? '')) {
    sendProblem(response, noMethod(request.method), { allow: ALLOW })
    return true
  }
  if (/%00/.test(request.url ?? '')) {
    sendProblem(response, problem('bad-request', connectionText.nulInAddress))
    return true
  }
  if (!isRouterState(request.headers['next-router-state-tree'])) {
    sendProblem(response, problem('bad-request', connectionText.unreadableHeader))
    return true
  }
  return false
}

/** Whether Next can read the header that its own client sends; to one that it cannot read it answers 500. */
function isRouterState(header: string | string[] | undefined): boolean {
  try {
    parseAndValidateFlightRouterState(header)
    return true
  } catch {
    return false
  }
}

export function sendProblem(
  response: ServerResponse,
  document: Problem,
  headers: Record<string, string> = {},
): void {
  response.writeHead(document.status, { ...HEADERS, ...headers })
  response.end(JSON.stringify(document))
}

const HEADERS = {
  'content-type': 'application/problem+json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** What the parser makes of bytes that are no request, and the status that says so. */
const PARSE_STATUS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: connectionText.headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

type ParseError = NodeJS.ErrnoException & { rawPacket?: Buffer }

const beginsAsRequest = ({ rawPacket }: ParseError): boolean =>
  /^[A-Za-z-]{1,40} \S* ?HTTP\/1/.test(rawPacket?.toString('latin1', 0, 16_384) ?? '')

/** Answers what is no request at all, or a `CONNECT`, on the bare connection; by default Node says 400 also to a method it does not know. */
export function answerBare(error: ParseError | 'connect', socket: Duplex): void {
  // The other end has gone, or is in the middle of an answer.
  if (!socket.writable || (error !== 'connect' && error.code === 'ECONNRESET')) return void socket.destroy()
  const isMethod = error === 'connect' || (error.code === 'HPE_INVALID_METHOD' && beginsAsRequest(error))
  if (!isMethod)
    return void socket.end(
      `HTTP/1.1 ${PARSE_STATUS[error.code ?? ''] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`,
    )
  // Node takes its own listeners off a connection that asked for another protocol; a reset would end the process.
  if (error === 'connect') socket.on('error', () => undefined)
  const document = JSON.stringify(noMethod(error === 'connect' ? 'CONNECT' : ''))
  const head = Object.entries({
    ...HEADERS,
    allow: ALLOW,
    connection: 'close',
    'content-length': document.length,
  })
  socket.end(
    `HTTP/1.1 405 Method Not Allowed\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${document}`,
  )
}
