import { log } from '@/app/_server/log'
import { noteStoreFull } from '@/app/_server/store-full'
import { logStoreDown } from '@/app/_server/store-log'
import { isCanceled, isPoolBusy, isStoreDown, isStoreFull } from '@/db/sql-state'
import { isScopeAborted, noteStoreProblem } from '@/db/statement-scope'
import type { StoreProblemSlug } from '@/lib/problem'
import { PROBLEM_TITLES } from '@/lib/words/problem-titles'
import { logText } from '@/lib/words/server/log'

const slugOf = (error: unknown): StoreProblemSlug | null =>
  isStoreFull(error)
    ? 'store-full'
    : isStoreDown(error)
      ? 'store-down'
      : isPoolBusy(error)
        ? 'busy'
        : isCanceled(error)
          ? 'too-slow'
          : null

/**
 * Reads for a page. A database that does not answer becomes an error that the error page can tell from a fault: Next hides
 * messages from the browser, but carries the digest, which contains the problem and an id to look for in the log.
 */
export async function look<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    // The reader has gone; by this name Next knows that there is nothing to answer.
    if (isScopeAborted()) throw new DOMException(logText.readerGone, 'AbortError')
    const slug = slugOf(error)
    if (slug === null) throw error
    if (slug === 'store-full') noteStoreFull()
    noteStoreProblem(slug)
    const requestId = crypto.randomUUID()
    const title = PROBLEM_TITLES[slug]
    const line = logText.pageNotRead({ title })
    if (slug === 'store-down') logStoreDown(error, requestId, line)
    else log.warn({ requestId, err: error }, line)
    throw Object.assign(new Error(title, { cause: error }), {
      digest: `${slug} ${requestId}`,
    })
  }
}
