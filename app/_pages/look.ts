import { log } from '@/app/_server/log'
import { isStoreDown } from '@/db/sql-state'

/**
 * Reads for a page. A database that does not answer becomes an error that the error page can tell from a fault: Next hides
 * messages from the browser, but carries the digest, which holds the problem and an id to look for in the log.
 */
export async function look<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!isStoreDown(error)) throw error
    const requestId = crypto.randomUUID()
    log.warn({ requestId, err: error }, 'the database did not answer a page')
    throw Object.assign(new Error('The database did not answer', { cause: error }), {
      digest: `store-down ${requestId}`,
    })
  }
}
