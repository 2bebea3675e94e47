import type { IncomingMessage, ServerResponse } from 'node:http'
import { inStatementScope } from '@/db/statement-scope'
import { limits } from '@/lib/limits'

/**
 * Answers a request. One that only reads, pages included, ends with its reader: its statements are cancelled when the connection closes
 * before the answer is out, and each has a time. What writes is carried to its end.
 */
export function heedingReader<T>(
  { method }: Pick<IncomingMessage, 'method'>,
  response: Pick<ServerResponse, 'once' | 'writableFinished'>,
  answer: () => T,
): T {
  if (method !== 'GET' && method !== 'HEAD') return answer()
  const left = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) left.abort()
  })
  return inStatementScope({ signal: left.signal, statementMsMax: limits.readStatementSeconds * 1000 }, answer)
}
