import { DATABASE_SERVER_PROBLEMS } from '@/lib/words/database-server'

/** The server did not start; the message is one sentence. */
export class ServerStartError extends Error {
  override name = 'ServerStartError'

  /**
   * @param exit how its process ended
   * @param log  end of what it wrote
   */
  constructor(
    exit: string,
    readonly log: string,
    data: string,
    options?: ErrorOptions,
  ) {
    super(
      isFull(log)
        ? DATABASE_SERVER_PROBLEMS.disk_full({ dir: data })
        : DATABASE_SERVER_PROBLEMS.start_failed({ exit, reason: reason(log) }),
      options,
    )
  }
}

export const isFull = (text: string): boolean =>
  /No space left on device|Disk quota exceeded|ENOSPC/.test(text)

const LEVELS = /^.*?\b(FATAL|PANIC|ERROR):\s+/
/** Begins a line that says what the server did, not why it ended. */
const OTHER_LEVELS = /\b(DEBUG\d?|LOG|INFO|NOTICE|WARNING|DETAIL|HINT|CONTEXT|STATEMENT|QUERY):\s/

/** The line of the server's log that names why; null where none does. */
function reason(log: string): string | null {
  const lines = log.split('\n').filter((line) => line.trim() !== '')
  const named = lines.findLast((line) => LEVELS.test(line)) ?? lines.at(-1)
  if (named === undefined || (!LEVELS.test(named) && OTHER_LEVELS.test(named))) return null
  return named.replace(LEVELS, '')
}
