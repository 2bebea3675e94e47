import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '@/lib/limits'

/**
 * Ends the connection in good order when an answer goes out before the body of its request has come in. What is left of the body stands
 * between this request and the next one, and whoever gave the body up may have stopped the connection from being read. So the answer says
 * `Connection: close`, which lets the client send its next request on another connection.
 */
export function closeAfterEarlyAnswer(request: IncomingMessage, response: ServerResponse): void {
  // A request whose body was given up has lost its socket by the time of the answer.
  const { socket } = request
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse
  response.writeHead = (...given: unknown[]) => {
    if (owesBody(request)) {
      response.shouldKeepAlive = false
      // What Node calls when such an answer is out; its own resets the connection if anything still arrives.
      socket.destroySoon = () => closeGently(socket)
    }
    return writeHead(...given)
  }
}

/** A request without a body is not complete either while its handler is first called. */
export const owesBody = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)

/**
 * Half-closes, then drops what still comes until the client closes too or its time is over: a reset could overtake the answer
 * (RFC 9112, 9.6). None of it reaches the HTTP parser, so no further request is served.
 */
function closeGently(socket: Socket): void {
  socket.end()
  socket.removeAllListeners('data').on('data', () => undefined)
  socket.resume()
  destroyAfterLinger(socket)
}

/** Gives the client `lingerSeconds` to close a connection that we closed, then frees its place. */
export function destroyAfterLinger(socket: Socket): void {
  const late = setTimeout(() => socket.destroy(), limits.lingerSeconds * 1000).unref()
  socket.once('close', () => clearTimeout(late))
}
