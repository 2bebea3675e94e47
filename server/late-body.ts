import type { IncomingMessage, ServerResponse } from 'node:http'
import { limits } from '@/lib/limits'
import { problem } from '@/lib/views/problem-document'
import { connectionText } from '@/lib/words/server/connections'
import { owesBody } from './early-answer'
import { sendProblem } from './unfit-request'

/** Below these, routes read bodies and time them themselves (`app/_server/body-arrival.ts`). */
const READS_BODIES = /^\/(api|mcp|receipts)(?![^/?])/

/** What Next hears in place of the rest of a body. It treats it as a client that has gone, and prints it; it was answered already. */
export class BodyGivenUp extends Error {
  override name = 'BodyGivenUp'
  readonly code = 'ECONNRESET'

  constructor() {
    super('aborted')
  }
}

/** Answers 408 where a body that no route times is not complete in time: Next reads it to its end before it looks for the page. */
export function refuseLateBody(request: IncomingMessage, response: ServerResponse): void {
  if (READS_BODIES.test(request.url ?? '') || !owesBody(request)) return
  const { socket } = request
  const late = setTimeout(() => {
    if (request.complete || response.headersSent) return
    const detail = connectionText.bodyTimedOut()
    sendProblem(response, problem('request-timeout', detail))
    // Next still waits for the body. It hears that none will come once the connection is closed, and answers too.
    socket.once('close', () => request.destroy(new BodyGivenUp()))
    const ignore = (): ServerResponse => response
    Object.assign(response, {
      setHeader: ignore,
      appendHeader: ignore,
      removeHeader: ignore,
      writeHead: ignore,
    })
    Object.assign(response, { write: () => true, end: ignore })
  }, limits.smallBodySeconds * 1000).unref()
  response.once('close', () => clearTimeout(late))
}
