import type { IncomingMessage, ServerResponse } from 'node:http'
import { inStatementScope } from '@/db/statement-scope'
import { limits } from '@/lib/limits'
import { PROBLEMS, STORE_RETRY_S, type StoreProblemSlug } from '@/lib/problem'

/**
 * Answers a request. One that only reads, pages included, ends with its reader: its statements are cancelled when the connection closes
 * before the answer is out, and each has a time. What writes is carried to its end.
 */
export function heedingReader<T>(
  { method }: Pick<IncomingMessage, 'method'>,
  response: ServerResponse,
  answer: () => T,
): T {
  if (method !== 'GET' && method !== 'HEAD') return answer()
  const left = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) left.abort()
  })
  return inStatementScope(
    {
      signal: left.signal,
      statementMsMax: limits.readStatementSeconds * 1000,
      onStoreProblem: answerUnavailable(response),
    },
    answer,
  )
}

/** Next answers 500 whenever a page fails. One that fails because of the store is a 503 that says when to ask again, as on every route. */
function answerUnavailable(response: ServerResponse): (slug: StoreProblemSlug) => void {
  let problem: StoreProblemSlug | null = null
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse
  response.writeHead = (status: number, ...more: unknown[]) => {
    if (status !== PROBLEMS.internal.status || problem === null) return writeHead(status, ...more)
    response.setHeader('retry-after', STORE_RETRY_S[problem])
    return writeHead(PROBLEMS[problem].status, ...more)
  }
  return (slug) => {
    problem ??= slug
  }
}
