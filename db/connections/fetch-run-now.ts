import { fetchFailure } from '@/lib/connections/failures'
import type { FetchedRunReason } from '@/lib/model/messages/connections'
import { UNPAGED_ROWS_MAX } from '@/lib/formats/noetl/connection-documents'
import { exactJsonText, type ExactJson } from '@/lib/text/exact-json'
import { limits } from '@/lib/limits'
import { joinPages } from '@/lib/judge/parity/join-pages'
import type { OpenConnection } from '../queries/connections'
import { noetlServer, type NoetlServer, type NoetlServerOptions } from './noetl-server'

/** An execution as its server gives it at this moment, or why there is nothing to compare with. */
export type FetchedRun =
  | { text: string; complete: boolean }
  | { state: 'unreadable' | 'not_captured'; reason: FetchedRunReason }

/**
 * Fetches one execution now, all its pages joined into one document with all their digits, for a comparison; nothing is stored.
 *
 * @param options.wholeMs for all its pages, with what it waits for its turn
 * @returns `complete: false` when the text is known to be a part: the server gives no more, or it is already more than is compared
 * @throws what `signal` was aborted with
 */
export async function fetchRunNow(
  connection: OpenConnection,
  executionId: string,
  { wholeMs = limits.fetchMsMax, signal, ...options }: NoetlServerOptions = {},
): Promise<FetchedRun> {
  if (!/^\d{1,20}$/.test(executionId))
    return { state: 'not_captured', reason: { id: 'not_noetl_id', params: {} } }
  const late = AbortSignal.timeout(wholeMs)
  const server = noetlServer(connection, {
    ...options,
    signal: signal === undefined ? late : AbortSignal.any([signal, late]),
  })
  try {
    return await fetchPages(server, executionId)
  } catch (error) {
    signal?.throwIfAborted()
    if (!late.aborted) throw error
    return {
      state: 'unreadable',
      reason: {
        id: 'failed',
        params: fetchFailure('timed_out', { id: 'pages_too_slow', params: { seconds: wholeMs / 1000 } }),
      },
    }
  }
}

async function fetchPages(server: NoetlServer, executionId: string): Promise<FetchedRun> {
  const pages: ExactJson[] = []
  let bytes = 0
  for (let page = 1; ; page++) {
    const answer = await server.run(executionId, { page })
    if (!answer.ok) {
      return answer.failure.status === 404
        ? { state: 'not_captured', reason: { id: 'no_such_execution', params: {} } }
        : { state: 'unreadable', reason: { id: 'failed', params: answer.failure } }
    }
    pages.push(answer.value)
    bytes += answer.bytes.length
    const { hasNext, rows, dialect } = answer.page
    const isCut = dialect === 'rust' && rows >= UNPAGED_ROWS_MAX
    if (hasNext && rows > 0 && bytes <= limits.parityBytesMax && page < limits.fetchPagesMax) continue
    const { document, complete } = joinPages(pages)
    return { text: exactJsonText(document), complete: complete && !isCut }
  }
}
