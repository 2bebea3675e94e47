import { UNPAGED_ROWS_MAX } from '@/lib/connections/noetl-documents'
import { exactJsonText, type ExactJson } from '@/lib/exact-json'
import { limits } from '@/lib/limits'
import { joinPages } from '@/lib/parity/join-pages'
import type { OpenConnection } from '../queries/connections'
import { noetlServer, type NoetlServerOptions } from './noetl-server'

/** An execution as its server gives it at this moment, or why there is nothing to compare with. */
export type FetchedRun = { text: string; complete: boolean } | { state: 'unreadable' | 'not_captured'; why: string }

/**
 * Fetches one execution now, all its pages joined into one document with all their digits, for a comparison; nothing is stored.
 *
 * @returns `complete: false` when the text is known to be a part: the server gives no more, or it is already more than is compared
 */
export async function fetchRunNow(connection: OpenConnection, executionId: string, options: NoetlServerOptions = {}): Promise<FetchedRun> {
  if (!/^\d{1,20}$/.test(executionId)) return { state: 'not_captured', why: 'This is no id of an execution of NoETL.' }
  const server = noetlServer(connection, options)
  const pages: ExactJson[] = []
  let bytes = 0
  for (let page = 1; ; page++) {
    const answer = await server.run(executionId, { page })
    if (!answer.ok) {
      const { status, text } = answer.failure
      return status === 404 ? { state: 'not_captured', why: 'The server does not know this execution.' } : { state: 'unreadable', why: text }
    }
    pages.push(answer.value)
    bytes += answer.bytes.length
    const { hasNext, rows, dialect } = answer.page
    const isCut = dialect === 'rust' && rows >= UNPAGED_ROWS_MAX
    if (hasNext && rows > 0 && bytes <= limits.parityBytesMax) continue
    const { document, complete } = joinPages(pages)
    return { text: exactJsonText(document), complete: complete && !isCut }
  }
}
