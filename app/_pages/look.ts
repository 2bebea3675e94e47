import { log } from '@/app/_server/log'
import { isCanceled, isStoreDown } from '@/db/sql-state'
import { isScopeAborted } from '@/db/statement-scope'

/**
 * Reads for a page. A database that does not answer becomes an error that the error page can tell from a fault: Next hides
 * messages from the browser, but carries the digest, which holds the problem and an id to look for in the log.
 */
export async function look<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    // The reader has gone; by this name Next knows that there is nothing to tell.
    if (isScopeAborted()) throw new DOMException('The reader has gone', 'AbortError')
    const slug = isStoreDown(error) ? 'store-down' : isCanceled(error) ? 'too-slow' : null
    if (slug === null) throw error
    const requestId = crypto.randomUUID()
    log.warn({ requestId, err: error }, 'the database did not answer a page')
    throw Object.assign(new Error('The database did not answer', { cause: error }), {
      digest: `${slug} ${requestId}`,
    })
  }
}
